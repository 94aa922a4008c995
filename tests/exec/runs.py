"""What the tests of gpulab exec share: programs that nvcc builds, runs of them, and TAP. They are skipped where there is no nvcc.

    test_NAME.py GPULAB SOURCE CUDA_HOME"""
import fcntl
import functools
import hashlib
import os
import pathlib
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


@functools.cache
def kept_programs():
    """The folder of the build in which programs are kept, for as long as neither a source nor a compiler changes."""
    told = b''.join(subprocess.run([name, '--version'], capture_output=True, check=True).stdout for name in (nvcc, 'c++'))
    sources = sorted(path for path in pathlib.Path(PROGRAMS).rglob('*') if path.is_file())
    state = hashlib.sha256(b''.join([nvcc.encode(), told, *(str(path).encode() + path.read_bytes() for path in sources)])).hexdigest()
    kept = os.path.join(os.path.dirname(os.path.abspath(GPULAB)), '../tests/exec/kept')
    for old in os.listdir(kept) if os.path.isdir(kept) else ():
        if old != state:
            shutil.rmtree(os.path.join(kept, old), ignore_errors=True)
    return os.path.join(kept, state)


def compiled(command, to):
    """Runs nvcc as the command says, for the file `to`; what ran before is taken from the folder, and what another test runs is
    waited for. Returns what nvcc said if it failed."""
    os.makedirs(kept_programs(), exist_ok=True)
    kept = os.path.join(kept_programs(), hashlib.sha256('\0'.join(command).encode()).hexdigest())
    with open(kept + '.lock', 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(kept):
            run = subprocess.run([nvcc, *command, '-o', kept + '.new'], text=True, capture_output=True, check=False)
            if run.returncode:
                return f'{run.stdout}{run.stderr}'
            os.replace(kept + '.new', kept)
    shutil.copy(kept, to)
    return None


def build(name, to, *flags, lines=True):
    path = os.path.join(folder, to)
    failure = compiled(['-std=c++17', *(['-lineinfo'] if lines else []), *flags, os.path.join(PROGRAMS, name)], path)
    if failure:
        print(f'Bail out! {name}: {failure}')
        sys.exit(1)
    return path


def build_both(name, *flags):
    """The program with the static and with the shared runtime, compiled once."""
    made, stem = build(name, name + '.o', *flags, '-c'), os.path.splitext(name)[0]
    paths = [os.path.join(folder, f'{stem}-{runtime}') for runtime in ('static', 'shared')]
    for path, runtime in zip(paths, ('static', 'shared')):
        subprocess.run([nvcc, *flags, f'-cudart={runtime}', made, '-o', path], check=True)
    return paths


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
