#!/usr/bin/env python3
"""gpulab's times beside Nsight Compute's gpu__time_duration, and beside themselves.

    timing.py GPULAB [PROCESSES]

Each kernel of timing.lua is timed ten times over in one process and once in each of PROCESSES (default 10) others, and
launched seven times under the profiler. Prints a table; ends with 1 if a median is further than 3 % from the profiler's, if
repeats in one process spread over more than 1 % (largest over smallest), or processes over more than 1 % and 0.25 us, which
is what a process adds to a time whatever the kernel (docs/reference/measuring.md); with 77 where there is no GPU or no profiler."""
import csv
import io
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, 'timing.lua')
METRIC = 'gpu__time_duration.sum'
LAUNCHES = 7  # of each kernel, by timing.lua, under the profiler
AGREES, SPREADS, PROCESS_MS = 0.03, 0.01, 0.25e-3


def give_up(why):
    print('skipped: ' + why)
    sys.exit(77)


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more})
    if done.returncode == 5:
        give_up(done.stderr.strip())
    if done.returncode:
        sys.exit('%s\n%s%s' % (' '.join(command), done.stdout, done.stderr))
    return done.stdout


def times(gpulab, mode):
    """(kernel, n) -> records, in order."""
    found = {}
    for line in run([gpulab, '--device', 'cuda:0', SCRIPT, mode]).splitlines():
        record = json.loads(line)
        found.setdefault((record['kernel'], record['n']), []).append(record)
    return found


def profiled(gpulab, kernels):
    """Medians in ms, in the order of the launches: LAUNCHES of each of so many kernels."""
    out = run([shutil.which('ncu'), '--clock-control', 'none', '--target-processes', 'all', '--metrics', METRIC, '--csv',
               '--print-units', 'base', gpulab, '--device', 'cuda:0', SCRIPT, 'once'], GPULAB_SANDBOX='off')
    table = out[out.index('"ID"'):] if '"ID"' in out else ''
    values = [float(row['Metric Value'].replace(',', '')) * 1e-6
              for row in csv.DictReader(io.StringIO(table)) if row['Metric Name'] == METRIC]
    if len(values) != LAUNCHES * kernels:
        sys.exit('the profiler saw %d kernels of %d' % (len(values) // LAUNCHES, kernels)
                 + (', and %d launches' % (len(values) % LAUNCHES) if len(values) % LAUNCHES else ''))
    return [statistics.median(values[i:i + LAUNCHES]) for i in range(0, len(values), LAUNCHES)]


def main():
    gpulab, processes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    within = times(gpulab, 'repeat')
    over = {}
    for _ in range(processes):
        for key, records in times(gpulab, 'times').items():
            over.setdefault(key, []).extend(records)
    theirs = profiled(gpulab, len(within)) if shutil.which('ncu') else [None] * len(within)
    missed, wide = [], []
    print('%-15s %5s %9s %9s %7s %8s %8s %8s %6s' %
          ('kernel', 'n', 'gpulab us', 'ncu us', 'differ', 'in one', 'between', 'hot', 'taken'))
    for key, reference in zip(within, theirs):
        ours = [r['ms'] for r in over[key]]
        alike = [r['ms'] for r in within[key]]
        median = statistics.median(ours + alike)
        differ = median / reference - 1 if reference else 0
        spread, between = max(alike) / min(alike) - 1, max(ours) / min(ours) - 1
        hot = [r['hot'] for r in over[key] if r.get('hot')]  # between processes too, but with the data in the L2
        print('%-15s %5d %9.3f %9s %6.1f%% %7.2f%% %7.2f%% %8s %6d' %
              (key[0], key[1], median * 1e3, '%.3f' % (reference * 1e3) if reference else '-', 100 * differ, 100 * spread,
               100 * between, '%.2f%%' % (100 * (max(hot) / min(hot) - 1)) if hot else '-', within[key][0]['samples']))
        apart = between > SPREADS
        if apart:
            wide.append('%s n=%d' % key)
        if abs(differ) > AGREES or spread > SPREADS or apart and max(ours) - min(ours) > PROCESS_MS:
            missed.append('%s n=%d' % key)
    print('events around nothing: %.3f us' % (1e3 * within[next(iter(within))][0]['overhead']))
    if wide:
        print('more than 1 %% between processes: %s' % ', '.join(wide))
    if missed:
        print('missed: ' + ', '.join(missed))
    if theirs[0] is None and not missed:
        give_up('no ncu to compare with')
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
