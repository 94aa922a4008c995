"""Programs in any folder, with their own main, and .cu files without one: found, built by nvcc, run under gpulab exec, packed for a GPU.
What the scripts beside this one share.

A folder whose sources have one main is a program of all sources in it that no other one includes. Of a folder with several mains each
file with one is a program. A .cu file in a folder without main is a file of kernels."""
import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess

FLAGS = '-std=c++17 -O3 -w -lineinfo -gencode=arch=compute_90,code=[sm_90,compute_90]'
SOURCE = re.compile(r'\.(cu|cpp|cc|c)$')
MAIN = re.compile(r'^\s*(?:int|void|auto)\s+main\s*\(', re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


class Program:
    """name: its path in the folder. sources: in folder, which is also where it is built and run."""

    def __init__(self, name, folder, sources, words=()):
        self.name, self.folder, self.sources, self.words = name, folder, sources, list(words)


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


def found(root):
    """(programs, files of kernels) below the folder."""
    programs, kernels = [], []
    for at, folders, names in os.walk(root):
        folders.sort()
        texts = {name: read(os.path.join(at, name)) for name in sorted(names) if SOURCE.search(name)}
        if not any(name.endswith('.cu') for name in texts):
            continue
        included = {os.path.basename(name) for text in texts.values() for name in INCLUDE.findall(text)}
        mains = [name for name, text in texts.items() if MAIN.search(text)]
        own = [name for name in texts if name not in included]
        here = os.path.relpath(at, root)
        if len(mains) == 1 and mains[0] in own:
            programs.append(Program(SOURCE.sub('', mains[0]) if here == '.' else here, at, own))
        elif mains:
            programs += [Program(os.path.normpath(os.path.join(here, SOURCE.sub('', name))), at, [name]) for name in mains]
        else:
            kernels += [os.path.join(at, name) for name in own if name.endswith('.cu')]
    return programs, kernels


def chosen(options):
    """The programs that the options select, with their arguments, and the files of kernels."""
    programs, kernels = found(options.folder)
    words = {}
    for line in read(options.arguments).splitlines() if options.arguments else ():
        name, *rest = shlex.split(line) or ['']
        words[name] = rest
    for program in programs:
        program.words = words.get(program.name, [])
    return ([program for program in programs if re.search(options.only, program.name)],
            [path for path in kernels if re.search(options.only, os.path.relpath(path, options.folder))])


def arguments(doc):
    """Those that all scripts have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gpulab')
    parser.add_argument('folder')
    parser.add_argument('--to', default='foreign', help='a folder for what is built and printed')
    parser.add_argument('--only', default='', help='a regular expression: the programs whose names it matches')
    parser.add_argument('--arguments', help='a file with the name of a program and its arguments in each line')
    parser.add_argument('--flags', default='', help='more for nvcc, relative to the folder of a program')
    parser.add_argument('--seconds', type=float, default=60, help='that a program may take')
    parser.add_argument('--jobs', type=int, default=2)
    return parser


def parsed(parser):
    options = parser.parse_args()
    options.folder, options.to = os.path.abspath(options.folder), os.path.abspath(options.to)
    options.gpulab = os.path.abspath(options.gpulab) if os.sep in options.gpulab else options.gpulab
    return options


def each(programs, options, action):
    """(program, what the action returns), in the order of the programs, some at a time."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from zip(programs, pool.map(lambda program: action(program, options), programs))


# --- one program ----------------------------------------------------------------------------------------------------------------------------

def name_of(program):
    return program.name.replace('/', '+')


def build(program, options, flags=FLAGS, into='built'):
    """(path, None), or (None, the first error)."""
    target = os.path.join(options.to, into, name_of(program))
    log = target + '.log'
    if not os.path.exists(log):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        command = ['nvcc', *shlex.split(flags), '-I.', *shlex.split(options.flags), '-o', target, *program.sources]
        with open(log, 'w', encoding='utf-8') as out:
            subprocess.run(command, cwd=program.folder, stdout=out, stderr=out, check=False)
    if os.path.exists(target):
        return target, None
    problem = re.search(r'(fatal error: .*|error *: .*|undefined reference to .*|cannot find -l\S+|No such file.*)', read(log))
    return None, problem[1][:110] if problem else 'nvcc ended without a message'


def run_exec(program, options, more, into='output'):
    """The status of the program under gpulab exec, None if it took too long; what it printed comes into a folder of --to, by its name."""
    path, problem = build(program, options)
    if problem:
        return 'does not compile: ' + problem
    base = os.path.join(options.to, into, name_of(program))
    os.makedirs(os.path.dirname(base), exist_ok=True)
    with open(base + '.out', 'wb') as out, open(base + '.err', 'wb') as err:
        child = subprocess.Popen(['nice', options.gpulab, 'exec', *more, '--json', base + '.json', path, *program.words], cwd=program.folder,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        try:
            return child.wait(options.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            return None


# --- for a GPU ------------------------------------------------------------------------------------------------------------------------------

def pack(programs, options, command):
    """The programs, and OUT/run, which runs the command of each on a GPU and leaves its outputs in $1."""
    os.makedirs(f'{options.pack}/programs', exist_ok=True)
    lines = ['#!/bin/sh', '# Runs every program on the GPU; the outputs come into the folder named by the first argument.', 'cd "$(dirname "$0")"',
             'out=${1:-out}', 'mkdir -p "$out"', 'tar xJf programs.tar.xz']
    for program, (path, problem) in each(programs, options, build):
        if problem:
            print(f'{program.name:52} {problem}', flush=True)
            continue
        shutil.copy(path, f'{options.pack}/programs/{name_of(program)}')
        lines.append(command(name_of(program), ' '.join(shlex.quote(word) for word in program.words)))
    with open(f'{options.pack}/run', 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')
    os.chmod(f'{options.pack}/run', 0o755)
    subprocess.run(['tar', 'cJf', 'programs.tar.xz', 'programs'], cwd=options.pack, check=True)
    shutil.rmtree(f'{options.pack}/programs')


def beside_gpu(doc, under_profiler, compare, *more):
    """The main function of a script that packs programs, or compares what they did here with what a GPU did; more: its own options."""
    parser = arguments(doc)
    for option in ('--pack', '--compare', *more):
        parser.add_argument(option)
    options = parsed(parser)
    programs, _ = chosen(options)
    if options.pack:
        return pack(programs, options, under_profiler)
    if options.compare:
        return compare(programs, options)
    parser.error('--pack or --compare')
