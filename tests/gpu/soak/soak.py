#!/usr/bin/env python3
"""Faults of every class in random order at one prompt, each followed by a correct launch; nothing may be left behind.

    soak.py GPULAB [--device NAME] [--faults N] [--seed N] [--seconds N]

NAME is cuda:0 by default; worker:emu needs no GPU. N faults (1000), or as many as there is time for. Speaks TAP; the
comments tell how long a correct launch took after each class. Skipped by name where the device cannot be opened."""
import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), 'repl'))
from terminal import CTRL_C, CTRL_D, Terminal, plain  # noqa: E402  pylint: disable=wrong-import-position

PROMPT = r'> $'
LEFT_BYTES = 6 << 20        # of memory that may be added by all faults together...
LEFT_BYTES_A_FAULT = 4 << 10  # ...or by each: history lines, and what malloc keeps

# What the prompt says of each. Those of the second table are done from outside.
CLASSES = {
    'past_end': r'odata\[1024\].*soak\.cu:\d+',
    'far_away': r'soak\.cu:\d+',
    'misaligned': r'misaligned.*soak\.cu:\d+',
    'trapped': r'trap.*soak\.cu:\d+',
    'asserted': r'assert.*soak\.cu:\d+',
    'stack': r'stack|illegal|fault|limit of 2 s',  # a GPU may notice late
    'timeout': r'limit of 0\.3 s|300 ms',
    'threads': r'2000.*1024',
    'shared': r'1048576',
    'memory': r'huge',
    'compile': r'expected.*\^',
    'arguments': r'takes 2 arguments',
    'number': r'1\.5',
}
OUTSIDE = ('hang', 'kill_idle', 'kill_running')


def children(pid):
    found = []
    try:
        for task in os.listdir('/proc/%d/task' % pid):
            with open('/proc/%d/task/%s/children' % (pid, task), encoding='ascii') as f:
                found += [int(word) for word in f.read().split()]
    except OSError:
        pass
    return found


def memory_of(pid):
    with open('/proc/%d/status' % pid, encoding='ascii') as f:
        return 1024 * int(re.search(r'VmRSS:\s+(\d+)', f.read()).group(1))


class Soak:
    def __init__(self, options, home):
        self.device = options.device
        environment = {**os.environ, 'HOME': home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null',
                       'XDG_STATE_HOME': home + '/state', 'XDG_CONFIG_HOME': home + '/config',
                       'GPULAB_HOME': home + '/gpulab',
                       # what AddressSanitizer keeps of freed memory is no leak
                       'ASAN_OPTIONS': os.environ.get('ASAN_OPTIONS', '') + ':quarantine_size_mb=1'}
        self.t = Terminal([os.path.abspath(options.gpulab), '-q', '-n', '--device', self.device], environment, cwd=home)
        self.rounds = 0
        self.after = {}  # class -> seconds of the correct launches after it
        self.renewed = []  # of those that found another worker than before
        self.t.expect(PROMPT)
        self.ask('folder = "%s"' % HERE)
        self.ask('soak = loadfile(folder .. "/soak.lua")(folder)')
        self.right('the first launch')

    def send(self, line):
        """At the prompt; what came before is forgotten."""
        self.t.seen, self.t.mark = '', 0
        self.t.line(line)

    def ask(self, line, answer=''):
        """Sends a line and waits for the next prompt; what stands between has to fit."""
        self.send(line)
        said = self.t.expect(r'\n(.*\n)?> $').group(0)
        flat = re.sub(r'\s+', ' ', said)  # where a message is folded depends on the length of a path in it
        if not re.search(answer, said, re.S) and not re.search(answer, flat):
            raise AssertionError('%s brought: %s' % (line, said))

    def right(self, what):
        before = children(self.t.pid)
        self.rounds += 1
        began = time.monotonic()
        self.ask('soak.right(%d)' % self.rounds, 'round %d right' % self.rounds)
        took = time.monotonic() - began
        if before != children(self.t.pid):
            self.renewed.append(took)
        self.after.setdefault(what, []).append(took)

    def go_wrong(self, name):
        if name in ('hang', 'kill_running'):
            self.send('print("go") soak.hang()')
            self.t.expect(r'\ngo\n')
            if self.device.startswith('cuda'):
                time.sleep(0.2)  # a worker that waits for a GPU need not use the processor
            else:
                self.t.computes()
            if name == 'hang':
                self.t.send(CTRL_C)
            else:
                self.kill()
            said = self.t.expect(r'.*\n> $').group(0)
            if not re.search('interrupted' if name == 'hang' else 'signal 9', said):
                raise AssertionError('%s brought: %s' % (name, said))
        elif name == 'kill_idle':
            self.kill()
        else:
            self.ask('soak.%s()' % name, CLASSES[name])

    def kill(self):
        for pid in children(self.t.pid):
            os.kill(pid, 9)

    def left(self):
        self.ask('soak.tidy()', 'tidied')
        return {'memory': memory_of(self.t.pid), 'descriptors': len(os.listdir('/proc/%d/fd' % self.t.pid)),
                'children': len(children(self.t.pid))}


def order(faults, seed):
    """Every class once, then at random: a leak shows against the state after the first round."""
    generator = random.Random(seed)
    names = list(CLASSES) + list(OUTSIDE)
    generator.shuffle(names)
    return names + [generator.choice(names) for _ in range(max(0, faults - len(names)))], len(names)


def report(soak):
    for name in sorted(soak.after):
        times = soak.after[name]
        print('# after %-16s %4d launches, median %5.0f ms, longest %5.0f ms'
              % (name, len(times), 1000 * statistics.median(times), 1000 * max(times)))
    if soak.renewed:
        print('# with a new worker       %4d launches, median %5.0f ms, longest %5.0f ms'
              % (len(soak.renewed), 1000 * statistics.median(soak.renewed), 1000 * max(soak.renewed)))


class Tap:
    def __init__(self):
        self.number, self.failed = 0, False

    def check(self, good, what):
        self.number += 1
        self.failed = self.failed or not good
        print('%s %d - %s' % ('ok' if good else 'not ok', self.number, what), flush=True)


def run(soak, options, tap):
    names, first = order(options.faults, options.seed)
    end = time.monotonic() + options.seconds
    before, done, problem = None, 0, None
    try:
        for name in names:
            if time.monotonic() > end and done > first:
                break
            soak.go_wrong(name)
            soak.right(name)
            done += 1
            if done == first:
                before = soak.left()
        after = soak.left()
    except Exception as trouble:  # pylint: disable=broad-except
        problem = 'fault %d: %s: %s' % (done + 1, type(trouble).__name__, trouble)
    tap.check(problem is None, '%d faults of %d classes, seed %d, each followed by a correct launch'
              % (done, min(done, first), options.seed))
    report(soak)
    if problem or not before:
        print('# ' + (problem or 'too few faults to look for leaks').replace('\n', '\n# '))
        return
    grown = after['memory'] - before['memory']
    print('# memory: %.1f MB after the first %d faults, %.1f MB after %d: %.1f kB a fault'
          % (before['memory'] / 1e6, first, after['memory'] / 1e6, done, grown / 1e3 / max(1, done - first)))
    tap.check(grown <= max(LEFT_BYTES, LEFT_BYTES_A_FAULT * done), 'no memory is left behind')
    tap.check(after['descriptors'] == before['descriptors'],
              'no descriptors are left behind: %d and %d' % (before['descriptors'], after['descriptors']))
    tap.check(after['children'] == before['children'] and after['children'],
              'as many workers as before, and no more: %d and %d' % (before['children'], after['children']))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gpulab')
    parser.add_argument('--device', default='cuda:0')
    parser.add_argument('--faults', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=3600)
    options = parser.parse_args()
    probe = subprocess.run([options.gpulab, '--device', options.device, '-e', 'assert(gpu.device.nvrtc)'],
                           capture_output=True, check=False)
    if probe.returncode:
        print('1..0 # SKIP %s: %s' % (options.device, probe.stderr.decode('utf-8', 'replace').strip().split('\n')[0]))
        return 0
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix='gpulab-soak-') as home:
        soak = Soak(options, home)
        try:
            run(soak, options, tap)
            pid = soak.t.pid
            soak.t.send(CTRL_D)
            tap.check(soak.t.close() == 0 and not children(pid), 'it ends with 0 and leaves no process')
        finally:
            soak.t.kill()
    print('1..%d' % tap.number)
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())
