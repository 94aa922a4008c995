#!/usr/bin/env python3
"""Lab 3 through a slow link, and without it. By hand:

    link.py GPULAB [--delay MS] [--rate MBIT] [--device emu] [--set n=4000] [--steps ID,...]

The link is a relay between the prompt and a gateway, which holds every piece of data back for half the round trip and lets through no
more than the rate in each direction. One prompt by each way runs all steps, one after the other; the table has the seconds of each, and the
bytes that crossed. The aim: at 20 ms and 10 Mbit/s a step takes at most 2 s more than without the link."""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, '..', 'repl'))
from terminal import Terminal  # noqa: E402

PIECE = 4096  # bytes that are delayed together


def carry(source, sink, delay, rate, passed, place):
    """Moves bytes from one file descriptor to the other, later, at a rate in bytes per second."""
    queue, ready = [], threading.Condition()

    def read():
        while True:
            piece = os.read(source, PIECE)
            with ready:
                queue.append((time.monotonic() + delay, piece))
                ready.notify()
            if not piece:
                return
    threading.Thread(target=read, daemon=True).start()
    free = 0.0
    while True:
        with ready:
            while not queue:
                ready.wait()
            due, piece = queue.pop(0)
        if not piece:
            os.close(sink)
            return
        free = max(free, due - delay) + len(piece) / rate
        time.sleep(max(0, free + delay - time.monotonic()))
        passed[place] += len(piece)
        try:
            while piece:
                piece = piece[os.write(sink, piece):]
        except BrokenPipeError:
            return


def relay(delay_ms, mbit, log, command):
    """What the site file starts: the gateway, at the other end of the link."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    passed, delay, rate = [0, 0], delay_ms / 2000, mbit * 1e6 / 8
    up = threading.Thread(target=carry, args=(0, os.dup(child.stdin.fileno()), delay, rate, passed, 0), daemon=True)
    child.stdin.close()
    down = threading.Thread(target=carry, args=(child.stdout.fileno(), 1, delay, rate, passed, 1), daemon=True)
    up.start()
    down.start()
    while down.is_alive():
        down.join(0.05)
        with open(log + '.new', 'w', encoding='utf-8') as f:
            f.write('%d %d' % tuple(passed))
        os.rename(log + '.new', '%s.%d' % (log, os.getpid()))
    child.kill()


class Way:
    """A prompt with lab 3 open."""

    def __init__(self, gpulab, device, folder, settings):
        env = {**os.environ, 'HOME': folder, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_HOME': folder + '/own',
               'GPULAB_SITE': folder + '/site.lua', 'XDG_STATE_HOME': folder + '/state', 'XDG_CACHE_HOME': folder + '/cache'}
        self.terminal = Terminal([gpulab, '-q', '-n', '--device', device, *(w for s in settings for w in ('--set', s)),
                                  os.path.join(ROOT, 'labs/03-bank-conflicts.lua')], env, cwd=folder)
        self.terminal.expect('03> $', 600)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.terminal.kill()

    def run(self, step):
        began = time.monotonic()
        self.terminal.line('run ' + step)
        said = self.terminal.expect(r'(.*)(03|\(Enter skips\))> $', 60)
        if said.group(2) != '03':  # a question about the step, before its numbers
            self.terminal.line('')
            said = self.terminal.expect('(.*)03> $', 60)
        return time.monotonic() - began, said.group(1)


def crossed(log):
    """The bytes of all connections so far: one ends when it was idle for some time."""
    passed = [0, 0]
    for path in glob.glob(log + '.[0-9]*'):
        with open(path, encoding='utf-8') as f:
            there, back = f.read().split() or (0, 0)
        passed = [passed[0] + int(there), passed[1] + int(back)]
    return passed


def table(steps, here, there, log):
    """The most seconds that a step took more."""
    worst = 0
    print('| step | here, s | through the link, s | more, s | kB there | kB back |\n|---|---|---|---|---|---|')
    for step in steps:
        before = crossed(log)
        near, far = here.run(step), there.run(step)
        time.sleep(0.2)
        after = crossed(log)
        if not re.search(r'\byes\b', far[1]):
            raise SystemExit('%s: not verified:\n%s' % (step, far[1]))
        worst = max(worst, far[0] - near[0])
        print('| %s | %.2f | %.2f | %.2f | %d | %d |' % (step, near[0], far[0], far[0] - near[0], (after[0] - before[0]) / 1000,
                                                      (after[1] - before[1]) / 1000), flush=True)
    return worst


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gpulab')
    parser.add_argument('--delay', type=float, default=20, help='of a round trip, ms')
    parser.add_argument('--rate', type=float, default=10, help='Mbit/s')
    parser.add_argument('--device', default='emu')
    parser.add_argument('--set', action='append', default=[])
    parser.add_argument('--steps', default='row,stride2,stride32,broadcast,wide2,copy,tile,padded')
    return parser.parse_args()


def main():
    options = arguments()
    gpulab = os.path.abspath(options.gpulab)
    with tempfile.TemporaryDirectory(prefix='gpulab-link-') as folder:
        log = folder + '/passed'
        start = [sys.executable, os.path.abspath(__file__), '--relay', str(options.delay), str(options.rate), log, gpulab, '--worker', 'gateway']
        with open(folder + '/site.lua', 'w', encoding='utf-8') as f:
            f.write('return { places = { link = { start = { %s }, device = "%s" } } }\n' %
                    (', '.join('"%s"' % word for word in start), options.device))
        settings = options.set or ['n=4000']
        with Way(gpulab, options.device, folder, settings) as here, Way(gpulab, 'job:link', folder, settings) as there:
            worst = table(options.steps.split(','), here, there, log)
    print('\nAt most %.2f s more.' % worst)
    return 0 if worst <= 2 else 1

if __name__ == '__main__':
    if sys.argv[1:2] == ['--relay']:
        relay(float(sys.argv[2]), float(sys.argv[3]), sys.argv[4], sys.argv[5:])
    else:
        sys.exit(main())
