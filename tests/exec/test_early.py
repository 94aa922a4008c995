#!/usr/bin/env python3
"""Host code that uses managed or pinned memory before it waits.

    test_early.py GPULAB SOURCE CUDA_HOME      as TAP"""
import platform
import re

from runs import build, finish, gpulab, point, source_line

WRONG = {  # what is said, and the value that the host sees all the same
    'managed': (r'reads byte 12 of .* before it waits for set,', 7),
    'struct': (r'reads byte 12 of .* before it waits for set_in,', 7),
    'input': (r'writes byte 4 of .* before it waits for read,', 0),
    'copy': (r'reads byte 12 of .* before it waits for an asynchronous copy,', 0),
    'copy other stream': (r'reads byte 12 of .* before it waits for an asynchronous copy,', 0),
    'mapped': (r'reads byte 12 of pinned .* before it waits for set,', 7),
    'variable': (r'reads byte 0 of .* before it waits for count,', 7),
    'odd': (r'reads byte 4 of .* before it waits for odd,', 14),
    'source': (r'writes byte 40 of .* before it waits for an asynchronous copy,', 0),
}
ALONE = 'emu:GTX 980'  # below cc 6.0
RIGHT = {'copy half': 0, 'half': 12, 'odd right': 12, 'poll': 12, 'managed host': 7,
         'managed device': 7, 'managed event': 7, 'managed other': 0, 'copy stream': 0, 'copy query': 0, 'reads': 0, 'managed function': 7, 'copy function': 0}

try:
    program = build('early.cu', 'early', '-gencode=arch=compute_80,code=compute_80', '-Xcompiler=-g1')
    for word, (text, value) in WRONG.items() if platform.machine() == 'x86_64' else ():
        run = gpulab('--check', 'all', program, word)
        said = ' '.join(run.stderr.split())
        line = source_line('early.cu', f'// {word}\n')
        point(word, run.returncode == 6 and run.stdout == f'{value}, no error\n' and '1 issue in' in said and
              re.search(rf'race at early\.cu:{line}: Host code {text} which may not be done with it\. wait first: cudaDeviceSynchronize', said), run)
        point(f'{word} is nothing without that checker', gpulab('--check', 'memory', program, word).returncode == 0)
    for word, of in ('alone', 'other'), ('half', 'm'), ('variable', ''):
        run = gpulab('--check', 'all', '--device', ALONE, program, word)
        line = source_line('early.cu', f'// {word}\n') if word != 'half' else source_line('early.cu', 'i < N; i++) m[i] = 5;')
        point(f'{word}: a GPU that has managed memory to itself', run.returncode == 6 and
              re.search(rf'race at early\.cu:{line}: Host code \w+ byte \d+ of {of}.* may run\. The GTX 980 has managed memory to itself .* wait first',
                        ' '.join(run.stderr.split())), run)
    run = gpulab('--check', 'all', '--device', ALONE, program, 'managed host')
    point('memory that other kernels may not use', run.returncode == 0, run)
    for word, value in RIGHT.items():
        run = gpulab('--check', 'all', program, word)
        point(f'{word} is right', run.returncode == 0 and run.stdout == f'{value}, no error\n' and 'no issues' in run.stderr, run)
finally:
    finish()
