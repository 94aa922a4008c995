"""What the tests of gpulab exec share: programs that nvcc builds, runs of them, and TAP. They are skipped where there is no nvcc.

    test_NAME.py GPULAB SOURCE CUDA_HOME"""
import os
import shutil
import subprocess
import sys
import tempfile

GPULAB, SOURCE, CUDA = sys.argv[1:4]
PROGRAMS = os.path.join(SOURCE, 'tests/exec/programs')
tally = {True: 0, False: 0}  # points by their outcome

nvcc = os.path.join(CUDA, 'bin/nvcc')
nvcc = nvcc if os.path.exists(nvcc) else shutil.which('nvcc')
if not nvcc:
    print('1..0 # SKIP there is no nvcc')
    sys.exit(0)
folder = tempfile.mkdtemp()


def point(name, good, shown=''):
    tally[bool(good)] += 1
    print(f'{"ok" if good else "not ok"} {sum(tally.values())} - {name}')
    if not good:
        print(''.join(f'# {line}\n' for line in str(shown).splitlines()), end='')


def build(name, to, *flags, lines=True):
    path = os.path.join(folder, to)
    run = subprocess.run([nvcc, '-std=c++17', *(['-lineinfo'] if lines else []), '-o', path, *flags, os.path.join(PROGRAMS, name)], text=True, capture_output=True,
                         check=False)
    if run.returncode:
        print(f'Bail out! {name}: {run.stdout}{run.stderr}')
        sys.exit(1)
    return path


def source_line(name, text):
    with open(os.path.join(PROGRAMS, name), encoding='utf-8') as file:
        return file.read().split(text)[0].count('\n') + 1


def gpulab(*words, stdin='', first=()):
    return subprocess.run([GPULAB, *first, 'exec', *words], input=stdin, text=True, capture_output=True, check=False)


def ends(name, run, status, out=None, error=''):
    good = run.returncode == status and (out is None or run.stdout == out) and error in run.stderr
    point(name, good, f'status {run.returncode}\n{run.stdout}\n{run.stderr}')


def finish():
    shutil.rmtree(folder)
    if sys.exc_info()[0] is None:
        print(f'1..{sum(tally.values())}')
        sys.exit(tally[False] > 0)
