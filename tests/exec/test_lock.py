#!/usr/bin/env python3
"""A lock that all lanes of a warp wait for: what it lacks since cc 7.0, and that it never ends before.

    test_lock.py GPULAB SOURCE CUDA_HOME      as TAP"""
import re

from runs import build, ends, finish, gpulab, point, source_line

try:
    program = build('lock.cu', 'lock', '-gencode=arch=compute_80,code=compute_80')
    line = source_line('lock.cu', '*value += 1')
    run = gpulab('--check', 'all', program)
    point('without fences', run.returncode == 6 and run.stdout == 'no error, 128\n' and
          re.search(rf'race at lock\.cu:{line},', run.stderr) and
          'a lock needs fences: __threadfence() after it is taken, and again before it is released' in run.stderr, run)
    ends('with fences', gpulab('--check', 'all', program, 'inside'), 0, 'no error, 128\n', 'no issues in 1 launch')
    for gpu in 'GTX 1080', 'GTX 280':
        for options in (), ('--check', 'race'):
            run = gpulab('--device', f'emu:{gpu}', *options, program)
            said = ' '.join(run.stderr.split())
            point(f'lanes in lockstep wait for ever on the {gpu}', run.returncode == 4 and 'The kernel never ends' in said and
                  'Before cc 7.0 lanes that wait keep the others of their warp from going on' in said, run)
        ends(f'the other way works on the {gpu}', gpulab('--device', f'emu:{gpu}', '--check', 'race', program, 'inside'), 0, 'no error, 128\n')
finally:
    finish()
