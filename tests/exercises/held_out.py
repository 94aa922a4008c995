#!/usr/bin/env python3
"""Checks kernels that no budget was tuned to: held_out.py GPULAB SOURCE_ROOT [FOLDER]

FOLDER (tests/exercises/held-out) has a folder per exercise with cheat-*.cu, which `gpulab check` has to refuse, and honest-*.cu, which
it has to accept. Prints those where it does not, and how many of each were right; exit status 1 if one was wrong. Two at a time."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

GPULAB, ROOT = (os.path.abspath(p) for p in sys.argv[1:3])
KERNELS = sorted(pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else ROOT + '/tests/exercises/held-out').glob('*/*.cu'))


def checked(path, home):
    lab, exercise = path.parent.name.split('-', 1)
    environment = dict(os.environ, GPULAB_LUA=ROOT + '/lua', GPULAB_HOME=home, NO_COLOR='1')
    done = subprocess.run([GPULAB, '-q', 'check', str(int(lab)), exercise, str(path.absolute())], cwd=ROOT, env=environment,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    right, every = {'honest': 0, 'cheat': 0}, {'honest': 0, 'cheat': 0}
    with tempfile.TemporaryDirectory() as home, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (code, said) in zip(KERNELS, pool.map(lambda p: checked(p, home), KERNELS)):
            kind = path.name.split('-')[0]
            passed = code == 0
            every[kind] += 1
            right[kind] += passed == (kind == 'honest')
            if passed != (kind == 'honest'):
                print('%s/%s: exit status %d\n%s' % (path.parent.name, path.name, code, said))
    print('honest kernels accepted: %d of %d' % (right['honest'], every['honest']))
    print('cheats refused: %d of %d' % (right['cheat'], every['cheat']))
    return 0 if right == every and sum(every.values()) else 1


sys.exit(main())
