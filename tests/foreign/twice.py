#!/usr/bin/env python3
"""Runs each program of a pack twice on a GPU, and writes down its copies from device to host (copies.c). bits.py puts it into the pack:

    OUT/run RESULTS [--jobs N] [--seconds N] [--in-all SECONDS]

The second round begins when all programs have run once, so that one whose results depend on the time of day does not repeat itself. Where
the emulator's digests are in the pack, the second round keeps the bytes of the first copies that differ from these. All comes into
RESULTS/bits.tar.xz."""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

KEPT_COPIES, KEPT_BYTES, KEPT_IN_ALL = 2, 512 << 10, 12 << 20  # of a program, of a copy, of all programs
TEXT_BYTES = 20000


class Line:
    """One of a log. digest: None where nothing was read (captured for a graph, or an error)."""

    def __init__(self, text):
        number, self.function, size, result, kernels = text.rstrip('\n').split('\t')
        self.number, self.bytes, self.result = int(number), int(size), result
        self.digest = result if len(result) == 16 else None
        self.kernels = kernels.split(',') if kernels else []

    def same(self, other):
        return (self.function, self.bytes, self.result) == (other.function, other.bytes, other.result)


def read_log(path, to_device=False):
    """Its lines about copies to the host, or to the device. Memory that is freed counts where nothing is copied. A program that was ended
    may have left half a line."""
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            lines = [Line(text) for text in file if text.endswith('\n') and text.count('\t') == 4]
    except OSError:
        return []
    if to_device:
        return [line for line in lines if line.function.startswith('to ')]
    copies = [line for line in lines if line.function not in ('end', 'freed') and not line.function.startswith('to ')]
    return copies or [line for line in lines if line.function == 'freed']


def run_one(command, folder, base, seconds, shim, environment=()):
    """Its outputs come into base.out and base.err, its log into base.log. Returns its status; None: it took too long."""
    more = dict(environment, LD_PRELOAD=shim, COPIES_LOG=base + '.log')
    if os.path.exists(base + '.log'):
        os.remove(base + '.log')
    with open(base + '.out', 'wb') as out, open(base + '.err', 'wb') as err:
        try:
            child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                                     env=dict(os.environ, **more))
        except OSError as error:
            err.write(str(error).encode())
            return 127
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            return None


def cut(path):
    if os.path.getsize(path) > TEXT_BYTES:
        os.truncate(path, TEXT_BYTES)


class Rounds:
    def __init__(self, pack, options):
        self.pack, self.options = pack, options
        self.began, self.left, self.mutex = time.monotonic(), KEPT_IN_ALL, threading.Lock()
        self.results = os.path.join(pack, 'results')
        with open(f'{pack}/programs/list.json', encoding='utf-8') as file:
            self.programs = json.load(file)

    def to_keep(self, name, log):
        """The numbers of the copies that differ from the emulator's."""
        here = read_log(f'{self.pack}/programs/expected/{name}.log')
        lines = [a for a, b in zip(log, here) if a.digest and b.digest and not a.same(b)][:KEPT_COPIES]
        with self.mutex:
            for i, line in enumerate(lines):
                self.left -= min(line.bytes, KEPT_BYTES)
                if self.left < 0:
                    lines = lines[:i]
                    break
        return [line.number for line in lines]

    def run(self, name, number):
        if time.monotonic() - self.began > self.options.in_all:
            return name, 'not run'
        program, base = self.programs[name], f'{self.results}/{number}/{name}'
        environment = {}
        if number == 2:
            numbers = self.to_keep(name, read_log(f'{self.results}/1/{name}.log'))
            kept = f'{self.results}/kept/{name}'
            if numbers:
                os.makedirs(kept)
                environment = {'COPIES_KEEP': kept, 'COPIES_NUMBERS': ','.join(map(str, numbers)), 'COPIES_MOST': str(KEPT_BYTES)}
        status = run_one(['./' + program['file'], *program['words']], f'{self.pack}/programs/{name}', base, self.options.seconds,
                         f'{self.pack}/programs/copies.so', environment)
        cut(base + '.out')
        cut(base + '.err')
        return name, status

    def all(self, number, names):
        os.makedirs(f'{self.results}/{number}')
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            status = dict(pool.map(lambda name: self.run(name, number), names))
        with open(f'{self.results}/{number}/status.json', 'w', encoding='utf-8') as file:
            json.dump(status, file, indent=1)
        ended = sum(value == 0 for value in status.values())
        copies = sum(len(read_log(f'{self.results}/{number}/{name}.log')) for name in names)
        print(f'round {number}: {len(names)} programs, {ended} with status 0, {copies} copies, '
              f'{time.monotonic() - self.began:.0f} s', flush=True)
        return status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('results')
    parser.add_argument('--jobs', type=int, default=6)
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--in-all', type=float, default=400)
    options = parser.parse_args()
    here, results = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(options.results)
    os.makedirs(results, exist_ok=True)
    cuda = os.path.join(os.environ.get('CUDA_HOME', '/usr/local/cuda'), 'lib64')
    os.environ['LD_LIBRARY_PATH'] = ':'.join(filter(None, (cuda, os.environ.get('LD_LIBRARY_PATH'))))
    pack = tempfile.mkdtemp()
    try:
        with tarfile.open(f'{here}/programs.tar.xz') as file:
            file.extractall(pack)
        rounds = Rounds(pack, options)
        status = rounds.all(1, list(rounds.programs))
        rounds.all(2, [name for name in status if status[name] is not None])
        with tarfile.open(f'{results}/bits.tar.xz', 'w:xz') as file:
            file.add(rounds.results, 'results')
    finally:
        shutil.rmtree(pack)


if __name__ == '__main__':
    sys.exit(main())
