#!/usr/bin/env python3
"""Files with what CUDA 12 and 13 removed: nvcc refuses them, and gpulab says what to write. Only with nvcc 13.

    test_removed.py GPULAB SOURCE CUDA_HOME      as TAP"""
import os
import re
import subprocess

from runs import PROGRAMS, ends, finish, folder, gpulab, nvcc, point, tally

SAID = {
    'CLOCK': r'no cudaDeviceProp::clockRate: cudaDeviceGetAttribute\(&value, cudaDevAttrClockRate, 0\) .* --nvcc "-DclockRate=warpSize"',
    'OVERLAP': r'cudaDevAttrGpuOverlap',
    'PREFETCH': r'cudaMemPrefetchAsync\(p, bytes, to, 0, stream\)',
    'CONTEXT': r'cuCtxCreate\(&context, NULL, flags, device\)',
    'THREAD': r'call cudaDeviceSynchronize, or compile with --nvcc "-DcudaThreadSynchronize=cudaDeviceSynchronize"',
    'TEXTURE': r'cudaCreateTextureObject',
    'IN_KERNEL': r'launch the rest from the host in the same stream',
}

LIBRARY = """extern "C" { int cublasCreate_v2(void **); int cuInit(unsigned); }
int main() { void *h; return cublasCreate_v2(&h) + cuInit(0); }
"""

try:
    path = os.path.join(PROGRAMS, 'removed.cu')
    version = subprocess.run([nvcc, '--version'], text=True, capture_output=True, check=True).stdout
    if int(re.search(r'release (\d+)', version)[1]) < 13:
        print('1..0 # SKIP nvcc is older than 13')
    else:
        for name, source, texts in (('kernels', '__global__ void k(int *p) { *p = 1; }', ['kernels.cu has no main: `gpulab', 'launches its kernels at a prompt']),
                                    ('library', LIBRARY, ['--nvcc -lcublas links it; it runs on a GPU only', '--nvcc -lcuda links it'])):
            with open(os.path.join(folder, name + '.cu'), 'w', encoding='utf-8') as file:
                file.write(source)
            run = gpulab(os.path.join(folder, name + '.cu'))
            point(f'what the linker misses: {name}', run.returncode == 1 and all(text in ' '.join(run.stderr.split()) for text in texts), run)
        run = gpulab('--check', 'memory,ap', os.path.join(folder, 'kernels.cu'))
        point('api is a check', run.returncode == 64 and 'did you mean api?' in run.stderr, run)
        for macro, text in SAID.items():
            run = gpulab('--nvcc', '-D' + macro, path)
            said = ' '.join(run.stderr.split())
            point(macro, run.returncode == 1 and re.search(text, said.split('could not compile')[-1]), run)
        run = gpulab('--nvcc', '-DCLOCK -DOVERLAP', path)
        point('each has a paragraph', '\n\n  CUDA 13 has no cudaDeviceProp::deviceOverlap' in run.stderr, run)
        run = gpulab('--nvcc', '-DCLOCK -DclockRate=warpSize -DTHREAD -DcudaThreadSynchronize=cudaDeviceSynchronize', path)
        ends('with the flags it compiles', run, 0, '32\n1\n')
finally:
    if tally[True] + tally[False]:
        finish()
