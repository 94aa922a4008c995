#!/usr/bin/env python3
"""The emulator's counters beside Nsight Compute's, to the unit, for every step of labs that launches kernels of its own.

    ncu_compare.py GPULAB [LAB.lua...] [name=value...] [--seen TABLE]      default: all labs

Each lab runs once under the profiler, which reads the hardware's counters of every launch; the emulator counts the same
launches with the same parameters. Prints a table and ends with 1 if a pair differs that is not explained or named, with 77
where there is no GPU or no profiler. --seen: the hardware's numbers are those of a table that this script printed before, so that no GPU is needed.

"explained" stands by a pair that differs because the assembler has made wide loads of neighbouring words out of several of
the PTX, if the machine code, disassembled, says to the unit what the hardware counted (docs/reference/counters.md). That needs nvdisasm.
"named" stands by a pair that differs and of which gpulab says that it depends on order or time, with the cause."""
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(HERE, 'counters.lua')
METRICS = {  # gpulab's counter: Nsight Compute's metric (docs/reference/counters.md)
    'global_load_sectors': 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
    'global_store_sectors': 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum',
    'shared_load_wavefronts': 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
    'shared_store_wavefronts': 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum',
}


def give_up(why):
    print('skipped: ' + why)
    sys.exit(77)


def rows_of(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith('{')]


def counted(gpulab, lab, settings):
    """The lab's steps, as the emulator counts them."""
    done = subprocess.run([gpulab, '--device', 'emu', SCRIPT, lab, 'count', *settings], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit('%s: gpulab ended with %d: %s' % (lab, done.returncode, done.stderr))
    return rows_of(done.stdout)


def profiled(gpulab, lab, settings):
    """A dictionary of metric -> value for each launch, in order."""
    done = subprocess.run(
        [shutil.which('ncu'), '--clock-control', 'none', '--csv', '--print-units', 'base', '--target-processes', 'all',
         '--metrics', ','.join(METRICS.values()), gpulab, '--device', 'cuda:0', SCRIPT, lab, 'run', *settings],
        capture_output=True, text=True, check=False, env={**os.environ, 'GPULAB_SANDBOX': 'off'})
    start = done.stdout.find('"ID"')
    if start < 0:
        give_up('the profiler measured nothing: ' + (done.stdout + done.stderr)[-600:])
    launches = {}
    for row in csv.DictReader(io.StringIO(done.stdout[start:])):
        if row.get('Metric Name') in METRICS.values():
            values = launches.setdefault(row['ID'], {})
            values[row['Metric Name']] = int(float(row['Metric Value'].replace(',', '')))
    return list(launches.values())


def seen_before(path, steps):
    """As profiled, from a table: all that a step counted is given to its first launch."""
    with open(path, encoding='utf-8') as f:
        rows = re.findall(r'^(\S+) +(\w+) +(\d+) +(\d+)(?= |$)', f.read(), re.M)
    known = {(step, counter): int(value) for step, counter, _, value in rows}
    launches = []
    for step in steps:
        found = {METRICS[counter]: known.get((step['id'], counter), 0) for counter in METRICS}
        launches += [found] + [{}] * (step['launches'] - 1)
    return launches


def verdict(step, counter, ours, theirs):
    """What stands behind a pair."""
    if ours == theirs:
        return ''
    fused = step.get('fused')
    if counter == 'shared_load_wavefronts' and fused and fused['wavefronts'] == theirs:
        return '   explained\n    fused loads: ' + fused['text']
    causes = [entry['cause'] for entry in step.get('depends', ())]
    return '   named: ' + ', '.join(causes) if causes else '   DIFFERS'


def compare(gpulab, lab, settings, seen):
    """Pairs compared, pairs that differ, and how many of them are explained, and named."""
    steps = counted(gpulab, lab, settings)
    launches = seen_before(seen, steps) if seen else profiled(gpulab, lab, settings)
    wanted = sum(step['launches'] for step in steps)
    print('\n%s: %d steps, %d launches' % (os.path.basename(lab), len(steps), wanted))
    if len(launches) != wanted:
        print('the profiler saw %d launches' % len(launches))
        return 1, 1, 0, 0
    pairs = differences = explained = named = at = 0
    for step in steps:
        hardware = launches[at:at + step['launches']]
        at += step['launches']
        for counter, metric in METRICS.items():
            ours, theirs = step['counters'].get(counter, 0), sum(values.get(metric, 0) for values in hardware)
            pairs += 1
            said = verdict(step, counter, ours, theirs)
            differences += ours != theirs
            explained += 'explained' in said
            named += 'named: ' in said
            if ours or theirs:
                print('%-12s %-24s %14d %14d%s' % (step['id'], counter, ours, theirs, said))
    return pairs, differences, explained, named


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gpulab, rest = os.path.abspath(sys.argv[1]), sys.argv[2:]
    seen = None
    if '--seen' in rest[:-1]:
        at = rest.index('--seen')
        seen = rest[at + 1]
        del rest[at:at + 2]
    settings = [word for word in rest if '=' in word]
    labs = [word for word in rest if '=' not in word] or sorted(glob.glob(os.path.join(ROOT, 'labs', '[0-9]*.lua')))
    if not seen and not shutil.which('ncu'):
        give_up('no Nsight Compute (ncu) on the PATH')
    print('%-12s %-24s %14s %14s' % ('step', 'counter', 'emulator', 'ncu'))
    pairs, differences, explained, named = (
        sum(column) for column in zip(*(compare(gpulab, os.path.abspath(lab), settings, seen) for lab in labs)))
    print('\n%d pairs, %d differ%s%s' % (pairs, differences, ', %d of them explained' % explained if explained else '',
                                        ', %d of them named as dependent on order or time' % named if named else ''))
    return 1 if differences > explained + named else 0


if __name__ == '__main__':
    sys.exit(main())
