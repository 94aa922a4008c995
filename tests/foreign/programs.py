#!/usr/bin/env python3
"""Whole programs of public repositories, with their own main, unmodified, under gpulab exec. By hand:

    tests/foreign/programs.py GPULAB FOLDER [--only TEXT] [--seconds N] [--jobs N] [--check LIST]
    tests/foreign/programs.py - FOLDER --build [--only TEXT] [--jobs N]      builds them, and runs nothing
    tests/foreign/programs.py GPULAB FOLDER --kernels                the kernels of the programs that are right, of the runs before
    tests/foreign/programs.py GPULAB FOLDER --pack OUT       the programs and a script that runs them on a GPU, without gpulab
    tests/foreign/programs.py GPULAB FOLDER --compare OUT    the output here against that of OUT/run on a GPU

FOLDER holds checkouts named owner+name; those that are missing are cloned. Programs are built once, into FOLDER/built, by nvcc with its
default runtime (static). Prints one line per program and the totals. FOLDER/output has what they printed, and their counters as JSON,
which counters.py compares. A program is

    right       it checks its own result, and says that it passed
    ends        it ends with status 0, and checks nothing
    ...         else: what stopped it, in words

docs/records/foreign.md has a recorded run and the commits."""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

FLAGS = ['-std=c++17', '-DcudaThreadSynchronize=cudaDeviceSynchronize', '-O3', '-w', '-lineinfo', '-gencode=arch=compute_90,code=[sm_90,compute_90]']

SAMPLES, HEC, RODINIA = 'NVIDIA+cuda-samples', 'zjin-lcf+HeCBench', 'yuhc+gpu-rodinia'
POLYBENCH, LLM, SGEMM = 'sgrauerg+polybenchGpu', 'karpathy+llm.c', 'siboehm+SGEMM_CUDA'
RSBENCH = 'ANL-CESAR+RSBench'

# Samples: all of these folders. What needs a display, MPI, or the driver API is left out by name.
SAMPLE_FOLDERS = 'Samples/0_Introduction', 'Samples/2_Concepts_and_Techniques', 'Samples/6_Performance', 'Samples/3_CUDA_Features', 'Samples/5_Domain_Specific'
NOT_HERE = re.compile(r'nvrtc|Drv|GL|MPI|JIT|IPC|EGL|Vulkan|D3D|Nv[A-Z]|nvJPEG|MMAP|cuDLA|opticalFlow')

# Rodinia: sources (in nvcc's order), arguments; those that need no file of its data archive.
RODINIA_PROGRAMS = {
    'backprop': ('backprop.c facetrain.c imagenet.c backprop_cuda.cu', '65536'),
    'gaussian': ('gaussian.cu', '-s 64'),
    'lavaMD': ('main.c util/timer/timer.c util/num/num.c util/device/device.cu kernel/kernel_gpu_cuda_wrapper.cu', '-boxes1d 4'),
    'lud': ('cuda/lud.cu cuda/lud_kernel.cu common/common.c', '-s 256 -v'),
    'nw': ('needle.cu', '512 10'),
    'particlefilter': ('ex_particle_CUDA_float_seq.cu', '-x 128 -y 128 -z 10 -np 1000'),
    'particlefilter-naive': ('ex_particle_CUDA_naive_seq.cu', '-x 128 -y 128 -z 10 -np 1000'),
    'pathfinder': ('pathfinder.cu', '10000 100 20'),
    'srad_v2': ('srad.cu', '128 128 0 31 0 31 0.5 2'),
    'streamcluster': ('streamcluster_cuda_cpu.cpp streamcluster_cuda.cu', '10 20 64 4096 4096 1000 none output.txt 1'),
    'hybridsort': ('main.cu bucketsort.cu mergesort.cu', 'r'),
}
RODINIA_FOLDERS = {'srad_v2': 'srad/srad_v2', 'particlefilter-naive': 'particlefilter'}

# HeCBench: programs that check their result, with smaller arguments than those of their Makefiles.
HEC_SMALL = """
adam 10000 20 1|adamw 16384 1|adjacent 100000 1|asmooth 256 20 9 1|atomicAggregate 1|atomicCAS 1|atomicCost 1 1|atomicIntrinsics 10 1
attention 256 64 0 1|axpby 1|backprop 1024|bincount 100000 1|bitonic-sort 10 2|bitpermute 1|blockAccess 64 64 1|bscan 1|bwt 1000|chacha20 10
channelSum 16 16 1|colorwheel 10 64 1|complex 10000 1|concat 1|convolution1D 100000 1|convolutionSeparable 256 256 1|cooling 10000 1
coordinates 10000 1|cross 10000 1|damage 10000 1|dp 100000 1|dp4a 100000 1|entropy 128 128 1|filter 100000 256 1|floydwarshall 64 1 16
gamma-correction 64 64 8 1|geam 256 256 1|hausdorff 1000 1000 1|heat2d 256 256 4|interval 0 1|jenkins-hash 256 10000 1|linearprobing 8 1
matrix-rotate 100 1|matrixT 256 256 1|merge 1000 1|minmax 1000 1|mrc 10000 1|mtf 64 1|nlll 2048 100 1|nonzero 64 64 1|norm2 1|nosync 100000 1
nqueen 8 7 1|nw 32 10 1|particle-diffusion 10 1|pnpoly 1|present 100 1|projectile 1|relu 1000 1|reverse 1|romberg 128 64 1|scan 100000 1
scatter 10000 1|softmax 64 784 0 1|split 32768 1|stddev 256 64 1|stencil1d 131072 1|tensorAccessor 64 64 1|unfold 1000 1|vanGenuchten 32 32 32 1
wyllie 1000 1 1|zeropoint 10000 1"""

# And more of them, for the counters: some check nothing.
HEC_MORE = """
f16atomic 1024 1|michalewicz 1000 1|rodrigues 1000 1|threadfence 1 10000|maxpool3d 64 64 2 1|langevin 4096 1|keogh 64 2000 1|tissue 8 1|ne 64 64 1
chi2 100 256 50 50 64 1|perplexity 100 5 1|gelu 1 64 128 1|ga 1000 100 11 1|wedford 4 64 64 1|background-subtract 64 64 0 4|murmurhash3 100 1
mrg32k3a 1000 1|bilateral 64 64 0.5 0.5 1|haccmk 1|lif 100 4 10|pathfinder 1000 20 5|distort 64 64 0.001 1|laplace3d 32 32 32 2 1|glu 3 64 1
stencil3d 34 1|expdist 256 1|moe-sum 4 64 1|popcount 10000 1|scel 4 64 1|heat 32 4|slit 32 1|all-pairs-distance 1|blockScan 20 1|spm 16 1
scatterAdd 1000 8 8 1|surfel 16 32 32 1|burger 34 34 2|remap 1000 1|cbsfil 64 64 1|flip 3 16 1|collision 1|dropout 1000 1|channelShuffle 2 16 16 1
silu 2 2 16 16 1|rowwiseMoments 2 8 8 8 4 1|ntt 1|pool 1 2 16 16 8 8 1|dense-embedding 1000 32 1|rmsnorm 2 512 1|libor 1|iso2dfd 64 64 2|vote 1
dpid 32 24 0.5 1|upsample 1 2 8 8 1|lud -s 64|dwconv 1 2 16 16 1|rainflow 100 1|scan2 1 1024 256|hwt1d 1024 1|tsa 64 64 1|debayer 64 64 1
jaccard 64 32 1|md 1 1|simpleSpmv 1000 100 1|epistasis 16 100 1|reverse2D 64 64 1|dct8x8 64 64 1|mask 16 16 4 1|layernorm 2 8 128 1|vol2col 1
nbody 256 3|p4 1|thomas 64 256 64 1|gaussian -q -t -s 32|quicksort 1 64 64|mergeVS 1|radixsort 1|matern 4 1|permute 1 1|aobench 1|extrema 1|lrn 1
segment-reduce 1 1|bsearch 1024 1|kurtosis 10000 1|fft 0 1"""

LLM_PROGRAMS = ('gelu_forward 1', 'gelu_forward 2', 'residual_forward 1', 'residual_forward 2', 'softmax_forward 1', 'layernorm_forward 3',
                'encoder_forward 1', 'crossentropy_forward 1', 'adamw 1', 'permute', 'gelu_backward 1', 'global_norm 1', 'fused_residual_forward 1')

# Programs of one file each: {repository: (flags, 'file words|file words|...')}.
SINGLES = {
    'deeperlearning+professional-cuda-c-programming': ([], """
examples/chapter02/sumArraysOnGPU-small-case|examples/chapter03/reduceInteger 512|examples/chapter03/simpleDivergence 64 64
examples/chapter04/globalVariable|examples/chapter04/memTransfer|examples/chapter04/pinMemTransfer|examples/chapter04/readSegment 11
examples/chapter04/readSegmentUnroll 11|examples/chapter04/simpleMathAoS|examples/chapter04/simpleMathSoA|examples/chapter04/sumArrayZerocpy 14
examples/chapter04/sumMatrixGPUManaged 8|examples/chapter04/sumMatrixGPUManual 8|examples/chapter04/transpose 6 16 16 512 512
examples/chapter04/writeSegment 11|examples/chapter05/checkSmemRectangle 1|examples/chapter05/checkSmemSquare 1|examples/chapter05/constantStencil
examples/chapter05/constantReadOnly|examples/chapter05/reduceIntegerShfl 16|examples/chapter05/simpleShfl|examples/chapter05/transposeRectangle 0 256 256
examples/chapter06/simpleCallback 4|examples/chapter06/simpleHyperqDepth 4 0|examples/chapter06/simpleMultiAddBreadth|examples/chapter06/simpleMultiAddDepth
examples/chapter07/atomic-ordering|examples/chapter07/floating-point-accuracy|examples/chapter07/fmad|examples/chapter07/my-atomic-add
examples/chapter10/sumMatrixGPU 8|solutions/chapter04/transpose 8 16 16 512 512|solutions/chapter05/checkSmemSquare 1
solutions/chapter05/reduceInteger 128 16|solutions/chapter05/simpleShflAltered|solutions/chapter04/readWriteSegment 11|solutions/chapter04/globalVariable2"""),
    'CoffeeBeforeArch+cuda_programming': ([], """
01_vector_addition/baseline/vectorAdd|01_vector_addition/unified_memory/vectorAdd_um_baseline|01_vector_addition/unified_memory/vectorAdd_um_prefetch
02_matrix_mul/baseline/mmul|02_matrix_mul/tiled/mmul|03_sum_reduction/bank_conflicts/sumReduction
03_sum_reduction/cooperative_groups/sumReduction|03_sum_reduction/device_function/sumReduction|03_sum_reduction/diverged/sumReduction
03_sum_reduction/no_confliicts/sumReduction|03_sum_reduction/reduce_idle/sumReduction|04_histogram/shmem_atomic/histogram
05_convolution/1d_cache/convolution|05_convolution/1d_constant_memory/convolution|05_convolution/1d_naive/convolution
05_convolution/1d_tiled/convolution|05_convolution/2d_constant_memory/convolution"""),
    'olcf+cuda-training-series': ([], """
exercises/hw1/vector_add_solution|exercises/hw2/stencil_1d_solution|exercises/hw5/max_reduction_solution|exercises/hw6/linked_list_solution
exercises/hw8/task1/task1_solution|exercises/hw9/task1_solution|exercises/hw9/task2_solution|exercises/hw12/task1_solution|exercises/hw12/task2_solution
exercises/hw13/Solutions/axpy_stream_capture_solution"""),
    'brucefan1983+CUDA-Programming': ([], """
src/02-thread-organization/hello5|src/05-prerequisites-for-speedup/arithmetic2gpu 10000|src/06-memory/static|src/07-global-memory/matrix 128
src/08-shared-memory/bank 128|src/10-warp/warp|src/11-stream/kernel-kernel"""),
    'NVIDIA-developer-blog+code-samples': ([], """
series/cuda-cpp/finite-difference/finite-difference|series/cuda-cpp/shared-memory/shared-memory|series/cuda-cpp/transpose/transpose
series/cuda-cpp/coalescing-global/coalescing|posts/mixed-precision/haxpy|posts/unified-memory/dataElem_um|posts/unified-memory/dataElem
posts/unified-memory/dataElem_um_c++_1|posts/parallel_reduction_with_shfl/main 100000 1|posts/gups/gups -n 16"""),
}


class Program:
    def __init__(self, repository, name, folder, sources, flags=(), words=()):
        self.repository, self.name, self.folder = repository, name, folder
        self.sources, self.flags, self.words = list(sources), list(flags), list(words)

    def label(self):
        return f'{self.repository.split("+")[1]}/{self.name}'


def sources_of(folder):
    return sorted(os.path.basename(path) for kind in ('cu', 'cpp', 'c') for path in glob.glob(f'{folder}/*.{kind}'))


def samples(root):
    for group in SAMPLE_FOLDERS:
        for folder in sorted(glob.glob(f'{root}/{group}/*/')):
            name = os.path.basename(folder[:-1])
            if not NOT_HERE.search(name) and sources_of(folder):
                yield Program(SAMPLES, name, folder, sources_of(folder), [f'-I{root}/Common', '-I.', '-Iinc'])


def hecbench(root):
    for line in (HEC_SMALL + HEC_MORE).replace('\n', '|').strip('|').split('|'):
        name, *words = line.split()
        folder = f'{root}/src/{name}-cuda/'
        makefile = open(f'{folder}/Makefile', encoding='utf-8').read()
        found = re.search(r'^source\s*=\s*(.*(?:\\\n.*)*)', makefile, re.M)
        sources = found.group(1).replace('\\\n', ' ').split() if found else sources_of(folder)
        yield Program(HEC, name + '-cuda', folder, sources, ['-I.', *re.findall(r'-I[.\w/-]+', makefile)], words)


def rodinia(root):
    for name, (sources, words) in RODINIA_PROGRAMS.items():
        yield Program(RODINIA, name, f'{root}/cuda/{RODINIA_FOLDERS.get(name, name)}/', sources.split(), ['-I.', '-I../util', '-Icommon'], words.split())


def polybench(root):
    for folder in sorted(glob.glob(f'{root}/CUDA/*/')):
        yield Program(POLYBENCH, os.path.basename(folder[:-1]), folder, sources_of(folder), [f'-I{root}/common', '-DMINI_DATASET'])


def llm(root):
    for words in LLM_PROGRAMS:
        name, *rest = words.split()
        yield Program(LLM, words.replace(' ', '-'), f'{root}/dev/cuda/', [name + '.cu'], ['-I.', '-lcublas', '-lcublasLt'], rest)


def sgemm(root):
    yield Program(SGEMM, 'simplest_kernel', f'{root}/', ['simplest_kernel.cu'])
    yield Program(SGEMM, 'sgemm', f'{root}/', ['sgemm.cu', 'src/runner.cu'], ['-Isrc', '-lcublas'], ['1'])


def rsbench(root):
    yield Program(RSBENCH, 'RSBench', f'{root}/cuda/', sources_of(f'{root}/cuda'), ['-I.'], '-m event -s small -l 1000'.split())


def singles(repository):
    def find(root):
        flags, lines = SINGLES[repository]
        for line in lines.replace('\n', '|').strip('|').split('|'):
            path, *words = line.split()
            yield Program(repository, path.replace('/', '-'), f'{root}/{os.path.dirname(path)}/', [os.path.basename(path) + '.cu'], ['-I.', *flags], words)
    return find


REPOSITORIES = {RODINIA: rodinia, POLYBENCH: polybench, LLM: llm, SGEMM: sgemm, SAMPLES: samples, HEC: hecbench,
                RSBENCH: rsbench, **{repository: singles(repository) for repository in SINGLES}}


def all_programs(folder):
    return [program for repository, find in REPOSITORIES.items() for program in find(checkout(folder, repository))]


def checkout(folder, repository):
    path = os.path.join(folder, repository)
    if not os.path.isdir(path):
        subprocess.run(['git', 'clone', '--depth', '1', 'https://github.com/' + repository.replace('+', '/'), path], check=True)
    return path


# --- one program ----------------------------------------------------------------------------------------------------------------------------

def build(program, folder, into='built', flags=FLAGS):
    """The program's path, or the first error."""
    target = os.path.join(folder, into, program.repository, program.name)
    log = target + '.log'
    if os.path.exists(target):
        return target, None
    if not os.path.exists(log):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(log, 'w', encoding='utf-8') as out:
            subprocess.run(['nvcc', *flags, *program.flags, '-o', target, *program.sources], cwd=program.folder, stdout=out, stderr=out,
                           timeout=600, check=False)
    if os.path.exists(target):
        return target, None
    text = open(log, encoding='utf-8', errors='replace').read()
    found = re.search(r'(fatal error: .*|error: .*|undefined reference to .*|cannot find -l\S+|No such file.*)', text)
    return None, found.group(1)[:110] if found else 'nvcc ended without a message'


def build_all(programs, options):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, (_, problem) in zip(programs, pool.map(lambda program: build(program, options.folder), programs)):
            if problem:
                print(f'{program.label():52} {problem}', flush=True)


PASSED = re.compile(r'\bPASS(ED)?\b|\bSuccess|\bOK\b|results? match|verification (is )?passed|Result = PASS|Test passed|Beyond Error Threshold of \S+ Percent: 0\b',
                    re.I)
FAILED = re.compile(r'\bFAIL(ED|URE)?\b|mismatch|not match|incorrect result|Beyond Error Threshold of \S+ Percent: [1-9]|\bWrong\b', re.I)


def verdict(status, out, errors):
    fault = re.search(r'^gpulab: (.*)', errors, re.M)
    lacking = re.search(r'^gpulab: \S+: (.*): gpulab\'s CUDA runtime', errors, re.M)
    if lacking:
        return 'missing: ' + lacking.group(1)[:100]
    if status is None:
        return 'takes too long'
    if fault:
        return fault.group(1)[:140]
    if FAILED.search(re.sub(r'0 (errors|failures|failed)|no mismatch', '', out, flags=re.I)):
        return 'wrong result'
    if status:
        last = (errors.strip().splitlines() or out.strip().splitlines() or [''])[-1]
        return f'status {status}: {last[:90]}'
    return 'right' if PASSED.search(out) else 'ends'


def run(program, options):
    path, problem = build(program, options.folder)
    if problem:
        return program, 'does not compile: ' + problem, 0
    base = os.path.join(options.folder, 'output', program.repository)
    os.makedirs(base, exist_ok=True)
    began = time.monotonic()
    more = ['--check', options.check] if options.check else ['--json', f'{base}/{program.name}.json']
    with open(f'{base}/{program.name}.out', 'wb') as out, open(f'{base}/{program.name}.err', 'wb') as err:
        child = subprocess.Popen(['nice', options.gpulab, 'exec', *more, path, *program.words], cwd=program.folder, stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=err, start_new_session=True)
        try:
            status = child.wait(options.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            status = None
    texts = [open(f'{base}/{program.name}.{kind}', encoding='utf-8', errors='replace').read() for kind in ('out', 'err')]
    said = verdict(status, *texts)
    with open(f'{base}/{program.name}.verdict', 'w', encoding='utf-8') as file:
        file.write(said)
    return program, said, time.monotonic() - began


# --- on a GPU ----------------------------------------------------------------------------------------------------------------------------------

def name_of(program):
    return f'{program.repository}+{program.name}'


def native(name, words):
    return f'timeout 60 ./programs/{name} {words} >"$out/{name}" 2>&1 </dev/null; echo "$? {name}" >>"$out/status"'


def pack(programs, options, command=native):
    """The programs, and OUT/run, which runs the command of each on a GPU and leaves its outputs in $1."""
    os.makedirs(f'{options.pack}/programs', exist_ok=True)
    lines = ['#!/bin/sh', '# Runs every program on the GPU; the outputs come into the folder named by the first argument.', 'cd "$(dirname "$0")"',
             'out=${1:-out}', 'mkdir -p "$out"', 'tar xJf programs.tar.xz']
    for program in programs:
        path = os.path.join(options.folder, 'built', program.repository, program.name)
        if os.path.exists(path):
            shutil.copy(path, f'{options.pack}/programs/{name_of(program)}')
            lines.append(command(name_of(program), ' '.join(shlex.quote(word) for word in program.words)))
    with open(f'{options.pack}/run', 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')
    os.chmod(f'{options.pack}/run', 0o755)
    subprocess.run(['tar', 'cJf', 'programs.tar.xz', 'programs'], cwd=options.pack, check=True)
    shutil.rmtree(f'{options.pack}/programs')


VOLATILE = re.compile(r'time|took|start|samples\/s|\d m?s$|\bms\b|\bus\b|sec|GB/s|GFlop|MB/s|speedup|device|GPU|bandwidth|throughput|clock|version|cycles|'
                      r'^[\d.]+\s*$', re.I)
VERDICT = re.compile(r'match|pass|fail|wrong|correct|error', re.I)


def steady(text):
    """Without lines about times and the device; those that say whether a result is right stay."""
    return [line.rstrip() for line in text.splitlines() if VERDICT.search(line) or not VOLATILE.search(line)]


def compare(programs, options):
    same = 0
    for program in programs:
        here = os.path.join(options.folder, 'output', program.repository, program.name + '.out')
        there = f'{options.compare}/{name_of(program)}'
        if not (os.path.exists(here) and os.path.exists(there)):
            continue
        a, b = (steady(open(path, encoding='utf-8', errors='replace').read()) for path in (here, there))
        if not a or not b:
            print(f'nothing  {program.label()}  {"here" if not a else "there"}')
            continue
        differing = [(x, y) for x, y in zip(a, b) if x != y]
        same += a == b
        print(f'{"same" if a == b else "differs":8} {program.label()}' + (f'  {differing[0][0][:60]!r} here, {differing[0][1][:60]!r} there'
                                                                           if differing else ''))
    print(f'{same} the same')


# --- the kernels of right programs -----------------------------------------------------------------------------------------------------------------

def kernels_of(program, options):
    """The names of the kernels that a right program launched, without template arguments."""
    base = os.path.join(options.folder, 'output', program.repository, program.name)
    try:
        with open(base + '.verdict', encoding='utf-8') as said, open(base + '.json', encoding='utf-8') as file:
            return sorted({kernel['kernel'] for kernel in json.load(file)['kernels']}) if said.read() == 'right' else []
    except (OSError, ValueError, KeyError):
        return []


def list_kernels(programs, options):
    by_repository = {}
    for program in programs:
        names = kernels_of(program, options)
        if names:
            by_repository.setdefault(program.repository, []).append((program.name, names))
    for repository, found in by_repository.items():
        for name, names in found:
            print(f'{repository.split("+")[1]}/{name}: {", ".join(names)}')
    for repository, found in by_repository.items():
        print(f'{repository}: {len(found)} programs, {sum(len(names) for _, names in found)} kernels')


# --- all of them ---------------------------------------------------------------------------------------------------------------------------------

def arguments():
    """Those that all scripts with these programs have."""
    parser = argparse.ArgumentParser()
    parser.add_argument('gpulab')
    parser.add_argument('folder')
    parser.add_argument('--only', default='')
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--jobs', type=int, default=2)
    return parser


def main():
    parser = arguments()
    parser.add_argument('--check')
    parser.add_argument('--build', action='store_true')
    parser.add_argument('--kernels', action='store_true')
    parser.add_argument('--pack')
    parser.add_argument('--compare')
    options = parser.parse_args()
    options.folder, options.gpulab = os.path.abspath(options.folder), os.path.abspath(options.gpulab)
    programs = [program for program in all_programs(options.folder) if options.only in program.label()]
    if options.build:
        return build_all(programs, options)
    if options.pack:
        return pack(programs, options)
    if options.compare:
        return compare(programs, options)
    if options.kernels:
        return list_kernels(programs, options)
    totals = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, said, seconds in pool.map(lambda program: run(program, options), programs):
            kind = said.split(':')[0] if said.startswith(('missing', 'does not', 'status')) else said if len(said) < 16 else 'fault'
            totals[kind] = totals.get(kind, 0) + 1
            print(f'{program.label():52} {seconds:6.1f} s  {said}', flush=True)
    print(', '.join(f'{count} {kind}' for kind, count in sorted(totals.items())))


if __name__ == '__main__':
    sys.exit(main())
