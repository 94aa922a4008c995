#!/usr/bin/env python3
"""The bits that whole programs in any folder copy from the device, on the emulator and on a GPU:

    tests/foreign/bits.py GPULAB FOLDER [--into NAME]              runs them under gpulab exec; the logs come into TO/NAME (bits)
    tests/foreign/bits.py GPULAB FOLDER --pack OUT                 the programs, and OUT/run RESULTS, which runs each twice on a GPU (twice.py)
    tests/foreign/bits.py GPULAB FOLDER --compare RESULTS [--into NAME]       the logs here against those of a GPU
    tests/foreign/bits.py GPULAB FOLDER --compare TO/NAME [--into NAME]       or against those of another gpulab

programs.py says what a program is, and has more options; TO is its --to. The programs are built with the shared runtime.
copies.c, preloaded, writes a digest of each copy from device to host, and of managed and mapped memory after each cudaDeviceSynchronize.
A program is

    same                all its copies have the same digests
    differs             the first copy that does not, and the kernels launched before it
    given other data    before that, a copy to the device is another: the host computed something else, or did not initialize it
    ...                 else, in words: it does not repeat itself on the GPU, takes too long, copies nothing

A kernel is equal if no copy differs that follows it before another launch, and there is such a copy. --kept prints, for each program
that differs, the elements of the copies that OUT/run has kept."""
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
FLAGS = P.FLAGS.replace('-lineinfo ', '') + ' -cudart shared -Xlinker -s'


# --- the programs -----------------------------------------------------------------------------------------------------------------------

def build(program, options):
    return P.build(program, options, FLAGS, 'built-shared')


def build_shim(folder):
    path = os.path.join(folder, 'copies.so')
    cuda = os.environ.get('CUDA_HOME', '/usr/local/cuda')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run(['gcc', '-O2', '-w', '-shared', '-fPIC', f'-I{cuda}/include', '-o', path, f'{SOURCE}/copies.c'], check=True)
    return path


def stage(program, options, root):
    """A folder with the program and its data, as it is packed: it is the same here and on a GPU. None: it is not built."""
    built, folder = build(program, options)[0], os.path.join(root, P.name_of(program))
    if not built:
        return None
    os.makedirs(folder, exist_ok=True)
    shutil.copy(built, folder)
    if os.path.isdir(program.folder + '/data'):
        shutil.copytree(program.folder + '/data', folder + '/data', dirs_exist_ok=True)
    return folder


# --- here -------------------------------------------------------------------------------------------------------------------------------

def run(program, options, shim, root):
    folder, base = stage(program, options, root), os.path.join(options.to, options.into, P.name_of(program))
    if not folder:
        return 'is not built'
    command = ['nice', options.gpulab, 'exec', './' + P.name_of(program), *program.words]
    status = twice.run_one(command, folder, base, options.seconds, shim)
    with open(base + '.status', 'w', encoding='utf-8') as file:
        json.dump(status, file)
    shutil.rmtree(folder)
    return f'{"takes too long" if status is None else f"status {status}"}, {len(twice.read_log(base + ".log"))} copies'


def run_all(programs, options):
    os.makedirs(os.path.join(options.to, options.into), exist_ok=True)
    shim, root = build_shim(options.to), tempfile.mkdtemp()
    for program, said in P.each(programs, options, lambda program, _: run(program, options, shim, root)):
        print(f'{program.name:64} {said}', flush=True)
    shutil.rmtree(root)


# --- for a GPU --------------------------------------------------------------------------------------------------------------------------

def pack(programs, options):
    """With the logs from here, so that the bytes of copies that differ can be kept."""
    root = os.path.join(options.pack, 'programs')
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root + '/expected')
    listed = {}
    for program in programs:
        log = os.path.join(options.to, options.into, P.name_of(program) + '.log')
        if stage(program, options, root):
            listed[P.name_of(program)] = {'file': P.name_of(program), 'words': program.words}
            if os.path.exists(log):
                shutil.copy(log, root + '/expected')
    with open(root + '/list.json', 'w', encoding='utf-8') as file:
        json.dump(listed, file, indent=1)
    shutil.copy(build_shim(options.to), root)
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
    here, there = Runs(os.path.join(options.to, options.into)), Runs(options.compare)
    programs_by_kind, copies, equal, other = {}, 0, 0, 0
    for program in programs:
        name = P.name_of(program)
        if not build(program, options)[0]:
            continue
        kind, more, kernels = judge(name, here, there)
        programs_by_kind[kind] = programs_by_kind.get(kind, 0) + 1
        copies += len(there.logs(name)[0]) if kind == 'same' else 0
        equal += sum(kernels.values())
        other += len(kernels) - sum(kernels.values())
        print(f'{kind:18} {program.name:52} {more}' + (f', status {here.status(name)} here, {there.status(name)} there'
                                                          if here.status(name) != there.status(name) and kind != 'nothing copied' else ''))
        if kind == 'differs' and options.kept:
            elements(program, there, options)
    print(', '.join(f'{count} {kind}' for kind, count in sorted(programs_by_kind.items())))
    print(f'{copies} copies of the same programs; {equal} kernels whose every copy is equal, {other} others')


# --- elements that differ ---------------------------------------------------------------------------------------------------------------

def elements(program, there, options):
    """Of each kept copy: how many words of 32 bits differ, and the first ones as integers and floats. The program runs here again."""
    name = P.name_of(program)
    folder = f'{there.folder}/kept/{name}'
    numbers = sorted(map(int, os.listdir(folder))) if os.path.isdir(folder) else []
    root = tempfile.mkdtemp()
    if numbers and stage(program, options, root):
        os.makedirs(root + '/kept')
        keep = {'COPIES_KEEP': root + '/kept', 'COPIES_NUMBERS': ','.join(map(str, numbers)), 'COPIES_MOST': str(twice.KEPT_BYTES)}
        twice.run_one(['nice', options.gpulab, 'exec', './' + name, *program.words], f'{root}/{name}', root + '/again',
                      options.seconds, build_shim(options.to), keep)
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
    parser = P.arguments(__doc__)
    parser.add_argument('--into', default='bits')
    parser.add_argument('--pack')
    parser.add_argument('--compare')
    parser.add_argument('--kept', action='store_true')
    options = P.parsed(parser)
    programs, _ = P.chosen(options)
    action = pack if options.pack else compare if options.compare else run_all
    return action(programs, options)


if __name__ == '__main__':
    sys.exit(main())
