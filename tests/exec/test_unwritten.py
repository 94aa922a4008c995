#!/usr/bin/env python3
"""What a program reads in a kernel, or copies to the host, although nothing wrote it.

    test_unwritten.py GPULAB SOURCE CUDA_HOME      as TAP"""
import os
import re
import subprocess

from runs import GPULAB, build, finish, folder, gpulab, point, source_line

READ = {  # by how many bytes are written; what the remedy says
    'elements': (1000, r'multiply by sizeof\(element\)'),
    'fill': (1000, r'cudaMemset at unwritten\.cu:\d+ wrote 1 000 of its 4 000 bytes\. multiply by sizeof\(element\): the count of cudaMemset is in '
                   r'bytes'),
    'fill larger': (1000, r'cudaMemset at unwritten\.cu:\d+ wrote 1 000 of its 8 000 bytes\. the count of cudaMemset is in bytes, n \* '
                          r'sizeof\(element\); fill the buffer before the launch, or check the index'),
    'fill pointer': (8, r'wrote 8 of its 4 000 bytes\. give n \* sizeof\(element\), and not sizeof of a pointer'),
    'fill in two': (2000, r'block \(1,0,0\)\. fill the buffer before the launch'),
    'through': (2000, r'fill the buffer before the launch'),
    'managed': (2000, r'fill the buffer'),
    'mapped': (1000, r'multiply by sizeof'),
}
COPIED = {
    'tail': r'cudaMemcpy copies to the host what nothing wrote: 232 of 1 000 elements of y \(cudaMalloc at unwritten\.cu:\d+, elements 768 to 999\)\. '
            r'ones ran in 3 blocks of 256, 768 threads\. round the number of blocks up',
    'one block': r'744 of 1 000 elements .* 1 block of 256, 256 threads\. launch a thread per element, in \(n \+ block - 1\) / block blocks',
    'three times': r'4 000 of 4 000 bytes of y',
    'border': r'126 of 1 000 elements .* interior ran in 1 block of 40x25, 1 000 threads\. check the grid, the kernel\'s index, and its guard',
    'every second': r'500 of 1 000 elements .*among elements 1 to 999\)',
    'pitch': r'cudaMemcpy2D .* 644 of 3 000 elements .*elements 2356 to 2999\)',
    'other': r'4 000 of 4 000 bytes of y \(cudaMalloc at .* No kernel that ran was given this allocation, .* the right pointer',
    'bytes': r'No kernel that ran was given this allocation; cudaMemset at unwritten\.cu:\d+ wrote 1 000 of its 4 000 bytes\. multiply by sizeof',
    'few': r'484 of 1 280 bytes',
}
RIGHT = 'whole', 'quarters', 'a quarter', 'pieces', 'padded rows', 'own padding', 'structures', 'managed whole'

try:
    program = build('unwritten.cu', 'unwritten', '-gencode=arch=compute_80,code=compute_80', '-Xcompiler=-g1')
    line = source_line('unwritten.cu', 'y[i] = 2 * x[i]')
    for word, (written, remedy) in READ.items():
        run = gpulab('--check', 'all', program, word)
        said = ' '.join(run.stderr.split())
        point(f'{word}: the kernel reads what nothing wrote', run.returncode == 6 and '1 issue in' in said and
              re.search(rf'unwritten\.cu:{line}, {1000 - written // 4} times: .* at byte {written} of .* {remedy}', said), run)
    for word, text in COPIED.items():
        run = gpulab('--check', 'all', program, word)
        said = ' '.join(run.stderr.split())
        line = source_line('unwritten.cu', f'// {word}\n')
        point(f'{word}: the host gets what nothing wrote', run.returncode == 6 and '1 issue in' in said and
              re.search(rf'uninitialized read at unwritten\.cu:{line}: .*{text}', said), run)
        point(f'{word} is nothing to other checkers', gpulab('--check', 'memory,race,sync', program, word).returncode == 0)
    run = gpulab('--check', 'all', program, 'short')
    line = source_line('unwritten.cu', '// short\n')
    point('as many bytes as there are elements', run.returncode == 6 and re.search(rf'api at unwritten\.cu:{line}: cudaMemcpy: 1000 bytes are '
          'copied to the host, 250 of the 1000 elements .* multiply by sizeof', run.stderr), run)
    run = gpulab('--check', 'init', program, 'refused')
    point('a launch that was refused did not run', run.returncode == 6 and re.search(COPIED['tail'] + '.* 1 issue in 1 launch', ' '.join(
        run.stderr.split())), run)
    for word in 'only refused', 'too much shared', 'reads of refused':
        run = gpulab('--check', 'all', program, word)
        point(f'{word}: that is why', run.returncode == 6 and '2 issues in' in run.stderr and re.search(
            r'uninitialized read at unwritten.* ones, which was given it, did not run: its launch was refused\. correct that launch first',
            ' '.join(run.stderr.split())), run)
    mine, other = os.openpty()
    named = os.path.join(folder, 'a program of mine')
    os.link(program, named)
    run = subprocess.run([GPULAB, 'exec', '--check', 'all', named, 'fill larger'], stdout=subprocess.DEVNULL, stderr=other, check=False)
    shown = ''
    while 'at the end' not in shown: # a busy machine hands the terminal's text on in parts
        shown += os.read(mine, 1 << 16).decode()
    piped = gpulab('--check', 'all', named, 'fill larger').stderr
    point('a terminal gets lines of 80 columns, a pipe whole ones', max(map(len, shown.splitlines())) <= 80 and shown.split() == piped.split() and
          max(map(len, piped.splitlines())) > 80 and '\ngpulab: 1 issue in 1 launch' in shown.replace('\r', ''), shown + piped)
    for word in RIGHT:
        run = gpulab('--check', 'all', program, word)
        point(f'{word} is right', run.returncode == 0 and 'no issues' in run.stderr, run)
finally:
    finish()
