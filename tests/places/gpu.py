#!/usr/bin/env python3
"""A GPU through the pipe and without it, and a class at one GPU. By hand, on a machine with a GPU:

    gpu.py GPULAB [--students 20] [--runs 5] [--device cuda:0] [--lab 3]

Three tables. 1: medians of each step by the local device and by job:pipe (a gateway at the other end of a pipe), taken alternately; the
aim is at most 1 % between them. 2: from a save to its row both ways (tests/bench/turnaround); the aim is at most 15 ms more. 3: students
who all run the same steps at once, as separate processes: the largest difference from alone (aim 1 %), the longest wait, and whether
the lock was given in the order in which they came."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gpulab')
    parser.add_argument('--students', type=int, default=20)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--device', default='cuda:0')
    parser.add_argument('--lab', default='3')
    parser.add_argument('--steps', default='copy,tile,padded')
    return parser.parse_args()


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.gpulab = os.path.abspath(options.gpulab)
        self.folder = folder
        site = os.path.join(folder, 'site.lua')
        with open(site, 'w', encoding='utf-8') as f:
            f.write('return { places = { pipe = { start = { "%s", "--worker", "gateway" }, device = "%s" } } }\n' % (self.gpulab, options.device))
        self.env = {**os.environ, 'HOME': folder, 'GPULAB_SITE': site, 'GPULAB_HOME': '', 'TERM': 'dumb'}

    def start(self, device, out, home=None):
        env = {**self.env, 'HOME': home} if home else self.env
        return subprocess.Popen([self.gpulab, '-n', '--device', device, '--batch', '--step', self.options.steps, '--json', out, self.options.lab],
                                env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def rates(path):
    """{step: (rate, note)}"""
    with open(path, encoding='utf-8') as f:
        document = json.load(f)
    found = {}
    for step in document['steps']:
        if step['outcome'] != 'ok':
            raise SystemExit('%s: %s' % (step['id'], step['outcome']))
        found[step['id']] = (step['rate']['value'], step.get('note') or '')
    return found


def one(bench, device):
    out = os.path.join(bench.folder, 'out.json')
    begun = time.monotonic()
    process = bench.start(device, out)
    problems = process.communicate()[1]
    if process.returncode:
        raise SystemExit(problems)
    return rates(out), time.monotonic() - begun


def compare(bench):
    print('1. Medians of %d runs, alternately\n' % bench.options.runs)
    taken, seconds = {}, {}
    for _ in range(bench.options.runs):
        for device in (bench.options.device, 'job:pipe'):
            found, took = one(bench, device)
            seconds.setdefault(device, []).append(took)
            for step, (rate, _) in found.items():
                taken.setdefault(step, {}).setdefault(device, []).append(rate)
    print('| step | local | through the pipe | difference |\n|---|---|---|---|')
    for step, by in taken.items():
        local, pipe = (statistics.median(by[d]) for d in (bench.options.device, 'job:pipe'))
        print('| %s | %.5g | %.5g | %+.2f %% |' % (step, local, pipe, 100 * (pipe / local - 1)))
    print('\nWhole process: %.2f s local, %.2f s through the pipe (medians)\n' % tuple(statistics.median(s) for s in seconds.values()), flush=True)
    return {step: statistics.median(by[bench.options.device]) for step, by in taken.items()}


def saves(bench):
    print('2. From a save to its row\n')
    for device in (bench.options.device, 'job:pipe'):
        done = subprocess.run([sys.executable, os.path.join(ROOT, 'tests/bench/turnaround'), bench.gpulab, '--device', device], env=bench.env,
                              capture_output=True, text=True)
        print('%s:\n%s%s' % (device, done.stdout, done.stderr[-500:]), flush=True)


def crowd(bench, alone):
    n = bench.options.students
    print('3. %d students at once\n' % n)
    begun, processes = time.monotonic(), []
    for i in range(n):
        home = os.path.join(bench.folder, 'student%d' % i)
        os.makedirs(home)
        processes.append((bench.start('job:pipe', os.path.join(home, 'out.json'), home), home))
    worst, waits, failed = 0, [], 0
    for process, home in processes:
        problems = process.communicate()[1]
        if process.returncode:
            failed += 1
            print('failed:', problems[-300:])
            continue
        for step, (rate, note) in rates(os.path.join(home, 'out.json')).items():
            worst = max(worst, abs(rate / alone[step] - 1), key=abs)
            waits += [float(x) for x in re.findall(r'waited (\d+) s for the GPU', note)]
    print('all done in %.1f s; failed: %d; largest difference from alone: %.2f %%; waits of 1 s and more: %d, the longest %.0f s' %
          (time.monotonic() - begun, failed, 100 * worst, len(waits), max(waits, default=0)))


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix='gpulab-pipe-') as folder:
        bench = Bench(options, folder)
        alone = compare(bench)
        saves(bench)
        crowd(bench, alone)


if __name__ == '__main__':
    main()
