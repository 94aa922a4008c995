#!/usr/bin/env python3
"""A connection by ssh to a real sshd on loopback, cut at random moments of random commands. By hand:

    cuts.py GPULAB [--cuts 100] [--seed 1]

After each cut the prompt must still be there, must say that the connection was lost or give the right sum, and the next run must give
the right sum. Prints what was seen."""
import argparse
import collections
import os
import random
import re
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from servers import Missing, Sshd, lua_list, write  # noqa: E402
from terminal import Terminal, plain  # noqa: E402

KERNEL = '''extern "C" __global__ void triple(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 40; k++)
        if (i < n) data[i] = data[i] * 3 - data[i] * 2;
    if (i < n) data[i] *= 3;
}
'''
RUN = ('b = gpu.buffer("int", 200000, { fill = 7 }); k = gpu.kernel("k.cu", "triple"); a = b:download(); b:upload(a); '
       'k{ grid = 800, block = 256 }(b, #b); print("sum", b:download():sum())')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gpulab')
    parser.add_argument('--cuts', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    gpulab = os.path.abspath(options.gpulab)
    random.seed(options.seed)
    seen, moments = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix='gpulab-cuts-') as folder:
        write(os.path.join(folder, 'k.cu'), KERNEL)
        try:
            server = Sshd(os.path.join(folder, 'sshd'))
        except Missing as e:
            print('cannot run: %s' % e)
            return 5
        write(os.path.join(folder, 'site.lua'), 'return { ssh = { gpulab = "%s", options = %s } }\n' % (gpulab, lua_list(server.options())))
        env = {**os.environ, 'HOME': folder, 'TERM': 'dumb', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_HOME': '',
               'GPULAB_SITE': os.path.join(folder, 'site.lua')}
        terminal = Terminal([gpulab, '-q', '-n', '--device', 'ssh:%s/emu:GTX 280' % server.host()], env, cwd=folder)
        try:
            terminal.expect('> $')
            for _ in range(2):  # the second has its connection already
                begun = time.monotonic()
                terminal.line(RUN)
                terminal.expect(r'sum\s+4200000')
                terminal.expect('> $')
                span = time.monotonic() - begun
            for _ in range(options.cuts):
                pids = server.serving()  # found before: the cut itself takes no time

                def cut(pids=pids):
                    server.cut(pids)
                    if pids:
                        moments.append(time.monotonic())
                timer = threading.Timer(random.uniform(0, span), cut)
                timer.start()
                before = len(plain(terminal.seen))
                terminal.line(RUN)
                terminal.expect(r'\n> $')
                ended = time.monotonic()
                timer.join()
                seen['connections cut'] += len(moments)
                seen['of these while the command ran'] += sum(m < ended for m in moments)
                moments.clear()
                said = plain(terminal.seen)[before:]
                found = re.search(r'sum\s+4200000|was lost|no worker started|stale|has no result', said)
                seen[found.group().split('\t')[0] if found else 'OTHER: ' + said[-300:]] += 1
                terminal.line(RUN)
                terminal.expect(r'sum\s+4200000')
                terminal.expect('> $')
                seen['next run right'] += 1
        finally:
            terminal.kill()
            server.close()
    for what, n in seen.most_common():
        print('%4d  %s' % (n, what))
    return 0 if seen['next run right'] == options.cuts and not any(w.startswith('OTHER') for w in seen) else 1


if __name__ == '__main__':
    sys.exit(main())
