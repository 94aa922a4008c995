#!/usr/bin/env python3
"""A GPU's models against recorded runs of the labs on it, step by step.

    labs.py GPULAB [TABLE.tsv [LAB...]]

TABLE.tsv has a GPU's results (default: docs/records/results/h200.tsv). Prints a table: measured, predicted, by the roofline alone, by
replay alone, and the most frequent stall reason beside Nsight Compute's (TABLE-stalls.tsv, where there is one: of each step's longest
launch); then the errors by lab and by kind of kernel, and how often the order of two steps of a lab is predicted right. Ends with 1 if
fewer than SHARE of the steps come within 25 %, or the reason is Nsight Compute's in fewer than AGREE of them, with 77 where there is no
table."""
import argparse
import collections
import glob
import math
import os
import subprocess
import sys

import results

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARE, AGREE = 0.95, 0.8
# The kind of a kernel is that of what limits it most, as in src/model/errors.c.
KINDS = {'DRAM bandwidth': 'memory', 'DRAM pages': 'memory', 'L2 bandwidth': 'memory', 'L1 wavefronts': 'shared memory',
         'shared wavefronts': 'shared memory', 'constant cache': 'shared memory', 'texture units': 'shared memory', 'issue slots': 'compute',
         'register banks': 'compute', 'load and store units': 'compute', 'arithmetic units': 'compute', 'latency': 'latency',
         'barriers': 'latency', 'block launch overhead': 'latency'}
ATOMICS = 'atomics in L2'
RATIOS = (1, 1.02, 1.05, 1.1, 1.2, 1.5, math.inf)
Step = collections.namedtuple('Step', 'lab id measured predicted roofline replay bound kind stall')


def kind_of(row, limits):
    if 'host memory' in row[2]:
        return 'host memory'
    if limits.get(ATOMICS, 0) > 0.01 * float(row[5]):
        return 'atomics'
    return KINDS[max((name for name in limits if name != ATOMICS), key=limits.get)]


def predicted(gpulab, lab, table):
    """The rows of labs.lua by step."""
    done = subprocess.run([gpulab, '--device', 'emu', os.path.join(HERE, 'labs.lua'), lab, table], capture_output=True, text=True, cwd=ROOT)
    sys.stderr.write(done.stderr)
    return {row[0]: row for row in (line.split('\t') for line in done.stdout.splitlines())}


def step_of(step, row):
    # What is predicted is one launch alone and cold; the median of the shortest kernels is of many, in the cache.
    limits = {name: float(ms) for name, ms in (part.split('=') for part in row[6].split(';'))}
    us = 1e3 * float(step['cold'] or step['ms'])
    return Step('%02d' % int(step['lab']), step['step'], us, 1e3 * float(row[5]), 1e3 * float(row[1]), 1e3 * float(row[3]), row[2],
                kind_of(row, limits), row[4])


def error(step, field='predicted'):
    # The replay has no link to the host.
    return (getattr(step, field) or step.roofline) / step.measured - 1


def rms(values):
    values = list(values)
    return math.sqrt(sum(value * value for value in values) / len(values))


def figures(steps, field='predicted'):
    sizes = sorted(abs(error(step, field)) for step in steps)
    near = sum(size <= 0.25 for size in sizes)
    return '%d | %d | %.1f %% | %.1f %%' % (len(sizes), near, 100 * sizes[len(sizes) // 2], 100 * rms(sizes))


def by(steps, field):
    groups = collections.defaultdict(list)
    for step in steps:
        groups[getattr(step, field)].append(step)
    return sorted(groups.items())


def pairs_of(steps):
    """Predicted ratio, of the longer to the shorter; whether measured in the same order; of all pairs in a lab."""
    for _, group in by(steps, 'lab'):
        for i, one in enumerate(group):
            for other in group[:i]:
                ratio = one.predicted / other.predicted
                yield max(ratio, 1 / ratio), (ratio > 1) == (one.measured > other.measured)


def tables(steps):
    lines = ['| | steps | within 25 % | median | RMS |', '|---|---|---|---|---|']
    for name in ('roofline', 'replay', 'predicted'):
        lines.append('| %s | %s |' % (name, figures(steps, name)))
    lines += ['', '| lab | steps | within 25 % | median | RMS | RMS of the other labs |', '|---|---|---|---|---|---|']
    for lab, group in by(steps, 'lab'):
        others = [step for step in steps if step.lab != lab]
        lines.append('| %s | %s | %s |' % (lab, figures(group), '%.1f %%' % (100 * rms(map(error, others))) if others else '–'))
    lines += ['', '| limited by | steps | within 25 % | median | RMS |', '|---|---|---|---|---|']
    lines += ['| %s | %s |' % (kind, figures(group)) for kind, group in by(steps, 'kind')]
    found = list(pairs_of(steps))
    lines += ['', '| predicted ratio | pairs of a lab | in the right order |', '|---|---|---|']
    for low, high in zip(RATIOS, RATIOS[1:]):
        right = [same for ratio, same in found if low <= ratio < high]
        if right:
            name = '%g to %g' % (low, high) if high < math.inf else 'from %g' % low
            lines.append('| %s | %d | %.0f %% |' % (name, len(right), 100 * sum(right) / len(right)))
    outside = [step for step in steps if abs(error(step)) > 0.25]
    lines += ['', '| outside 25 % | measured | predicted | | roofline | replay | limited by |', '|---|---|---|---|---|---|---|']
    for step in outside:
        lines.append('| %s %s | %.1f µs | %.1f µs | %+.0f %% | %.1f | %.1f | %s |' % (
            step.lab, step.id, step.measured, step.predicted, 100 * error(step), step.roofline, step.replay, step.bound))
    return '\n'.join(lines)


def compared(gpulab, path, labs):
    """The steps of the table that the models predict."""
    recorded = collections.defaultdict(list)
    for row in results.read(path):
        recorded['%02d' % int(row['lab'])].append(row)
    for number, rows in sorted(recorded.items()):
        lab = glob.glob(os.path.join(ROOT, 'labs', number + '-*.lua'))
        if lab and (not labs or number in labs):
            found = predicted(gpulab, lab[0], path)
            yield from (step_of(row, found[row['step']]) for row in rows if row['step'] in found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gpulab')
    parser.add_argument('table', nargs='?', default=os.path.join(ROOT, 'docs', 'records', 'results', 'h200.tsv'))
    parser.add_argument('labs', nargs='*')
    own = parser.parse_args()
    path = os.path.abspath(own.table)
    steps = list(compared(os.path.abspath(own.gpulab), path, own.labs))
    if not steps:
        print('skipped: no results in %s' % path)
        sys.exit(77)
    stalls = {(row['lab'], row['step']): row['reason'] for row in results.read(path.replace('.tsv', '-stalls.tsv'))}
    print('| lab | step | measured us | predicted us | | bound | roofline | replay | stall | measured |\n|---|---|---|---|---|---|---|---|---|---|')
    reasons = []
    for step in steps:
        top = stalls.get((str(int(step.lab)), step.id), '')
        if top and step.stall:
            reasons.append(top == step.stall)
        print('| %s | %s | %.1f | %.1f | %+.0f %% | %s | %.1f | %.1f | %s | %s |' % (
            step.lab, step.id, step.measured, step.predicted, 100 * error(step), step.bound, step.roofline, step.replay, step.stall, top))
    print('\n' + tables(steps))
    if reasons:
        print('\nMost frequent stall reason as Nsight Compute measured it: %d of %d.' % (sum(reasons), len(reasons)))
    near = sum(abs(error(step)) <= 0.25 for step in steps) / len(steps)
    sys.exit(near < SHARE or sum(reasons) < AGREE * len(reasons))


if __name__ == '__main__':
    main()
