#!/usr/bin/env python3
"""Predicted times beside measured ones, for the kernels of whole programs of public repositories. By hand:

    tests/foreign/programs.py - FOLDER --build [--only TEXT]                     builds them, where nvcc is
    tests/foreign/times.py - FOLDER --pack OUT [--only TEXT]                     OUT/run times them on a GPU, into the folder $1
    tests/foreign/times.py GPULAB FOLDER --compare OUT [--gpu NAME] [--only TEXT]    the predictions here against the times in OUT

FOLDER is that of programs.py, which has the programs. Times are Nsight Compute's (gpu__time_duration), with caches that are
flushed before each launch and the clock that the GPU chooses; predictions are those of gpulab exec --model. Of each kernel the
launches together are compared; those whose prediction says that it leaves out printf, or what managed memory takes, apart. The
profiler looks at the first 16: these stand for more if they are alike and of one shape. A program is left out if it does not
end here in time, and a kernel if the profiler saw fewer launches or there is no prediction.

No rule or constant of the models was chosen in view of the programs that `held_out` names, but for those that
docs/reference/models.md says were looked into; what was, may be from the others."""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import re
import subprocess
import sys

import counters
import programs as whole

METRIC = 'gpu__time_duration.sum'  # ns
ALIKE = 0.1  # by which times of launches may differ that stand for more
SECONDS = 30


def under_profiler(name, words):
    return (f'test -s "$out/{name}.csv" || timeout {SECONDS} ncu --csv --print-units base --clock-control none --target-processes all '
            f"--print-kernel-base mangled --kernel-name-base mangled --kernel-id ':::^([1-9]|1[0-6])$' "
            f'--launch-count {counters.LAUNCHES} --metrics {METRIC} --log-file "$out/{name}.csv" '
            f'./programs/{name} {words} >/dev/null 2>&1 </dev/null')


def held_out(program):
    """One in two, by name."""
    return hashlib.sha256(program.label().encode()).digest()[0] % 2 == 0


def time_of(seen, launches, shapes):
    """Microseconds of all launches of a kernel, as far as the profiler's are known to stand for them; else None."""
    times = [launch[METRIC] / 1e3 for launch in seen]
    if len(times) == launches:
        return sum(times)
    if not counters.OF_A_KERNEL <= len(times) < launches or shapes > 1 or max(times) > (1 + ALIKE) * min(times):
        return None
    return sum(times) / len(times) * launches


def predicted(program, options):
    """{kernel: (launches, us or None, limit, shapes, whether a part of the time is left out)}, or why there is none."""
    path, problem = whole.build(program, options.folder)
    if problem:
        return problem
    base = os.path.join(options.folder, 'predicted', options.gpu.replace(' ', '-'), program.repository)
    os.makedirs(base, exist_ok=True)
    document = f'{base}/{program.name}.json'
    if not os.path.exists(document):
        command = ['nice', options.gpulab, 'exec', '--model', options.gpu, '--json', document, path, *program.words]
        try:
            subprocess.run(command, cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=options.seconds, check=False)
        except subprocess.TimeoutExpired:
            open(document, 'w', encoding='utf-8').close()
    try:
        with open(document, encoding='utf-8') as file:
            kernels = json.load(file)['kernels']
    except (OSError, ValueError, KeyError):
        return 'takes too long here'
    sums = {}
    for kernel in kernels:
        model = next((m for m in kernel.get('models', ()) if m['gpu'] == options.gpu), None)
        launches, us, _, shapes, part = sums.get(kernel['linked'], (0, 0, '', 0, False))
        us = None if us is None or not model else us + 1e3 * model['ms']
        part = part or bool(model and 'without' in model.get('note', ''))
        sums[kernel['linked']] = launches + kernel['launches'], us, model and model['bound'], shapes + 1, part
    return sums


# --- all of them -----------------------------------------------------------------------------------------------------------------

class Row:
    def __init__(self, program, kernel, launches, measured, ours, limit, part):
        self.program, self.kernel, self.launches, self.measured, self.predicted, self.limit, self.part = (
            program, kernel, launches, measured, ours, limit, part)
        self.error = ours / measured - 1

    def __str__(self):
        each = self.measured / self.launches
        return (f'{self.program.label():40} {self.kernel[:44]:44} {self.launches:6} {each:10.2f} '
                f'{self.predicted / self.launches:10.2f} {100 * self.error:+7.0f} %  {"held out" if held_out(self.program) else "":8}  {self.limit}')


def rows_of(program, ours, theirs):
    for kernel, (launches, us, limit, shapes, part) in ours.items():
        measured = time_of(theirs.get(kernel, ()), launches, shapes)
        if measured and us:
            yield Row(program, kernel, launches, measured, us, limit, part)


def summary(name, rows):
    if not rows:
        return
    errors = sorted(abs(row.error) for row in rows)
    rms = math.sqrt(sum(error * error for error in errors) / len(errors))
    logs = math.sqrt(sum(math.log(1 + row.error) ** 2 for row in rows) / len(rows))
    within = sum(error <= 0.25 for error in errors)
    print(f'{name:28} {len(rows):4} kernels, {100 * within / len(rows):3.0f} % within 25 %, median {100 * errors[len(errors) // 2]:.0f} %, '
          f'RMS {100 * rms:.0f} %, of the logarithm {logs:.2f}')


def kind_of(row):
    return re.sub(r' at \d+ warps?', '', row.limit)


def report(rows):
    for row in sorted(rows, key=lambda row: row.error):
        print(row)
    print()
    summary('printf, managed memory', [row for row in rows if row.part])
    rows = [row for row in rows if not row.part]
    longer = [row for row in rows if row.measured / row.launches >= 10]
    for name, some in (('all', rows), ('from 10 us', longer)):
        summary(name, some)
        summary(name + ', held out', [row for row in some if held_out(row.program)])
        summary(name + ', others', [row for row in some if not held_out(row.program)])
    for limit in sorted({kind_of(row) for row in rows}):
        summary(limit, [row for row in rows if kind_of(row) == limit])


def compare(chosen, options):
    profiles = {program: f'{options.compare}/{whole.name_of(program)}.csv' for program in chosen}
    wanted = [program for program in chosen if os.path.exists(profiles[program])]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, ours in zip(wanted, pool.map(lambda program: predicted(program, options), wanted)):
            theirs = counters.profiled(profiles[program], [METRIC])
            if isinstance(ours, str) or not theirs:
                print(f'{program.label():40} left out: {ours if isinstance(ours, str) else "nothing was timed"}', flush=True)
                continue
            rows += rows_of(program, ours, theirs)
    report(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gpulab')
    parser.add_argument('folder')
    parser.add_argument('--only', default='')
    parser.add_argument('--gpu', default='H200')
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--pack')
    parser.add_argument('--compare')
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
