#!/usr/bin/env python3
"""Files with what CUDA 12 and 13 removed: nvcc refuses them, and gpulab says what to write. Only with nvcc 13.

    test_removed.py GPULAB SOURCE CUDA_HOME      as TAP"""
import os
import re
import subprocess

from runs import PROGRAMS, ends, finish, gpulab, nvcc, point, tally

SAID = {
    'CLOCK': r'no cudaDeviceProp::clockRate: cudaDeviceGetAttribute\(&value, cudaDevAttrClockRate, 0\) .* --nvcc "-DclockRate=warpSize"',
    'OVERLAP': r'cudaDevAttrGpuOverlap',
    'PREFETCH': r'cudaMemPrefetchAsync\(p, bytes, to, 0, stream\)',
    'CONTEXT': r'cuCtxCreate\(&context, NULL, flags, device\)',
    'THREAD': r'call cudaDeviceSynchronize, or compile with --nvcc "-DcudaThreadSynchronize=cudaDeviceSynchronize"',
    'TEXTURE': r'cudaCreateTextureObject',
    'IN_KERNEL': r'launch the rest from the host in the same stream',
}

try:
    path = os.path.join(PROGRAMS, 'removed.cu')
    version = subprocess.run([nvcc, '--version'], text=True, capture_output=True, check=True).stdout
    if int(re.search(r'release (\d+)', version)[1]) < 13:
        print('1..0 # SKIP nvcc is older than 13')
    else:
        for macro, text in SAID.items():
            run = gpulab('--nvcc', '-D' + macro, path)
            said = ' '.join(run.stderr.split())
            point(macro, run.returncode == 1 and re.search(text, said.split('could not compile')[-1]), run)
        run = gpulab('--nvcc', '-DCLOCK -DclockRate=warpSize -DTHREAD -DcudaThreadSynchronize=cudaDeviceSynchronize', path)
        ends('with the flags it compiles', run, 0, '32\n1\n')
finally:
    if tally[True] + tally[False]:
        finish()
