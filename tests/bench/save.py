"""How long a save takes to be seen, by hand: python3 tests/bench/save.py GPULAB [DEVICE [N]]

Milliseconds from the moment a copy of lab 3's tile is written to the prompt that is drawn again below its row and change."""
import os
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'repl'))
from terminal import Terminal  # noqa: E402  pylint: disable=wrong-import-position

SAVES = 20


def main():
    gpulab, device, n = (sys.argv[1:] + ['emu', '1024'][len(sys.argv) - 2:])[:3]
    with tempfile.TemporaryDirectory(prefix='gpulab-bench-') as home:
        env = {**os.environ, 'HOME': home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'EDITOR': 'true',
               'XDG_STATE_HOME': home + '/state', 'XDG_CACHE_HOME': home + '/cache', 'GPULAB_HOME': home + '/gpulab'}
        env.pop('VISUAL', None)
        lab = os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')
        t = Terminal([os.path.abspath(gpulab), '-n', '-q', '--device', device, '--set', 'n=' + n, lab], env, cwd=home)
        t.expect('03> $')
        t.line('edit tile')
        t.expect('03> $')
        copy = home + '/gpulab/03-bank-conflicts/transpose.cu'
        with open(copy, encoding='utf-8') as f:
            text = f.read()
        times = []
        for i in range(1, SAVES + 1):  # each a text the compiler has not seen
            began = time.monotonic()
            with open(copy, 'w', encoding='utf-8') as f:
                f.write(text.replace('tile[TILE][WIDTH];', 'tile[TILE][WIDTH + %d];' % i))
            t.expect('change: .*03> $')
            times.append(1000 * (time.monotonic() - began))
        t.kill()
    print('%s, n = %s: median %.0f ms, %.0f to %.0f ms over %d saves'
          % (device, n, statistics.median(times), min(times), max(times), SAVES))


main()
