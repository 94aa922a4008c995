#!/usr/bin/env python3
"""The emulator's counters beside Nsight Compute's, for the kernels of whole programs in any folder:

    tests/foreign/counters.py GPULAB FOLDER --pack OUT                        OUT/run profiles the programs on a GPU, into the folder $1
    tests/foreign/counters.py GPULAB FOLDER --compare OUT [--again OUT2]      the launches here against the profiles in OUT

programs.py says what a program is, and has more options. Of each kernel the counters of all its launches together are compared:
sectors of global loads and stores, wavefronts of shared loads and stores. A program is left out if it does not end here in time, and a
kernel if the profiler saw fewer launches. It looks at the first 16 of a kernel: these stand for more if they are alike and of one
shape. A pair that differs is printed with what gpulab exec says of it; the last line has how many it does not name. OUT2 has profiles
of a second run: a pair that differs between the two depends on an order that no GPU repeats, and what the kernels after it count may
follow from its results."""
import csv
import io
import json
import os
import re
import sys

import programs as P

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
    """{kernel: (launches, counters, {counter: [what exec says of it]}, shapes)} of a run under exec, or why there is none."""
    output = os.path.join(options.to, 'output', P.name_of(program) + '.json')
    if not os.path.exists(output):
        status = P.run_exec(program, options, [])
        if not os.path.exists(output):
            return status if isinstance(status, str) else 'takes too long here'
    try:
        kernels = json.loads(P.read(output))['kernels']
    except (ValueError, KeyError):
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


NOT_REPEATED = 'no GPU repeats it'
AFTER = 'follows from what no GPU repeats'


def profiled_again(program, options):
    path = f'{options.again}/{P.name_of(program)}.csv'
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


def share(part, total):
    return f'{100 * part / max(total, 1):.1f} %'


def compare_program(program, ours, options, tally):
    theirs = profiled(f'{options.compare}/{P.name_of(program)}.csv')
    again, steady = profiled_again(program, options), True
    if isinstance(ours, str) or not theirs:
        print(f'{program.name:44} left out: {ours if isinstance(ours, str) else "nothing was profiled"}', flush=True)
        return
    for kernel, (launches, counters, names, shapes) in ours.items():
        seen = theirs.get(kernel, ())
        sums, second = sums_of(seen, launches, shapes), sums_of(again.get(kernel, ()), launches, shapes)
        if not sums:
            print(f'{program.name:44} {kernel[:40]}: {launches} launches here, {len(seen)} profiled', flush=True)
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
                kind = why = 'named: ' + ', '.join(said) if said else 'not named'
                if second and second[metric] != there:
                    kind, why = NOT_REPEATED, f'{NOT_REPEATED}: {second[metric]} in the second profile ({why})'
                elif not was_steady:
                    kind, why = AFTER, f'{AFTER} ({why})'
                tally.name(kind, said)
                print(f'{program.name:44} {kernel[:40]:40} {counter:24} {here:12} {there:12}  {why}', flush=True)


def compare(programs, options):
    tally = Tally()
    wanted = [program for program in programs if os.path.exists(f'{options.compare}/{P.name_of(program)}.csv')]
    for program, ours in P.each(wanted, options, counted):
        compare_program(program, ours, options, tally)
    tally.report()


if __name__ == '__main__':
    sys.exit(P.beside_gpu(__doc__, under_profiler, compare, '--again'))
