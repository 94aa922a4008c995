#!/usr/bin/env python3
"""Predicted times beside measured ones, for the kernels of whole programs in any folder:

    tests/foreign/times.py GPULAB FOLDER --pack OUT                        OUT/run times them on a GPU, into the folder $1
    tests/foreign/times.py GPULAB FOLDER --compare OUT [--gpu NAME]        the predictions here against the times in OUT

programs.py says what a program is, and has more options. Times are Nsight Compute's (gpu__time_duration), with caches that are flushed
before each launch and the clock that the GPU chooses; predictions are those of gpulab exec --model. Of each kernel the launches together
are compared; those whose prediction says that it leaves out printf, or what managed memory takes, apart. The profiler looks at the
first 16: these stand for more if they are alike and of one shape. A program is left out if it does not end here in time, and a kernel
if the profiler saw fewer launches or there is no prediction. One program in two, by its name, is held out: rules and constants of the
models are to be looked for in the others."""
import hashlib
import json
import math
import os
import re
import sys

import counters
import programs as P

METRIC = 'gpu__time_duration.sum'  # ns
ALIKE = 0.1  # by which times of launches may differ that stand for more
SECONDS, GPU = 30, 'H200'  # GPU: unless another is named


def under_profiler(name, words):
    return (f'test -s "$out/{name}.csv" || timeout {SECONDS} ncu --csv --print-units base --clock-control none --target-processes all '
            f"--print-kernel-base mangled --kernel-name-base mangled --kernel-id ':::^([1-9]|1[0-6])$' "
            f'--launch-count {counters.LAUNCHES} --metrics {METRIC} --log-file "$out/{name}.csv" '
            f'./programs/{name} {words} >/dev/null 2>&1 </dev/null')


def held_out(program):
    """One in two, by name."""
    return hashlib.sha256(program.name.encode()).digest()[0] % 2 == 0


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
    status = P.run_exec(program, options, ['--model', options.gpu or GPU], 'predicted')
    try:
        kernels = json.loads(P.read(os.path.join(options.to, 'predicted', P.name_of(program) + '.json')))['kernels']
    except (OSError, ValueError, KeyError):
        return status if isinstance(status, str) else 'takes too long here'
    sums = {}
    for kernel in kernels:
        model = next((m for m in kernel.get('models', ()) if m['gpu'] == (options.gpu or GPU)), None)
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
        return (f'{self.program.name:40} {self.kernel[:44]:44} {self.launches:6} {each:10.2f} '
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


def compare(programs, options):
    profiles = {program: f'{options.compare}/{P.name_of(program)}.csv' for program in programs}
    rows = []
    for program, ours in P.each([program for program in programs if os.path.exists(profiles[program])], options, predicted):
        theirs = counters.profiled(profiles[program], [METRIC])
        if isinstance(ours, str) or not theirs:
            print(f'{program.name:40} left out: {ours if isinstance(ours, str) else "nothing was timed"}', flush=True)
            continue
        rows += rows_of(program, ours, theirs)
    report(rows)


if __name__ == '__main__':
    sys.exit(P.beside_gpu(__doc__, under_profiler, compare, '--gpu'))
