#!/usr/bin/env python3
"""The end of a program: what its kernels printed and a GPU would not show, and what it did not free.

    test_ending.py GPULAB SOURCE CUDA_HOME      as TAP"""
from runs import build, finish, gpulab, point

REMARK = 'ends without waiting for the kernel that printed last'

try:
    program = build('ending.cu', 'ending', '-gencode=arch=compute_80,code=compute_80')
    for word in 'at once', 'record':
        run = gpulab(program, word)
        point(f'{word}: a remark, once, and the output', run.returncode == 0 and run.stdout == 'hello\n' and run.stderr.count(REMARK) == 1 and
              'cudaDeviceSynchronize()' in run.stderr, run)
    for word in 'device', 'stream', 'event', 'copy', 'launch', 'free', 'reset':
        run = gpulab(program, word)
        point(f'{word}: it comes out', run.returncode == 0 and run.stdout == 'hello\n' and REMARK not in run.stderr, run)
    run = gpulab('--check', 'all', program, 'device')
    point('what was not freed is a note', run.returncode == 0 and 'note: 1 allocation of 4 bytes not freed' in run.stderr, run)
    for options, word in (('--check', 'all'), 'free'), (('--check', 'all'), 'reset'), (('--check', 'race'), 'device'), ((), 'device'):
        run = gpulab(*options, program, word)
        point(f'no such note: {options} {word}', 'not freed' not in run.stderr, run)
finally:
    finish()
