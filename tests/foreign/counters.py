#!/usr/bin/env python3
"""The emulator's counters beside Nsight Compute's, for the kernels of whole programs of public repositories. By hand:

    tests/foreign/counters.py GPULAB FOLDER --pack OUT [--only TEXT]       OUT/run profiles the programs on a GPU, into the folder $1
    tests/foreign/counters.py GPULAB FOLDER --compare OUT [--again OUT2] [--only TEXT]    the launches here against the profiles in OUT

FOLDER is that of programs.py, which has the programs. Of each kernel the counters of all its launches together are compared: sectors
of global loads and stores, wavefronts of shared loads and stores. A program is left out if it does not end here in time or the
profiler did not see as many launches of a kernel. A pair that differs is named with the families behind it: what gpulab exec says
of it, what the program's SASS has, and its PTX (needs cuobjdump). What has none is listed as such. OUT2 has
profiles of a second run: a pair that differs between the two depends on an order that no GPU repeats, and what the kernels after it
count follows from its results."""
import argparse
import concurrent.futures
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

import programs as whole

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'gpu'))
from ncu_compare import METRICS  # noqa: E402

LAUNCHES = 400  # at most, of a program


def under_profiler(name, words):
    return (f'timeout 45 ncu --csv --print-units base --clock-control none --target-processes all --print-kernel-base mangled '
            f'--launch-count {LAUNCHES} --metrics {",".join(METRICS.values())} --log-file "$out/{name}.csv" '
            f'./programs/{name} {words} >/dev/null 2>&1 </dev/null')


def profiled(path):
    """{kernel: (launches, {metric: sum})}"""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    start = text.find('"ID"')
    kernels = {}
    for row in csv.DictReader(io.StringIO(text[start:])) if start >= 0 else ():
        value = (row.get('Metric Value') or '').replace(',', '')
        if row.get('Metric Name') not in METRICS.values() or not re.match(r'^[\d.]+$', value):
            continue
        seen, sums = kernels.setdefault(row['Kernel Name'], (set(), {}))
        seen.add(row['ID'])
        sums[row['Metric Name']] = sums.get(row['Metric Name'], 0) + int(float(value))
    return {kernel: (len(seen), sums) for kernel, (seen, sums) in kernels.items()}


def counted(program, options):
    """{kernel: (launches, counters, {counter: what exec says of it})} of the run by programs.py, or why there is none."""
    path, problem = whole.build(program, options.folder)
    if problem:
        return problem
    output = os.path.join(options.folder, 'output', program.repository, program.name + '.json')
    if not os.path.exists(output):
        _, said, _ = whole.run(program, options)
        if not os.path.exists(output):
            return said
    try:
        with open(output, encoding='utf-8') as file:
            kernels = json.load(file)['kernels']
    except (OSError, ValueError, KeyError):
        return 'takes too long here'
    sums = {}
    for kernel in kernels:  # one entry per shape of launch
        launches, counters, fused = sums.setdefault(kernel['linked'], [0, {}, {}])
        sums[kernel['linked']][0] = launches + kernel['launches']
        fused.update({counter: 'named: ' + entry['cause'] for entry in kernel.get('depends', ()) for counter in entry['counters']})
        fused.update({entry['counter']: 'accesses that ptxas joined: ' + entry['accesses'] for entry in kernel.get('fused', ())})
        for name in METRICS:
            counters[name] = counters.get(name, 0) + kernel['counters'].get(name, 0)
    return {kernel: tuple(row) for kernel, row in sums.items()}


# --- what stands behind a difference ---------------------------------------------------------------------------------------------

FAMILIES = (  # what the SASS of a kernel has, and which counters it moves
    ('asynchronous copies', r'\b(LDGSTS|UBLKCP|UTMALDG)\b', 'shared_store_wavefronts'),
    ('shared atomics', r'\bATOMS\b', 'shared_load_wavefronts shared_store_wavefronts'),
    ('matrices of a warp', r'\b(LDSM|HMMA|IMMA|DMMA|STSM)\b', 'shared_load_wavefronts shared_store_wavefronts global_load_sectors'),
    ('printf and malloc', r'\b(vprintf|malloc)\b', 'global_store_sectors global_load_sectors'),
    ('blocks that poll what others store', r'\bLD(G)?\.[\w.]*STRONG\.(GPU|SYS)', 'global_load_sectors'),
    ('addresses that follow from the order of atomics', r'\bATOMG?\.', 'global_store_sectors global_load_sectors'),
)


def machine_code(path, cache):
    """{kernel: (PTX, SASS for an H200)} of a program."""
    if path not in cache:
        code = {}
        for option, head in ('-ptx', r'\.entry\s+'), ('-sass', r'Function : '):
            text = subprocess.run(['cuobjdump', option, path], capture_output=True, text=True, check=False).stdout
            code[option] = {re.match(r'[\w$]+', part)[0]: part for part in re.split(head, text)[1:]}
        cache[path] = {kernel: (ptx.partition('\n}\n')[0], code['-sass'].get(kernel, '')) for kernel, ptx in code['-ptx'].items()}
    return cache[path]


def family(program, kernel, counter, fused, options, cache):
    """The families behind a difference: what exec says of fused accesses, and what the SASS has."""
    names = [fused[counter]] if counter in fused else []
    if not shutil.which('cuobjdump'):
        return ', '.join(names) or 'family unknown: no disassembler'
    ptx, code = machine_code(os.path.join(options.folder, 'built', program.repository, program.name), cache).get(kernel, ('', ''))
    names += [name for name, pattern, counters in FAMILIES if counter in counters.split() and re.search(pattern, code + ptx)]
    return ', '.join(names) or 'no family'


NOT_REPEATED = 'no GPU repeats it'
AFTER = 'follows from what no GPU repeats'


def profiled_again(program, options):
    path = f'{options.again}/{whole.name_of(program)}.csv'
    return profiled(path) if options.again and os.path.exists(path) else {}


def repeats(theirs, again, kernel):
    """Whether both profiles of a kernel say the same of every metric; so, too, if there is no second one."""
    return kernel not in again or kernel not in theirs or again[kernel] == theirs[kernel]


# --- all of them -----------------------------------------------------------------------------------------------------------------

def compare(chosen, options):
    pairs = equal = kernels = 0
    behind, cache = {}, {}
    wanted = [program for program in chosen if os.path.exists(f'{options.compare}/{whole.name_of(program)}.csv')]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, ours in zip(wanted, pool.map(lambda program: counted(program, options), wanted)):
            theirs = profiled(f'{options.compare}/{whole.name_of(program)}.csv')
            again, steady = profiled_again(program, options), True
            if isinstance(ours, str) or not theirs:
                print(f'{program.label():44} left out: {ours if isinstance(ours, str) else "nothing was profiled"}', flush=True)
                continue
            for kernel, (launches, counters, fused) in ours.items():
                if kernel not in theirs or theirs[kernel][0] != launches:
                    print(f'{program.label():44} {kernel[:40]}: {launches} launches here, {theirs.get(kernel, (0,))[0]} profiled', flush=True)
                    continue
                kernels += 1
                was_steady, steady = steady, steady and repeats(theirs, again, kernel)
                for counter, metric in METRICS.items():
                    here, there = counters[counter], theirs[kernel][1].get(metric, 0)
                    if not here and not there:
                        continue
                    pairs += 1
                    equal += here == there
                    if here != there:
                        why = family(program, kernel, counter, fused, options, cache)
                        if kernel in again and again[kernel][1].get(metric, 0) != there:
                            why = f'{NOT_REPEATED}: {again[kernel][1].get(metric, 0)} in the second profile ({why})'
                        elif not was_steady:
                            why = AFTER
                        kind = re.sub(r': [^,]*(, \d+ \S+)* in SASS, \d+ in the PTX|: \d+ in the second profile.*', '', why)
                        behind[kind] = behind.get(kind, 0) + 1
                        print(f'{program.label():44} {kernel[:40]:40} {counter:24} {here:12} {there:12}  {why}', flush=True)
    print(f'\n{kernels} kernels, {pairs} pairs that are not both zero, {equal} equal ({100 * equal / max(pairs, 1):.1f} %)')
    for why, count in sorted(behind.items(), key=lambda item: -item[1]):
        print(f'{count:5} {why}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gpulab')
    parser.add_argument('folder')
    parser.add_argument('--only', default='')
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--pack')
    parser.add_argument('--compare')
    parser.add_argument('--again')
    parser.set_defaults(check=None)
    options = parser.parse_args()
    options.folder, options.gpulab = os.path.abspath(options.folder), os.path.abspath(options.gpulab)
    chosen = [program for repository, find in whole.REPOSITORIES.items() for program in find(whole.checkout(options.folder, repository))
              if re.search(options.only, program.label())]
    if options.pack:
        return whole.pack(chosen, options, under_profiler)
    if options.compare:
        return compare(chosen, options)
    parser.error('--pack or --compare')


if __name__ == '__main__':
    sys.exit(main())
