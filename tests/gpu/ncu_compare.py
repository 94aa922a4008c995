#!/usr/bin/env python3
"""The emulator's counters beside Nsight Compute's, to the unit, for every step of a lab on a GPU.

    ncu_compare.py GPULAB [LAB.lua] [gpulab options]      default: lab 3

Each step runs once under the profiler, which reads the hardware's counters of its first launch; the same step's JSON has the
emulator's. Prints a table and ends with 1 if any pair differs, with 77 where there is no GPU or no profiler."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
METRICS = {  # gpulab's counter: Nsight Compute's metric (docs/counters.md)
    'global_load_sectors': 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
    'global_store_sectors': 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum',
    'shared_load_wavefronts': 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
    'shared_store_wavefronts': 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum',
}


def give_up(why):
    print('skipped: ' + why)
    sys.exit(77)


def emulated(gpulab, lab, options):
    """The lab's steps, as the emulator counts them."""
    done = subprocess.run([gpulab, '--device', 'emu', '--json', '-', *options, lab], capture_output=True, check=False)
    if done.returncode not in (0, 3, 7):
        sys.exit('gpulab ended with %d: %s' % (done.returncode, done.stderr.decode()))
    return json.loads(done.stdout)['steps']


def profiled(gpulab, lab, options, step):
    """Metric -> value of the step's first launch on the GPU."""
    base = re.match(r'\w+', step['kernel']).group(0)
    done = subprocess.run(
        ['ncu', '--clock-control', 'none', '--csv', '--target-processes', 'all', '--launch-count', '1',
         '--kernel-name', base, '--metrics', ','.join(METRICS.values()),
         gpulab, '--device', 'cuda:0', '--batch', '--step', step['id'], *options, lab],
        capture_output=True, check=False, timeout=300)
    text = done.stdout.decode()
    start = text.find('"ID"')
    if start < 0:
        give_up('the profiler measured nothing: ' + (text + done.stderr.decode())[-600:])
    values = {}
    for row in csv.DictReader(io.StringIO(text[start:])):
        if row.get('Metric Name') in METRICS.values():
            values[row['Metric Name']] = int(float(row['Metric Value'].replace(',', '')))
    return values


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gpulab, rest = os.path.abspath(sys.argv[1]), sys.argv[2:]
    lab = rest.pop(0) if rest and rest[0].endswith('.lua') else os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')
    if not shutil.which('ncu'):
        give_up('no Nsight Compute (ncu) on the PATH')
    differences = pairs = 0
    print('%-12s %-24s %14s %14s' % ('step', 'counter', 'emulator', 'ncu'))
    for step in emulated(gpulab, lab, rest):
        hardware = profiled(gpulab, lab, rest, step)
        for counter, metric in METRICS.items():
            ours, theirs = step['counters'].get(counter, 0), hardware.get(metric)
            same = ours == theirs
            pairs += 1
            differences += not same
            print('%-12s %-24s %14d %14s%s' % (step['id'], counter, ours, theirs, '' if same else '   DIFFERS'))
    print('%d pairs, %d differ' % (pairs, differences))
    return 1 if differences else 0


if __name__ == '__main__':
    sys.exit(main())
