#!/usr/bin/env python3
"""Lab 3 through a slow link, and without it. By hand, as root:

    link.py GPULAB [--delay MS] [--rate MBIT] [--device emu] [--set n=4000] [--steps ID,...]

The prompt runs in a network namespace, a real sshd and the worker outside; between them is a link by netem (netem.py). One prompt by
each way runs all steps, one after the other; the table has the seconds of each, and the bytes that crossed. The aim: at 20 ms and
10 Mbit/s a step takes at most 2 s more than without the link."""
import argparse
import os
import re
import sys
import tempfile
import time

import netem
from servers import Missing, Sshd, lua_list, write

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, '..', 'repl'))
from terminal import Terminal  # noqa: E402


class Way:
    """A prompt with lab 3 open."""

    def __init__(self, command, device, folder, settings):
        env = {**os.environ, 'HOME': folder, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_HOME': folder + '/own',
               'GPULAB_SITE': folder + '/site.lua', 'XDG_STATE_HOME': folder + '/state', 'XDG_CACHE_HOME': folder + '/cache'}
        self.terminal = Terminal([*command, '-q', '-n', '--device', device, *(w for s in settings for w in ('--set', s)),
                                  os.path.join(ROOT, 'labs/03-bank-conflicts.lua')], env, cwd=folder)
        self.terminal.expect('03> $')

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.terminal.kill()

    def run(self, step):
        began = time.monotonic()
        self.terminal.line('run ' + step)
        said = self.terminal.expect(r'(.*)(03|\(Enter skips\))> $')
        if said.group(2) != '03':  # a question about the step, before its numbers
            self.terminal.line('')
            said = self.terminal.expect('(.*)03> $')
        return time.monotonic() - began, said.group(1)


def table(steps, here, there, link):
    """The most seconds that a step took more."""
    worst = 0
    print('| step | here, s | through the link, s | more, s | kB there | kB back |\n|---|---|---|---|---|---|')
    for step in steps:
        before = link.crossed()
        near, far = here.run(step), there.run(step)
        after = link.crossed()
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
    settings = options.set or ['n=4000']
    with tempfile.TemporaryDirectory(prefix='gpulab-link-') as folder:
        link = server = None
        try:
            link = netem.Link(options.delay, options.rate)
            server = Sshd(os.path.join(folder, 'sshd'), address=netem.FAR)
            write(folder + '/site.lua', 'return { ssh = { gpulab = "%s", options = %s } }\n' % (gpulab, lua_list(server.options())))
            print('By %s, with ssh.\n' % link.by)
            with Way([gpulab], options.device, folder, settings) as here:
                with Way(link.inside(gpulab), 'ssh:%s/%s' % (server.host(), options.device), folder, settings) as there:
                    worst = table(options.steps.split(','), here, there, link)
        except Missing as e:
            print('cannot run: %s' % e)
            return 5
        finally:
            for made in filter(None, (server, link)):
                made.close()
    print('\nAt most %.2f s more.' % worst)
    return 0 if worst <= 2 else 1


if __name__ == '__main__':
    sys.exit(main())
