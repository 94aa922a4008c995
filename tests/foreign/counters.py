#!/usr/bin/env python3
"""The emulator's counters beside Nsight Compute's, for the kernels of whole programs of public repositories. By hand:

    tests/foreign/counters.py GPULAB FOLDER --pack OUT [--only TEXT]       OUT/run profiles the programs on a GPU, into the folder $1
    tests/foreign/counters.py GPULAB FOLDER --compare OUT [--again OUT2] [--only TEXT]    the launches here against the profiles in OUT

FOLDER is that of programs.py, which has the programs. Of each kernel the counters of all its launches together are compared: sectors
of global loads and stores, wavefronts of shared loads and stores. A program is left out if it does not end here in time, and a kernel
if the profiler saw fewer launches. It looks at the first 16 of a kernel: these stand for more if they are alike and of one shape.
A pair that differs is named with the families behind it: what gpulab exec says of it, what the program's SASS has, and its PTX (needs
cuobjdump). What has none is listed as such, and the last line has how many of them gpulab exec does not name. OUT2 has profiles of a
second run: a pair that differs between the two depends on an order that no GPU repeats, and what the kernels after it count may follow
from its results."""
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
OF_A_KERNEL = 16  # that the profiler looks at, the first ones


def under_profiler(name, words):
    return (f'timeout 45 ncu --csv --print-units base --clock-control none --target-processes all --print-kernel-base mangled '
            f"--kernel-name-base mangled --kernel-id ':::^([1-9]|1[0-6])$' "
            f'--launch-count {LAUNCHES} --metrics {",".join(METRICS.values())} --log-file "$out/{name}.csv" '
            f'./programs/{name} {words} >/dev/null 2>&1 </dev/null')


def profiled(path, metrics=tuple(METRICS.values())):
    """{kernel: [{metric: value} of each launch that the profiler saw]}"""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    start = text.find('"ID"')
    kernels = {}
    for row in csv.DictReader(io.StringIO(text[start:])) if start >= 0 else ():
        value = (row.get('Metric Value') or '').replace(',', '')
        if row.get('Metric Name') not in metrics or not re.match(r'^[\d.]+$', value):
            continue
        kernels.setdefault(row['Kernel Name'], {}).setdefault(row['ID'], {})[row['Metric Name']] = int(float(value))
    return {kernel: [launch for launch in launches.values() if len(launch) == len(metrics)] for kernel, launches in kernels.items()}


def sums_of(seen, launches, shapes):
    """{metric: sum} of a kernel's launches. If there are more here than the profiler looks at: those that it saw for all, provided
    they are alike, and the kernel has one shape of launch. Else None."""
    if len(seen) == launches:
        return {metric: sum(launch[metric] for launch in seen) for metric in METRICS.values()}
    if not OF_A_KERNEL <= len(seen) < launches or shapes > 1 or any(launch != seen[0] for launch in seen):
        return None
    return {metric: value * launches for metric, value in seen[0].items()}


def counted(program, options):
    """{kernel: (launches, counters, {counter: [what exec says of it]}, shapes)} of the run by programs.py, or why there is none."""
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
        row = sums.setdefault(kernel['linked'], [0, {}, {}, 0])
        _, counters, names, _ = row
        row[0] += kernel['launches']
        row[3] += 1
        said = [(counter, entry['cause']) for entry in kernel.get('depends', ()) for counter in METRICS]
        said += [(entry['counter'], 'accesses in SASS: ' + entry['accesses']) for entry in kernel.get('fused', ())]
        for counter, name in said:
            if name not in names.setdefault(counter, []):
                names[counter].append(name)
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


def family(program, kernel, counter, said, options, cache):
    """The families behind a difference: what exec says of the counter, and what the SASS has."""
    names = ['named: ' + ', '.join(said)] if said else []
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


# --- all of them -----------------------------------------------------------------------------------------------------------------

class Tally:
    def __init__(self):
        self.kernels = self.pairs = self.equal = self.twice = self.twice_equal = 0
        self.behind = {}
        self.unnamed = 0  # of the pairs that differ: exec says nothing of them

    def add(self, same, repeated):
        self.pairs += 1
        self.equal += same
        self.twice += repeated
        self.twice_equal += same and repeated

    def name(self, kind, said):
        kind = re.sub(r'(accesses in SASS): .*? in the PTX(?: it is before it| they are before it)?', r'\1', kind)
        self.behind[kind] = self.behind.get(kind, 0) + 1
        self.unnamed += not said

    def report(self):
        print(f'\n{self.kernels} kernels, {self.pairs} pairs that are not both zero, {self.equal} equal ({share(self.equal, self.pairs)}); '
              f'of {self.twice} that are the same in two profiles {self.twice_equal} ({share(self.twice_equal, self.twice)})')
        for why, count in sorted(self.behind.items(), key=lambda item: -item[1]):
            print(f'{count:5} {why}')
        print(f'{self.pairs - self.equal} pairs differ, {self.unnamed} of them are not named by exec')


def share(part, whole_):
    return f'{100 * part / max(whole_, 1):.1f} %'


def compare_program(program, ours, options, tally, cache):
    theirs = profiled(f'{options.compare}/{whole.name_of(program)}.csv')
    again, steady = profiled_again(program, options), True
    if isinstance(ours, str) or not theirs:
        print(f'{program.label():44} left out: {ours if isinstance(ours, str) else "nothing was profiled"}', flush=True)
        return
    for kernel, (launches, counters, names, shapes) in ours.items():
        seen = theirs.get(kernel, ())
        sums, second = sums_of(seen, launches, shapes), sums_of(again.get(kernel, ()), launches, shapes)
        if not sums:
            print(f'{program.label():44} {kernel[:40]}: {launches} launches here, {len(seen)} profiled', flush=True)
            continue
        tally.kernels += 1
        was_steady, steady = steady, steady and (not second or second == sums)
        for counter, metric in METRICS.items():
            here, there = counters[counter], sums[metric]
            if not here and not there:
                continue
            tally.add(here == there, second is not None and second[metric] == there)
            if here != there:
                said = names.get(counter, ())
                kind = why = family(program, kernel, counter, said, options, cache)
                if second and second[metric] != there:
                    kind, why = NOT_REPEATED, f'{NOT_REPEATED}: {second[metric]} in the second profile ({why})'
                elif not was_steady:
                    kind, why = AFTER, f'{AFTER} ({why})'
                tally.name(kind, said)
                print(f'{program.label():44} {kernel[:40]:40} {counter:24} {here:12} {there:12}  {why}', flush=True)


def compare(chosen, options):
    tally, cache = Tally(), {}
    wanted = [program for program in chosen if os.path.exists(f'{options.compare}/{whole.name_of(program)}.csv')]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, ours in zip(wanted, pool.map(lambda program: counted(program, options), wanted)):
            compare_program(program, ours, options, tally, cache)
    tally.report()


def main():
    parser = whole.arguments()
    parser.add_argument('--pack')
    parser.add_argument('--compare')
    parser.add_argument('--again')
    parser.set_defaults(check=None)
    options = parser.parse_args()
    options.folder, options.gpulab = os.path.abspath(options.folder), os.path.abspath(options.gpulab)
    chosen = [program for program in whole.all_programs(options.folder) if re.search(options.only, program.label())]
    if options.pack:
        return whole.pack(chosen, options, under_profiler)
    if options.compare:
        return compare(chosen, options)
    parser.error('--pack or --compare')


if __name__ == '__main__':
    sys.exit(main())
