#!/usr/bin/env python3
"""gpulab exec with real programs, built by nvcc: skipped where there is none.

    test_exec.py GPULAB SOURCE CUDA_HOME      as TAP"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../repl'))
from runs import CUDA, GPULAB, PROGRAMS, SOURCE, build, build_both, ends, finish, folder, gpulab, nvcc, point, source_line  # noqa: E402
from terminal import CTRL_C, Terminal, plain  # noqa: E402  pylint: disable=wrong-import-position

try:
    PTX = '-gencode=arch=compute_80,code=compute_80'
    static, shared = build_both('runtime.cu', PTX)
    ends('the static runtime, nvcc\'s default', gpulab(static), 0, '0 failures, 0 arguments\n')
    ends('arguments and exit status are the program\'s own', gpulab(static, '3', '--check'), 3, '0 failures, 2 arguments\n')
    ends('the shared runtime', gpulab(shared), 0, '0 failures, 0 arguments\n')
    copies, log = os.path.join(folder, 'copies.so'), os.path.join(folder, 'copies.log')
    subprocess.run([os.environ.get('CC', 'cc'), '-w', '-shared', '-fPIC', f'-I{CUDA}/include', '-o', copies,
                    os.path.join(SOURCE, 'tests/foreign/copies.c')], check=True)
    run = subprocess.run([GPULAB, 'exec', shared], env=dict(os.environ, LD_PRELOAD=copies, COPIES_LOG=log), text=True, capture_output=True,
                         check=False)
    lines = [line.split('\t') for line in (pathlib.Path(log).read_text(encoding='utf-8').splitlines() if os.path.exists(log) else ())]
    point('a preloaded library wraps the runtime\'s functions', run.returncode == 0 and run.stdout == '0 failures, 0 arguments\n' and
          [line[1:3] + line[4:] for line in lines[:3]] == [['to cudaMemcpy', '4000', ''], ['to cudaMemcpyToSymbol', '16', ''],
                                                         ['cudaMemcpy', '4000', '_Z5scalePiii,_Z5countPKii']], f'{run} {lines}')
    ends('nothing to report on a correct program', gpulab('--check', 'memory,race,init,sync', static), 0, '0 failures, 0 arguments\n', 'no issues in ')

    wrong = build('wrong.cu', 'wrong', '-arch=sm_80')
    ends('what kernels print appears in its place', gpulab(wrong, 'order', stdin='line\n'), 0, 'before\nkernel\nafter line\n')
    ends('a fault: the program sees the error, gpulab names the line', gpulab(wrong, 'fault'), 2, 'an illegal memory access was encountered\n', 'wrong.cu:13')
    late = subprocess.run([GPULAB, '--limit', 'emulator_time=1', 'exec', '--check', 'race', wrong, 'endless'], text=True, capture_output=True,
                         check=False)
    point('a launch that is not checked to its end', late.returncode == 4 and 'endless<<<1, 1>>>: timeout' in late.stderr and 'in order' not in late.stderr
          and 'no issues in 1 launch, but not all of them were checked to the end' in late.stderr, f'{late.returncode} {late.stderr}')
    run = gpulab('--check', 'all', '--json', '-', wrong, 'race')
    point('a race is found', run.returncode == 6 and 'race at wrong.cu:' in run.stderr, run.stderr)
    for other in ('--count',), ('--model', 'GTX 280'):
        ends('no run is both checked and counted', gpulab('--check', 'all', *other, wrong, 'race'), 64, '', '--check and ' + other[0])
    table = gpulab('--count', build('counted.cu', 'counted', PTX)).stderr
    heads = set(re.findall(r'[a-z]{4,}', ' '.join(line for line in table.split('\n') if not re.match(r'  (hist|local|  counted|…::scaled)\b', line))))
    point('columns of what is counted: atomics, conflicts, local memory', {'atomics', 'atomic', 'conflicts', 'local', 'barriers'} <= heads, table)
    point('and none of what is zero everywhere', not {'texture', 'surface', 'bulk', 'constant', 'bank', 'divergent'} & heads and
          max(map(len, table.split('\n'))) <= 80 and ' 0' not in table, table)
    point('instances of a template have its arguments, and no namespaces that take all the room', '…::scaled<2> ' in table and '…::scaled<3> ' in table, table)
    document = json.loads(run.stdout)
    point('JSON has the issue', document['issues'][0]['check'] == 'race' and document['issues'][0]['kernel'] == 'mirror', document)
    run = gpulab('--json', '-', '--model', 'GTX 280', wrong, 'race')
    kernel = json.loads(run.stdout)['kernels'][0]
    line = [line for line in kernel['lines'] if line['line'] == 9]
    point('JSON has counters by line and a prediction', line[0]['counters']['shared_load_requests'] == 2 and kernel['models'][0]['gpu'] == 'GTX 280' and
          kernel['models'][0]['ms'] > 0 and kernel['counters']['shared_load_requests'] == 2, kernel)
    run = gpulab('--model', 'H200', '--json', '-', wrong, 'order', stdin='x\n')
    point('a prediction leaves out printf, and says so', 'without the time of printf)' in run.stderr and
          '"note": "without the time of printf"' in run.stdout, run.stdout + run.stderr)
    ends('a missing function is named', gpulab(wrong, 'missing'), 5, '', 'cudaIpcGetMemHandle')
    point('a signal ends the program', gpulab(wrong, 'crash').returncode == 128 + 6)
    ends('without PTX it says how to compile', gpulab(build('wrong.cu', 'sass', '-gencode=arch=compute_80,code=sm_80'), 'race'), 5, '', 'no PTX')
    for mode, flags in ('SASS and PTX', ['-arch=sm_90']), ('PTX alone', ['-gencode=arch=compute_90,code=compute_90']):
        run = gpulab(build('nested.cu', 'nested', '-lineinfo', '-rdc=true', *flags))
        said = ' '.join(run.stderr.split())
        point(f'of a program with dynamic parallelism and {mode} the other kernels run',
              run.returncode == 5 and run.stdout == 'cudaSuccess\ncudaErrorNotSupported\ncudaErrorNotSupported\n1 62 3\n', run.stdout)
        point(f'the kernels that launch are named with {mode}', re.search(
            r'parent<<<.* the kernel parent launches a kernel from the device at \S*nested.cu:10 .*'
            r'the kernel deep launches a kernel from the device at \S*nested.cu:14 ', said) and 'by_pointer' not in said, said)
    run = gpulab(build('nested.cu', 'nested', PTX, '-rdc=true'), 'pointer')
    point('one that a pointer leads to is named when it is called', run.returncode == 2 and run.stdout == 'cudaErrorIllegalInstruction\n' and
          'device runtime (dynamic parallelism)' in ' '.join(run.stderr.split()), run.stderr)
    ends('device code of two files', gpulab(build('nested.cu', 'nested', PTX, '-rdc=true', os.path.join(PROGRAMS, 'scale.cu'))), 5, '', 'more than one file')
    blackwell = build('blackwell.cu', 'blackwell', '-gencode=arch=compute_100a,code=compute_100a')
    ends('an instruction of a later GPU is named', gpulab('--device', 'emu:B200', blackwell), 2, 'cudaErrorIllegalInstruction\n',
         'tcgen05.alloc.cta_group::1')
    stripped = os.path.join(folder, 'stripped')
    subprocess.run(['strip', '-o', stripped, wrong], check=True)
    ends('a stripped program', gpulab(stripped), 5, '', '-cudart shared')
    with open(os.path.join(folder, 'host.cpp'), 'w', encoding='utf-8') as file:
        file.write('int main() {}\n')
    subprocess.run([nvcc, file.name, '-o', os.path.join(folder, 'host')], check=True)
    ends('a program of host code alone', gpulab(os.path.join(folder, 'host')), 0, '', 'made no call of the CUDA runtime')
    for mode in 'none', 'size', 'speed':
        packed = build('wrong.cu', mode, PTX, f'--compress-mode={mode}')
        ends(f'device code compressed by mode {mode}', gpulab(packed, 'order', stdin='x\n'), 0, 'before\nkernel\nafter x\n')

    run = gpulab('--break', 'mirror', wrong, 'race', stdin='print a\nstep 2\nprint a[threadIdx.x]\nshow it\nkill\n')
    point('a launch is stepped without a terminal', run.returncode == 0 and all(text in run.stdout for text in (
        'Launch 1 of the program.', 'mirror: grid 1 x 1 x 1, block 64 x 1 x 1', '\n9  ', 'print a[threadIdx.x]\n  a[threadIdx.x]\n              ====', 'kill\n  The stepped launch has ended')) and
        'gpulab exec --check' in run.stderr, run.stdout + run.stderr)
    run = gpulab('--break', 'wrong.cu:9', '--break', 'wrong.cu:4000', '--break', 'nothing', wrong, 'race', stdin='kill\n')
    point('a launch stops at a line', 'Stop 1: wrong.cu:9.' in run.stdout and 'no launch got to nothing' in run.stderr and
          'no launch got to wrong.cu:4000: no kernel that ran has code there' in run.stderr and 'got to wrong.cu:9' not in run.stderr,
          run.stdout + run.stderr)
    run = gpulab('--break', 'mirror', build('wrong.cu', 'plain', '-G', PTX), 'race', stdin='print a\nkill\n')
    point('with -G parameters have values, too', '  a           ====' in run.stdout, run.stdout + run.stderr)
    ends('a place that is none', gpulab('--break', '3', wrong, 'race'), 64, '', 'neither a kernel\'s name nor FILE:LINE')
    terminal = Terminal([GPULAB, 'exec', '--break', 'hello', wrong, 'order'], dict(os.environ, TERM='xterm', NO_COLOR='1'))
    try:
        terminal.expect('before\n.*Launch 1 of the program.*exec debug> ')
        terminal.send(CTRL_C)  # is the prompt's, not the program's
        terminal.expect('exec debug> ')
        terminal.line('step')
        terminal.expect('17  .*exec debug> ')
        terminal.line('quit')
        terminal.expect('kernel\n')  # what it prints is printed once, when it runs
        terminal.line('typed')
        terminal.expect('after typed\n')
        point('a launch is stepped at a terminal', terminal.close() == 0 and plain(terminal.seen).count('\nkernel\n') == 1, terminal.seen)
    finally:
        terminal.kill()

    def accesses(*code):
        run = gpulab('--count', '--json', '-', build('fused.cu', 'fused', f'-gencode=arch=compute_90,code=[{",".join(code)}]'))
        kernel, other = json.loads(run.stdout.partition('{')[1] + run.stdout.partition('{')[2])['kernels']
        wavefronts.append(other['counters']['shared_load_wavefronts'])
        return run, kernel['counters']['shared_load_wavefronts'], kernel['counters']['global_load_sectors'], kernel.get('fused')
    wavefronts = []  # of the other kernel
    run, *counted = accesses('compute_90')
    point('without SASS counters are those of the PTX', counted == [128, 32, None] and run.stdout.startswith('8192\n496\n'), counted)
    run, *counted, fused = accesses('compute_90', 'sm_90')
    point('with SASS loads that ptxas joined are one, and so is a load twice', counted == [64, 16] and
          fused[0] == {'counter': 'shared_load_wavefronts', 'accesses': '8 LDS.128 in SASS, 32 in the PTX', 'counted': 'SASS'} and
          'rows, shared_load_wavefronts: 8 LDS.128 in SASS, 32 in the PTX; counted as in the SASS' in run.stderr, (counted, fused, run.stderr))
    point('with SASS three of four words are one load', wavefronts == [31, 8], wavefronts)

    run = gpulab('--count', '--json', '-', build('leaving.cu', 'leaving', '-arch=sm_90'))
    behind = '1 {} is behind the branch at which threads leave, in the PTX it is before it'
    seen = {k['kernel']: [tuple(entry.values()) for entry in k.get('fused', ())] for k in json.loads(run.stdout.partition('\n')[2])['kernels']}
    point('loads that ptxas moved behind a branch are named', seen == {
        'moved': [('shared_load_wavefronts', behind.format('LDS'), 'PTX')], 'used': [],
        'read_only': [('global_load_sectors', behind.format('LDG'), 'PTX')]}, seen)
    point('and in the text', f'moved, shared_load_wavefronts: {behind.format("LDS")}; counted as in the PTX' in run.stderr and
          'used, ' not in run.stderr, run.stderr)

    run = gpulab('--count', '--json', '-', build('order.cu', 'order', PTX))
    kernels = json.loads(run.stdout.partition('\n')[2])['kernels']
    seen = [(k['kernel'], [(d['cause'], os.path.basename(d['file']), d['line']) for d in k.get('depends', ())]) for k in kernels]
    point('why counters can differ is named, by kernel', seen == [
        ('compacted', [('atomic_result', 'order.cu', 7)]), ('summed', [('shared_atomic', 'order.cu', 14)]), ('copied', [])], seen)
    point('and in the text', 'compacted: counters can differ on a GPU and between runs: the result of an atomic is used' in run.stderr and
          'copied:' not in run.stderr, run.stderr)

    cooperative = build('cooperative.cu', 'cooperative', '-gencode=arch=compute_90,code=[compute_90,sm_90]')
    ends('a cooperative grid fits by the registers in SASS', gpulab(cooperative), 0, '2 blocks of a multiprocessor: cudaSuccess\n')
    ends('also where launches are counted', gpulab('--count', cooperative), 0, '2 blocks of a multiprocessor: cudaSuccess\n')
    ends('a prediction of a kernel on managed memory leaves out that pages move', gpulab('--model', 'H200', cooperative), 0, None,
         'without what managed or pinned memory takes')
    ends('groups of a warp vote and reduce by themselves', gpulab(cooperative, 'warp'), 0, '0 wrong\n')
    graphs = build('graphs.cu', 'graphs', PTX)
    for words in [], ['--streams', '3'], ['--check', 'memory,race,init,sync']:
        ends(f'graphs {" ".join(words)}', gpulab(*words, graphs), 0, '0 failures\n')
    run = gpulab(graphs, 'wrong')  # CUDA 12 has no conditions in graphs
    point('a condition that is none', run.stdout == '0 failures\n' or 'cudaGraphConditionalHandleCreate() did not give' in ' '.join(run.stderr.split()), run)

    tensor = build('tensor_map.cu', 'tensor_map', '-gencode=arch=compute_90a,code=compute_90a')
    for words in [], ['--check', 'all']:
        ends(f'tensor maps {" ".join(words)}', gpulab(*words, tensor), 0, '0 0 cudaSuccess\n0 wrong, a bad box: 1\n')

    pixels = build('im2col.cu', 'im2col', '-gencode=arch=compute_90a,code=compute_90a', '-lcuda')
    for words in [], ['--check', 'all']:
        ends(f'im2col maps {" ".join(words)}', gpulab('--device', 'emu:H100', *words, pixels), 0,
             '0 cudaSuccess 0 wrong, refused: 1 1 1 1\n', 'pixels_per_column of a tensor map is 1025')
    run = gpulab('--count', tensor)
    point('copies of boxes have columns of their own', run.returncode == 0 and re.search(r'bulk load +bulk store', run.stderr) and
          re.search(r'\n  twice .* 200 +200\b', run.stderr), run.stderr)
    ends('why a GPU has no prediction', gpulab('--device', 'emu:H100', '--model', 'GTX 280', tensor), 0, None, 'no prediction for the GTX 280: ')
    scale = os.path.join(folder, 'scale.ptx')
    build('scale.cu', 'scale.ptx', '-ptx', '-arch=compute_80')
    driver = build('driver.cu', 'driver', PTX, '-Wno-deprecated-declarations', '-lcuda', '-Xcompiler=-g1')
    run = gpulab('--device', 'emu:H100', driver, scale)
    ends('the driver API', run, 0, 'H100 SXM, cc 9, 1, 1\n4 bytes, 1024 threads\n0 wrong, 1\n', '.nothing')
    point('an error of it that the program looked at is not mentioned', 'did not look' not in run.stderr, run)
    ends('a function of the driver that is not here', gpulab('--device', 'emu:H100', driver, scale, 'x'), 5, None, 'cuCtxGetSharedMemConfig')
    run = gpulab('--check', 'api', driver, scale, 'contexts')
    below, again, none, current, with_it = (source_line('driver.cu', f'// {mark}\n') for mark in (
        'below it is the same', 'destroyed again', 'none is current', 'destroyed and current', 'freed with its context'))
    found = re.findall(r'api at driver\.cu:(\d+): (\w+) returned (\w+): (.*?)\.\n  check what each call returns\n', run.stderr)
    point('contexts that were destroyed', run.returncode == 6 and run.stdout.endswith('\n1 3 1\n') and sorted(found) == sorted([
        (str(below), 'cuMemAlloc', 'CUDA_ERROR_CONTEXT_IS_DESTROYED', 'the current context was destroyed: cuCtxDestroy comes after the last use'),
        (str(again), 'cuCtxDestroy', 'CUDA_ERROR_INVALID_CONTEXT', 'the context was destroyed before, or never created'),
        (str(with_it), 'cuMemsetD32', 'CUDA_ERROR_INVALID_VALUE', 'the destination is no allocation: it was freed, or the pointer is wrong'),
        (str(none), 'cuCtxSynchronize', 'CUDA_ERROR_INVALID_CONTEXT', 'no context is current: cuCtxDestroy destroyed the one that was'),
        (str(current), 'cuCtxSetCurrent', 'CUDA_ERROR_INVALID_CONTEXT', 'the context was destroyed before, or never created')]), run)
    ends('clusters whose size the launch gives', gpulab('--device', 'emu:H100', cooperative, 'cluster'), 0,
         'cudaSuccess: 10 10 10 10 26 26 26 26 42 42 42 42\ncudaSuccess: 1 2 3 4 5 6 7 8 9 10 11 12\n'
         'cudaSuccess: 6 6 6 15 15 15 24 24 24 33 33 33\ncudaSuccess\n' + ' '.join(['cudaErrorInvalidClusterSize'] * 3) + '\n')

    sources = glob.glob(os.path.join(SOURCE, 'src/exec/**/*.c'), recursive=True)
    used = {name for source in sources for name in re.findall(r'\bcudaError[A-Z]\w+', pathlib.Path(source).read_text(encoding='utf-8'))}
    named = pathlib.Path(os.path.dirname(GPULAB), 'exec/error_rows.def').read_text(encoding='utf-8')
    unnamed = sorted(name for name in used if f'"{name}"' not in named)
    point('each error that a program can get has its text', sources and not unnamed, unnamed)

    unused = build('unused.cu', 'unused', PTX)
    run = gpulab('--check', 'unused', '--json', '-', unused)
    point('a kernel that never writes is reported once, at the end', run.returncode == 6 and run.stderr.count('launch without effect at unused.cu:8') == 1
          and [(i['kernel'], i['launches']) for i in json.loads(run.stdout.partition('\n')[2])['issues']] == [('guarded', 2)], run.stdout + run.stderr)
    ends('one that writes a surface, asserts, takes time, is empty, or writes in another launch is not', gpulab('--check', 'all', unused, 'right'), 0,
         'no error\n', 'no issues in 8 launches')

    surface = build('surface.cu', 'surface', PTX)
    for words in [], ['--check', 'all']:
        ends(f'surfaces {" ".join(words)}', gpulab(*words, surface), 0, '1 1, 19 11, 23 23, no error\n')
    access = build('host_access.cu', 'host_access', PTX, '-Xcompiler=-g1')
    for what, words in (('device', '4, which is device memory'), ('freed', '0, which is outside of all managed')):
        ends(f'host code that accesses memory it cannot: {what}', gpulab(access, what), 128 + 11, '', words)
    for what, words in (('device', 'Host code reads byte 4 of device (cudaMalloc at host_access.cu:10), which is memory of'),
                        ('free', 'gives device (cudaMalloc at host_access.cu:10) to free or delete'), ('delete', 'to free or delete'),
                        ('library', 'Host code reads byte 0 of device'), ('result', 'cudaMalloc ended the program: it was given device memory'),
                        ('wild', 'cudaMemcpy ended the program: it was given memory that the program does not have')):
        run = gpulab('--check', 'memory,api', access, what)
        line = source_line('host_access.cu', f'is("{what}")' if what != 'device' else 'device[1]++')
        point(f'it is an issue: {what}', run.returncode == 128 + 11 and f'at host_access.cu:{line}: ' in run.stderr and words in run.stderr and
              '1 issue in 0 launches' in run.stderr, run)
    for what, status in ('handler', 9), ('sent', 128 + 11), ('own', 128 + 11):
        run = gpulab(access, what)
        point(f'other ends are the program\'s own: {what}', run.returncode == status and 'host code' not in run.stderr, f'{run.returncode} {run.stderr}')

    ends('cube maps', gpulab(build('cube.cu', 'cube', PTX)), 0, '0 0 0 wrong, 6 refused\n')
    for runtime, threads in zip(('static', 'shared'), build_both('per_thread.cu', PTX, '-default-stream=per-thread')):
        for words in [], ['--streams', '5'], ['--check', 'all']:
            ends(f'default streams of threads, {runtime} {" ".join(words)}', gpulab(*words, threads), 0, '0 failures\n')
    library = os.path.join(os.path.dirname(GPULAB), 'exec/libcudart.so.13')
    listed = subprocess.run(['nm', '-D', '--defined-only', library], text=True, capture_output=True, check=True).stdout
    here = {words[2].partition('@')[0] for words in map(str.split, listed.splitlines()) if words[1] == 'T'}
    clocks = re.findall(r'^\t\t([a-z]\w+);', pathlib.Path(SOURCE, 'src/exec/runtime/cudart-13.map').read_text(encoding='utf-8'), re.M)  # host_clock.c
    known = re.findall(r'^X\((\w+)\)', pathlib.Path(os.path.dirname(GPULAB), 'exec/names.h').read_text(encoding='utf-8'), re.M)
    lacking = [form for form in known if form[-5:] in ('_ptsz', '_ptds') and form[:-5] in here and form not in here]
    point('each function has its form for default streams of threads', 'cudaMemcpyAsync' in here and not lacking, lacking)
    unknown = here - set(known) - {'__cudaGpulabMissing', '__cudaGpulabParams', '__cudaGpulabRange', '__cudaGpulabRefused', *clocks}
    point('each function takes the place of a program\'s own', not unknown, unknown)

    streams = build('streams.cu', 'streams', PTX)
    ends('streams in the order of the calls', gpulab(streams), 0, '1056 no error\n')
    found = [gpulab('--streams', str(seed), streams).stdout for seed in range(1, 7)]
    point('a missing event shows in another order of streams', set(found) == {'0 no error\n', '1056 no error\n'}, found)
    point('the same seed, the same order', gpulab('--streams', str(1 + found.index('0 no error\n')), streams).stdout == '0 no error\n')
    for order in 'event', 'host', 'usual', 'callback':
        seen = {gpulab('--streams', str(seed), streams, order).stdout for seed in range(1, 5)}
        point(f'CUDA\'s order holds: {order}', seen == {'1056 no error\n'}, seen)
    ends('all of the runtime with streams in another order', gpulab('--streams', '3', static), 0, '0 failures, 0 arguments\n')
    found = [gpulab('--streams', seed, streams).stdout for seed in '12']
    point('one of the first two seeds shows it', found == ['0 no error\n', '1056 no error\n'], found)
    unordered = build('unordered.cu', 'unordered', PTX, '-Xcompiler=-g1')
    for case in re.findall(r'is\("([^"]+)"\)', pathlib.Path(PROGRAMS, 'unordered.cu').read_text(encoding='utf-8')):
        for words in [], *([] if 'free' in case or 'allocation' in case else [['--streams', '1']]):  # freed too early there
            ended = gpulab('--check', 'race', *words, unordered, case)
            races = ended.stderr.count('and nothing orders the two')
            right = (races > 0 and ended.returncode == 6) if case.startswith('no ') else (races == 0 and ended.returncode == 0)
            point(' '.join(['streams that touch the same memory:', case, *words]), right and 'no error' in ended.stdout, ended)
    race = gpulab('--check', 'race', unordered, 'no rows').stderr
    point('a race of streams names the memory', re.search(r'kernel fill in stream 1 and a fill in stream 2 access the same memory, '
          r'from byte 132 of a \(cudaMalloc at unordered\.cu:\d+\) on\. Both write it', race), race)
    race = gpulab('--check', 'race', unordered, 'no event before a free').stderr
    point('a free in another stream is at its line', re.search(r'race at unordered\.cu:\d+: kernel fill in stream 1 and cudaFreeAsync in stream 2 access', race), race)
    race = gpulab('--check', 'race', unordered, 'no wait before a free').stderr
    point('cudaFree waits for no stream if memory is of a pool', re.search(r'cudaFree in host code .*or wait first: cudaFree waits for nothing if memory is of', ' '.join(race.split())), race)
    ends('a seed that is none', gpulab('--streams', '0', streams), 64, '', '--streams expects a seed')

    source = os.path.join(folder, 'mine.cu')
    shutil.copy(os.path.join(PROGRAMS, 'wrong.cu'), source)
    ends('a source file is compiled first', gpulab(source, 'order', stdin='x\n'), 0, 'before\nkernel\nafter x\n')
    with open(source, 'a', encoding='utf-8') as file:
        file.write('int broken(\n')
    ends('a source file with an error', gpulab(source), 1, '', 'nvcc could not compile')
    with open(source, 'w', encoding='utf-8') as file:
        file.write('__global__ void child() {}\n__global__ void k() { child<<<1, 1>>>(); }\nint main() { k<<<1, 1>>>(); }\n')
    ends('a kernel that launches kernels', gpulab(source), 5, '', 'dynamic parallelism')
    ends('no such program', gpulab(os.path.join(folder, 'nothing')), 5, '', 'there is no program')
finally:
    finish()
