#!/usr/bin/env python3
"""Addresses that a kernel cannot use: what gpulab exec says of them, with a checker and without one.

    test_pointers.py GPULAB SOURCE CUDA_HOME      as TAP"""
import re

from runs import build, finish, gpulab, point, source_line

DEVICE = 'give the kernel memory of the device'
ENOUGH = 'ask for enough at the launch, <<<grid, block, bytes>>>'
SAID = {  # the line, what is said, the advice
    'stack': ('*out = *p', r'host memory \(a variable on the stack\); it came with parameter 1\.', DEVICE),
    'heap': ('*out = *p', r'host memory \(malloc or new\); it came with parameter 1\.', DEVICE),
    'variable': ('*out = *p', r'host memory \(a variable of the program\); it came with parameter 1\.', DEVICE),
    'zeros': ('*out = *p', r'host memory \(a variable of the program\)', DEVICE),
    'never set': ('*out = *p', r'no allocation is near: it is host memory, or a pointer that was never set', DEVICE),
    'far': ('p[n] = 1', r'399999996 bytes past the end of cudaMalloc 1 \(4 bytes\)', 'check the index against'),
    'freed': ('p[n] = 1', r'byte 0 of cudaMalloc 1, which was freed', 'keep the buffer'),
    'product': ('p[at] = 1', r'row \* width \+ threadIdx\.x = 2 500 000 000 does not fit an int', 'compute it in 64 bits'),
    'value': ('o.parts[1]', r'\(malloc or new\); it came with parameter 1, member parts\[1\]\.values of Outer\.', DEVICE),
    'deep': ('o->parts[0]', r'it came with parameter 1, in the memory that it points to, member parts\[0\]\.values of Outer\.', DEVICE),
    'forgotten': ('line[threadIdx.x] =', r'byte 0 of line; the launch asked for 0 bytes of dynamic shared memory', ENOUGH),
    'half': ('line[threadIdx.x] =', r'byte 128 of line; the launch asked for 128 bytes of dynamic shared memory', ENOUGH),
}

try:
    program = build('pointers.cu', 'pointers', '-gencode=arch=compute_80,code=compute_80')
    for word, (code, text, advice) in SAID.items():
        line = source_line('pointers.cu', code)
        run = gpulab('--check', 'all', program, word)
        said = ' '.join(run.stderr.split())
        point(f'{word}', run.returncode == 6 and re.search(rf'invalid memory access at pointers\.cu:{line}.*{text}.* {advice}', said), run)
        run = gpulab(program, word)
        point(f'{word} without a checker', run.returncode == 2 and re.search(text, ' '.join(run.stderr.split())), run)
    run = gpulab('--prompt', program, 'freed', stdin='why\ndebug\nfinish\n')
    said = ' '.join((run.stdout + run.stderr).split())
    point('a launch made again uses freed memory, too', 'of symbol' not in said and said.count('of cudaMalloc 1, which was freed') >= 3, run)
    run = gpulab('--check', 'all', program, 'right')
    point('nothing is said of a right one', run.returncode == 0 and 'no issues' in run.stderr, run)
finally:
    finish()
