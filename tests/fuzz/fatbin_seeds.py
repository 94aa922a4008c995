#!/usr/bin/env python3
"""Fat binaries of nvcc for fuzz_fatbin to begin from: one and several architectures, each way to compress them.

    fatbin_seeds.py NVCC FOLDER"""
import pathlib
import subprocess
import sys
import tempfile

NVCC, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
KERNEL = '''extern "C" __global__ void k(float4 *a, const float *b) {
    __shared__ float tile[64];
    if (threadIdx.x > 40) return;
    tile[threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = make_float4(tile[63 - threadIdx.x], tile[threadIdx.x], b[64], 1);
}'''
CODES = {'ptx': [('80', 'compute_80')], 'sass': [('80', 'sm_80')], 'both': [('80', '[compute_80,sm_80]')],
         'many': [('75', '[compute_75,sm_75]'), ('80', 'sm_80'), ('90', '[compute_90,sm_90]')]}
FOLDER.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as work:
    source = pathlib.Path(work, 'k.cu')
    source.write_text(KERNEL, encoding='utf-8')
    for name, codes in CODES.items():
        targets = [f'-gencode=arch=compute_{cc},code={code}' for cc, code in codes]
        for mode in 'none', 'size', 'speed', 'default':
            subprocess.run([NVCC, '-fatbin', f'--compress-mode={mode}', *targets, '-o', FOLDER / f'{name}-{mode}', source], check=True)
