#!/usr/bin/env python3
"""Calls of the runtime that fail: what gpulab exec says of those that the program does not look at. And what the device says of itself.

    test_calls.py GPULAB SOURCE CUDA_HOME      as TAP"""
import json
import os
import re

from runs import build, ends, finish, folder, gpulab, point, source_line

PTX = '-gencode=arch=compute_80,code=compute_80'

# The call, and what is said of it.
FAIL = {
    'large': ('cudaMemcpy', r'1280 bytes, but the allocation of the destination has 128 from there on'),
    'swapped': ('cudaMemcpy', r'cudaMemcpyDeviceToHost, but the source is host memory: are source and destination swapped\?'),
    'null': ('cudaMemcpy', r'the destination is a null pointer'),
    'host': ('cudaFree', r'memory of malloc or new, or a variable'),
    'inside': ('cudaFree', r'into an allocation, not to its beginning'),
    'twice': ('cudaFree', r'it was freed already'),
    'name': ('cudaMemcpyToSymbol', r'pass the variable itself'),
    'fill': ('cudaMemset', r'not device memory: use memset'),
    'pitch': ('cudaMemcpy2D', r'a row of 16 bytes is longer than its pitch'),
    'much': ('cudaMalloc', r'.'),
    'threads': ('cudaLaunchKernel', r'as said above'),
    'template': ('cudaLaunchKernel', r'as said above'),
    'grid': ('cudaLaunchKernel', r'as said above'),
    'empty': ('cudaLaunchKernel', r'the grid is empty'),
    'shared': ('cudaLaunchKernel', r'60000 bytes of shared memory per block, and 49152 are allowed: first call cudaFuncSetAttribute'),
    'megabyte': ('cudaLaunchKernel', r'1048576 bytes of dynamic shared memory per block; the H200 has 232448 in all'),
    'gone': ('cudaLaunchKernel', r'the stream was destroyed, or never created'),
    'gone copy': ('cudaMemcpyAsync', r'the stream was destroyed'),
    'gone again': ('cudaStreamDestroy', r'the stream was destroyed'),
    'gone event': ('cudaEventRecord', r'the event was destroyed'),
    'gone time': ('cudaEventDestroy', r'the event was destroyed'),
    'symbol': ('cudaMemcpyToSymbol', r'128 bytes from byte 0 on, but the variable counter has 4'),
    'device': ('cudaSetDevice', r'there is one device, number 0'),
    'attribute': ('cudaFuncSetAttribute', r'300000 bytes and 0 of the kernel.s own, and the GPU allows \d+ per block'),
    'mapped': ('cudaHostGetDevicePointer', r'not pinned: allocate it with cudaMallocHost'),
    'fill of rows': ('cudaMemset2D', r'a row of 16 bytes is longer than its pitch'),
    'often': ('cudaMemset', r'a null pointer'),
}

try:
    program = build('calls.cu', 'calls', PTX, '-Xcompiler=-g1')
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs/calls.cu'), encoding='utf-8') as text:
        lines = text.read().split('\n')
    for word, (call, cause) in FAIL.items():
        line = 1 + max(i for i, text in enumerate(lines) if f'"{word}"' in text)
        line += word == 'often'
        run = gpulab('--check', 'all', '--json', os.path.join(folder, 'out.json'), program, word)
        said = ' '.join(run.stderr.split())
        place = '' if word == 'much' else rf' at calls\.cu:{line}'
        point(f'{word} is an issue', run.returncode == 6 and re.search(rf'api{place}(, [\d ]+ times)?: {call} returned cudaError\w+', said) and
              re.search(cause, said) and 'no issues' not in said or word == 'much' and f'{call} returned' in said, run)
        with open(os.path.join(folder, 'out.json'), encoding='utf-8') as file:
            issues = json.load(file)['issues']
        point(f'{word} in JSON', len(issues) == 1 and issues[0]['check'] == 'api', issues)
        run = gpulab(program, word)
        point(f'{word} is mentioned', run.returncode == 0 and re.search(rf'1 call failed, and the program did not look: {call} at', run.stderr), run)
    fast = build('calls.cu', 'fast', PTX, '-Xcompiler=-g1', '-O3')
    for word in 'large', 'fill', 'much', 'threads', 'template', 'grid':
        run = gpulab('--check', 'api', fast, word)
        line = source_line('calls.cu', f'"{word}"')
        point(f'{word} has its line in optimized code', f'api at calls.cu:{line}:' in run.stderr, run)
    for word in '', 'looked', 'name of':
        run = gpulab('--check', 'api', program, word)
        point(f'"{word}" is no issue', run.returncode == 0 and 'no issues' in run.stderr and 'did not look' not in gpulab(program, word).stderr, run)
    run = gpulab('--check', 'all', program, 'two')
    point('the error that another one overwrote is one', run.returncode == 6 and run.stderr.count('api at') == 1 and 'null pointer' in run.stderr, run)
    run = gpulab('--check', 'all', program, 'launch looked')
    point('a launch that was refused is one in any case', run.returncode == 6 and 'no issues' not in run.stderr, run)
    run = gpulab('--prompt', program, 'empty', stdin='launches\n')
    point('a launch that a call refuses is in the list', '#1' in run.stdout and 'limit' in run.stdout, run)
    run = gpulab('--check', 'memory', program, 'host')
    point('other checkers leave it a remark', run.returncode == 0 and 'did not look: cudaFree' in run.stderr, run)

    program = build('clocks.cu', 'clocks', PTX)
    run = gpulab(program)
    point('what a time is, is said once', run.returncode == 0 and run.stderr.count("times are the emulator's own") == 1 and '--model H200' in run.stderr, run)
    run = gpulab('--model', 'H200', program)
    kernel, kernels, host, both, again, launched, waited, *others, slept, back = (float(line.split()[1]) for line in run.stdout.splitlines())
    point('with --model events measure predictions, and the time of host code', "emulator's own" not in run.stderr and kernel == again and
          abs(kernels - 3 * kernel) < 1e-6 and host > 100 * kernel and both > 100 * kernel, run)

    # Of 1000 kernels that the emulator takes a second for. Host code between two calls counts if it took longer than 20 us.
    point('so do the clocks of the host', 0 <= launched <= waited and 1000 * kernel <= waited + 1e-3 and waited < 200 and
          all(abs(other - waited) < 20 for other in others[:3]) and others[3] in (0, 1000), run)
    point('they count what the program slept, and do not go back', slept >= 30 and back == 0, run)
    waits = build('waits.cu', 'waits', PTX)
    for words in [], ['--model', 'H200']:
        ends(f'waits end at times of these clocks, and another thread reads them {" ".join(words)}', gpulab(*words, waits), 0, 'done\n')

    program = build('device.cu', 'device', PTX)
    for gpu, said in ('GTX 280', 'GTX 280 141.7 GB/s, alike, 1024 MB, 0 and 1296'), ('H200', 'H200 4800.0 GB/s, alike, 143771 MB, 62914560 and 1980'):
        run = gpulab('--device', f'emu:{gpu}', program)
        point(f'the memory of the {gpu}', run.stdout == f'{said}, cudaErrorInvalidPc, no CUDA-capable device is detected\n', run)
finally:
    finish()
