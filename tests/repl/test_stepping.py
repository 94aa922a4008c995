"""Stepping at the prompt: the guide is a session that is played again, screen by screen. usage: test_stepping.py GPULAB SOURCE_ROOT

After a change of what it prints:
    python3 tests/repl/play.py build/src/gpulab . tests/repl/sessions/stepping.txt docs/guide/stepping.md --device emu"""
import difflib
import os
import subprocess
import sys
import tempfile

from terminal import check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))


def nvrtc():
    """The compiler's version: others number the instructions differently."""
    done = subprocess.run([GPULAB, '-n', '-q', '--device', 'emu', '-e', 'print(gpu.device.nvrtc)', '/dev/null'], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip()


def guide():
    """forward and back through the kernels of labs 1, 3 and 5: every screen is the guide's"""
    if nvrtc() != '13.0':
        return 'skip: the guide was recorded with NVRTC 13.0, this is %s' % nvrtc()
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        done = subprocess.run([sys.executable, HERE + '/play.py', GPULAB, ROOT, HERE + '/sessions/stepping.txt', folder + '/out.md',
                               '--device', 'emu'], capture_output=True, text=True, check=False)
        check(done.returncode == 0, done.stderr)
        with open(folder + '/out.md', encoding='utf-8') as played, open(ROOT + '/docs/guide/stepping.md', encoding='utf-8') as golden:
            lines = list(difflib.unified_diff(golden.read().splitlines(), played.read().splitlines(), 'golden', 'played', n=2, lineterm=''))
    check(not lines, '\n'.join(lines[:60]))


sys.exit(run_tests([guide]))
