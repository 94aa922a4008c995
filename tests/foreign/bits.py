#!/usr/bin/env python3
"""The bits that whole programs of public repositories copy from the device, on the emulator and on a GPU. By hand:

    tests/foreign/bits.py - FOLDER --build [--jobs N]        builds programs.py's programs with the shared runtime, into FOLDER/built-shared
    tests/foreign/bits.py GPULAB FOLDER [--into NAME]        runs them under gpulab exec; the logs come into FOLDER/NAME (bits-here)
    tests/foreign/bits.py - FOLDER --pack OUT                the programs, and OUT/run RESULTS, which runs each twice on a GPU (twice.py)
    tests/foreign/bits.py - FOLDER --compare RESULTS [--into NAME]         the logs here against those of a GPU
    tests/foreign/bits.py - FOLDER --compare FOLDER/NAME [--into NAME]     or against those of another gpulab

copies.c, preloaded, writes a digest of each copy from device to host, and of managed and mapped memory after each cudaDeviceSynchronize.
A program is

    same                all its copies have the same digests
    differs             the first copy that does not, and the kernels launched before it
    given other data    before that, a copy to the device is another: the host computed something else, or did not initialize it
    ...                 else, in words: it does not repeat itself on the GPU, takes too long, copies nothing

A kernel is equal if no copy differs that follows it before another launch, and there is such a copy. --only TEXT selects programs,
--seconds N gives each N seconds here, --kept prints, for each program that differs, the elements of the copies that OUT/run has kept."""
import concurrent.futures
import functools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile

import programs as P
import twice

SOURCE = os.path.dirname(os.path.abspath(__file__))
FLAGS = [flag for flag in P.FLAGS if flag != '-lineinfo'] + ['-cudart', 'shared', '-Xlinker', '-s']

# Programs of PolyBench that take too long at their size: copies of their folders with these.
SMALLER = {
    '2MM': {'NI': 256, 'NJ': 256, 'NK': 256, 'NL': 256}, 'CORR': {'M': 256, 'N': 256}, 'COVAR': {'M': 256, 'N': 256},
    'FDTD-2D': {'TMAX': 20, 'NX': 256, 'NY': 256}, 'GRAMSCHM': {'NI': 128, 'NJ': 128},
}
# And arguments for other programs: smaller ones, or such that pass the program's own check of them.
WORDS = {'matrixMul': '-wA=128 -hA=128 -wB=128 -hB=128', 'globalToShmemAsyncCopy': '-wA=128 -hA=128 -wB=128 -hB=128',
         'dense-embedding-cuda': '2000 32 1'}
# Members of cudaDeviceProp that CUDA 13 removed and Rodinia prints: others of their type.
RENAMED = ['-DclockRate=memoryBusWidth', '-DdeviceOverlap=asyncEngineCount']
# Not here: cuBLAS does not work with gpulab's runtime; these take too long (docs/records/foreign.md).
WITHOUT = {P.LLM, P.SGEMM}
LONG = set('atomicCost bitpermute concat libor linearprobing lrn matern pnpoly radixsort vol2col'.split())


# --- the programs -----------------------------------------------------------------------------------------------------------------------

def smaller(program, folder):
    """Gives it a copy of its folder, and of the folder that all share."""
    there = os.path.join(folder, 'smaller', 'CUDA', program.name)
    shutil.copytree(program.folder, there, dirs_exist_ok=True)
    shutil.copytree(program.folder + '../../common', os.path.join(folder, 'smaller', 'common'), dirs_exist_ok=True)
    for name in os.listdir(there):
        if name.endswith('.cuh'):
            with open(f'{there}/{name}', encoding='utf-8') as file:
                text = file.read()
            for size, value in SMALLER[program.name].items():
                text = re.sub(rf'(#\s*define\s+{size})\s+\d+', rf'\1 {value}', text)
            with open(f'{there}/{name}', 'w', encoding='utf-8') as file:
                file.write(text)
    program.folder = there + '/'


def programs_of(options):
    for program in P.all_programs(options.folder):
        if program.repository in WITHOUT or program.name.removesuffix('-cuda') in LONG or options.only not in program.label():
            continue
        if program.repository == P.POLYBENCH and program.name in SMALLER:
            smaller(program, options.folder)
        if program.repository == P.RODINIA:
            program.flags += RENAMED
        if program.name in WORDS:
            program.words = WORDS[program.name].split()
        yield program


def build(program, options):
    return P.build(program, options.folder, 'built-shared', FLAGS)[0]


def build_shim(folder):
    path = os.path.join(folder, 'built-shared', 'copies.so')
    cuda = os.environ.get('CUDA_HOME', '/usr/local/cuda')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run(['gcc', '-O2', '-w', '-shared', '-fPIC', f'-I{cuda}/include', '-o', path, f'{SOURCE}/copies.c'], check=True)
    return path


def build_all(programs, options):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, path in zip(programs, pool.map(lambda program: build(program, options), programs)):
            if not path:
                print(f'{program.label():52} does not compile', flush=True)


def stage(program, options, root):
    """A folder with the program and its data, as it is packed: it is the same here and on a GPU. None: it is not built."""
    built = os.path.join(options.folder, 'built-shared', program.repository, program.name)
    folder = os.path.join(root, P.name_of(program))
    if not os.path.exists(built):
        return None
    os.makedirs(folder, exist_ok=True)
    shutil.copy(built, folder)
    if os.path.isdir(program.folder + 'data'):
        shutil.copytree(program.folder + 'data', folder + '/data', dirs_exist_ok=True)
    return folder


# --- here -------------------------------------------------------------------------------------------------------------------------------

def run(program, options, shim, root):
    folder, base = stage(program, options, root), os.path.join(options.folder, options.into, P.name_of(program))
    if not folder:
        return 'is not built'
    command = ['nice', options.gpulab, 'exec', './' + program.name, *program.words]
    status = twice.run_one(command, folder, base, options.seconds, shim)
    with open(base + '.status', 'w', encoding='utf-8') as file:
        json.dump(status, file)
    shutil.rmtree(folder)
    return f'{"takes too long" if status is None else f"status {status}"}, {len(twice.read_log(base + ".log"))} copies'


def run_all(programs, options):
    os.makedirs(os.path.join(options.folder, options.into), exist_ok=True)
    shim, root = build_shim(options.folder), tempfile.mkdtemp()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, said in zip(programs, pool.map(lambda program: run(program, options, shim, root), programs)):
            print(f'{program.label():64} {said}', flush=True)
    shutil.rmtree(root)


# --- for a GPU --------------------------------------------------------------------------------------------------------------------------

def pack(programs, options):
    """With the logs from here, so that the bytes of copies that differ can be kept."""
    root = os.path.join(options.pack, 'programs')
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root + '/expected')
    listed = {}
    for program in programs:
        log = os.path.join(options.folder, options.into, P.name_of(program) + '.log')
        if stage(program, options, root):
            listed[P.name_of(program)] = {'file': program.name, 'words': program.words}
            if os.path.exists(log):
                shutil.copy(log, root + '/expected')
    with open(root + '/list.json', 'w', encoding='utf-8') as file:
        json.dump(listed, file, indent=1)
    shutil.copy(build_shim(options.folder), root)
    shutil.copy(f'{SOURCE}/twice.py', f'{options.pack}/run')
    os.chmod(f'{options.pack}/run', 0o755)
    subprocess.run(['tar', 'cJf', 'programs.tar.xz', 'programs'], cwd=options.pack, check=True)
    shutil.rmtree(root)
    size = os.path.getsize(f'{options.pack}/programs.tar.xz')
    print(f'{len(listed)} programs, {len(os.listdir(options.pack))} files, {size / (1 << 20):.1f} MiB')


# --- the comparison ---------------------------------------------------------------------------------------------------------------------

class Runs:
    """Logs and statuses of one or two runs of each program."""

    def __init__(self, folder):
        self.folder = folder
        if os.path.exists(folder + '/bits.tar.xz'):
            self.folder = folder + '/results'
            with tarfile.open(folder + '/bits.tar.xz') as file:
                file.extractall(folder)
        self.rounds = [f'{self.folder}/{number}' for number in (1, 2) if os.path.isdir(f'{self.folder}/{number}')] or [self.folder]

    def logs(self, name):
        return [twice.read_log(f'{folder}/{name}.log') for folder in self.rounds]

    @functools.cache
    def statuses(self, folder):
        path = f'{folder}/status.json'
        return json.load(open(path, encoding='utf-8')) if os.path.exists(path) else None

    def status(self, name):
        found = self.statuses(self.rounds[0])
        if found is not None:
            return found.get(name, 'not run')
        path = f'{self.folder}/{name}.status'
        return json.load(open(path, encoding='utf-8')) if os.path.exists(path) else 'not run'


def first_difference(a, b):
    """The index of the first line that differs; None: none. A log that ends earlier differs where it ends."""
    for i, (x, y) in enumerate(zip(a, b)):
        if not x.same(y):
            return i
    return None if len(a) == len(b) else min(len(a), len(b))


@functools.cache
def plain(kernel):
    """Without parameters and template arguments."""
    text = subprocess.run(['c++filt', '-p', kernel], capture_output=True, text=True, check=False).stdout.strip()
    while re.search(r'<[^<>]*>', text):
        text = re.sub(r'<[^<>]*>', '', text)
    return text.split(' ')[-1] if text else kernel


def by_kernel(here, there, again):
    """{kernel: whether all copies that follow it before another launch are equal}; without kernels that no such copy follows, or one that
    does not repeat itself."""
    found, launched, unsteady = {}, [], {'cudaGraphLaunch'}
    for i, (x, y) in enumerate(zip(here, there)):
        launched = y.kernels or launched
        if again and not (i < len(again) and again[i].same(y)):
            unsteady.update(launched)
        if y.digest:
            for kernel in launched:
                found[kernel] = found.get(kernel, True) and x.same(y)
    return {kernel: equal for kernel, equal in found.items() if kernel not in unsteady}


def judge(name, here, there):
    """(kind, what else to say, kernels)"""
    log, (first, *others) = here.logs(name)[0], there.logs(name)
    again = others[0] if others else None
    status, other = here.status(name), there.status(name)
    if 'not run' in (status, other):
        return 'not run', 'here' if status == 'not run' else 'there', {}
    if other is None:
        return 'too long there', '', {}
    if not any(line.digest for line in first):
        return 'nothing copied', f'status {other} there, {status} here', {}
    at = first_difference(log, first)
    if status is None:
        at = first_difference(log, first[:len(log)])
        return 'too long here', f'of {len(first)} copies {len(log) if at is None else at} are the same', {}
    kernels = by_kernel(log, first, again)
    changed = first_difference(first, again) if again else None
    if changed is not None and (at is None or changed <= at):
        return 'does not repeat', f'from copy {changed + 1} of {len(first)} on', kernels
    if at is None:
        return ('same' if status == other else 'same, other status'), f'{len(first)} copies', kernels
    line = (first if at < len(first) else log)[at]
    inputs = [twice.read_log(f'{runs.rounds[0]}/{name}.log', True) for runs in (here, there)]
    given = first_difference(*inputs)
    if given is not None and given < min(map(len, inputs)) and inputs[1][given].number < line.number:
        return 'given other data', f'line {inputs[1][given].number}, {inputs[1][given].bytes} bytes', {}
    kinds = '' if at < min(len(log), len(first)) and log[at].bytes == line.bytes else f', {len(log)} here'
    launched = next((x.kernels for x in reversed(first[:at + 1]) if x.kernels), [])
    equal = sum(x.same(y) for x, y in zip(log, first))
    return 'differs', (f'copy {at + 1} of {len(first)}{kinds}, {equal} are equal: {line.bytes} bytes after '
                       f'{", ".join(plain(kernel) for kernel in launched)}'), kernels


def compare(programs, options):
    here, there = Runs(os.path.join(options.folder, options.into)), Runs(options.compare)
    programs_by_kind, copies, equal, other = {}, 0, 0, 0
    for program in programs:
        name = P.name_of(program)
        if not os.path.exists(os.path.join(options.folder, 'built-shared', program.repository, program.name)):
            continue
        kind, more, kernels = judge(name, here, there)
        programs_by_kind[kind] = programs_by_kind.get(kind, 0) + 1
        copies += len(there.logs(name)[0]) if kind == 'same' else 0
        equal += sum(kernels.values())
        other += len(kernels) - sum(kernels.values())
        print(f'{kind:18} {program.label():52} {more}' + (f', status {here.status(name)} here, {there.status(name)} there'
                                                          if here.status(name) != there.status(name) and kind != 'nothing copied' else ''))
        if kind == 'differs' and options.kept:
            elements(name, here, there, options)
    print(', '.join(f'{count} {kind}' for kind, count in sorted(programs_by_kind.items())))
    print(f'{copies} copies of the same programs; {equal} kernels whose every copy is equal, {other} others')


# --- elements that differ ---------------------------------------------------------------------------------------------------------------

def elements(name, here, there, options):
    """Of each kept copy: how many words of 32 bits differ, and the first ones as integers and floats. The program runs here again."""
    folder = f'{there.folder}/kept/{name}'
    program = next(program for program in programs_of(options) if P.name_of(program) == name)
    numbers = sorted(map(int, os.listdir(folder))) if os.path.isdir(folder) else []
    root = tempfile.mkdtemp()
    if numbers and stage(program, options, root):
        os.makedirs(root + '/kept')
        keep = {'COPIES_KEEP': root + '/kept', 'COPIES_NUMBERS': ','.join(map(str, numbers)), 'COPIES_MOST': str(twice.KEPT_BYTES)}
        twice.run_one(['nice', options.gpulab, 'exec', './' + program.name, *program.words], f'{root}/{name}', root + '/again',
                      options.seconds, build_shim(options.folder), keep)
    for number in numbers:
        if not os.path.exists(f'{root}/kept/{number}'):
            continue
        with open(f'{root}/kept/{number}', 'rb') as mine, open(f'{folder}/{number}', 'rb') as theirs:
            a, b = (file.read()[:twice.KEPT_BYTES & ~7] for file in (mine, theirs))
        words = min(len(a), len(b)) // 4
        differing = [i for i in range(words) if a[4 * i:4 * i + 4] != b[4 * i:4 * i + 4]]
        print(f'    copy {number}: {len(differing)} of {words} words differ')
        for i in differing[:4]:
            (x, f), (y, g) = ((struct.unpack_from('<I', data, 4 * i)[0], struct.unpack_from('<f', data, 4 * i)[0]) for data in (a, b))
            print(f'        word {i}: {x:08x} {f:.9g} here, {y:08x} {g:.9g} there')
    shutil.rmtree(root)


def main():
    parser = P.arguments()
    parser.add_argument('--into', default='bits-here')
    parser.add_argument('--build', action='store_true')
    parser.add_argument('--pack')
    parser.add_argument('--compare')
    parser.add_argument('--kept', action='store_true')
    options = parser.parse_args()
    options.folder, options.gpulab = os.path.abspath(options.folder), os.path.abspath(options.gpulab)
    action = build_all if options.build else pack if options.pack else compare if options.compare else run_all
    return action(list(programs_of(options)), options)


if __name__ == '__main__':
    sys.exit(main())
