#!/usr/bin/env python3
"""Small programs with one mistake each: gpulab exec --check all finds it, at its line, with its cause and advice.

    test_mistakes.py GPULAB SOURCE CUDA_HOME      as TAP"""
import os
import subprocess

import mistakes
from runs import GPULAB, build, compiled, finish, folder, gpulab, point

STATUS = {'note': 0, 'fault': 2}

try:
    cases = mistakes.expected()
    point('each program has a mark', sorted(mistakes.names()) == sorted(cases), sorted(set(mistakes.names()) ^ set(cases)))
    programs = {}
    for name, want in cases.items():
        kind = want['kind']
        if kind not in programs:
            programs[kind] = os.path.join(folder, kind)
            failure = compiled(mistakes.words(kind, '-gencode=arch=compute_90,code=compute_90'), programs[kind])
            point(f'{kind} is built', not failure, failure)
        seen = mistakes.Seen(GPULAB, programs[kind], name, want, os.path.join(folder, 'seen.json'))
        good = seen.status == STATUS.get(want['check'], 6) and seen.line and seen.cause and seen.advice
        point(f'{kind}: {name}', good, f'status {seen.status}, line {seen.line}, cause {seen.cause}, advice {seen.advice}\n{seen.run.stderr}')
    right = build('right.cu', 'right', '-Xcompiler=-g1', '-gencode=arch=compute_90,code=compute_90')
    for name in subprocess.run([right], text=True, capture_output=True, check=True).stdout.splitlines():
        run = gpulab('--check', 'all', right, name)
        point(f'right: {name}', run.returncode == 0 and '\ngpulab: no issues' in '\n' + run.stderr and 'note' not in run.stderr, run)
finally:
    finish()
