#!/usr/bin/env python3
"""What messages call the allocations of a program: by the variable and the line of its call, where the host code has debug information.

    test_allocations.py GPULAB SOURCE CUDA_HOME      as TAP"""
import json
import os
import re

from runs import build, finish, folder, gpulab, point, source_line

PTX = '-gencode=arch=compute_80,code=compute_80'
# What is said of an allocation; {} is the line of the word.
NAMES = {
    'plain': r'd_x \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'cast': r'd_x \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'cast of C++': r'd_x \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'managed': r'd_x \(cudaMallocManaged at allocations\.cu:{}, 16 bytes\)',
    'asynchronous': r'd_x \(cudaMallocAsync at allocations\.cu:{}, 16 bytes\)',
    'member': r'v\.data \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'arrow': r'w->data \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'spread': r'd_x \(cudaMalloc at allocations\.cu:\d+, 16 bytes\)',
    'two': r'd_x \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'mixed': r'd_x \(cudaMalloc at allocations\.cu:{}, 16 bytes\)',
    'either': r'cudaMalloc at allocations\.cu:{} \(16 bytes\)',
    'macro': r'cudaMalloc at allocations\.cu:{} \(16 bytes\)',
    'sized': r'd_x \(cudaMalloc at allocations\.cu:\d+, 16 bytes\)',
    'loop': r'row\[i\] \(cudaMalloc at allocations\.cu:\d+, number 2, 16 bytes\)',
    'class': r'data \(cudaMalloc at allocations\.cu:24, 16 bytes\)',
    'function': r'fresh \(cudaMalloc at allocations\.cu:\d+, called at allocations\.cu:{}, 16 bytes\)',
}

try:
    for flag in '-Xcompiler=-g1', '-g':
        program = build('allocations.cu', 'program', PTX, flag)
        for word, name in NAMES.items():
            run = gpulab(program, word)
            said = ' '.join(run.stderr.split())
            wanted = name.replace('{}', str(source_line('allocations.cu', f'"{word}"')))
            point(f'{word}, {flag}', run.returncode == 2 and re.search('end of ' + wanted, said) and re.search("element byte 16 of '[^ ()]*( at [^ ']*)?(, .*)?', which has 16", said) and not re.search(r'cudaMalloc\w* (\d|counts)', said), said)
            point(f'{word} fits 80 columns', all(len(line) <= 80 for line in run.stderr.split('\n')), run.stderr)
    fast = build('allocations.cu', 'fast', PTX, '-g', '-O3')
    for word in 'managed', 'asynchronous', 'class': # calls that the compiler does not join with equal ones
        run = gpulab(fast, word)
        wanted = NAMES[word].replace('{}', str(source_line('allocations.cu', f'"{word}"')))
        point(f'{word} in optimized code', re.search('end of ' + wanted, ' '.join(run.stderr.split())), run)
    line = source_line('allocations.cu', '"plain"')
    run = gpulab('--json', os.path.join(folder, 'out.json'), program, 'plain')
    with open(os.path.join(folder, 'out.json'), encoding='utf-8') as file:
        message = json.load(file)['faults'][0]['message']
    point('in JSON', f'd_x (cudaMalloc at allocations.cu:{line}, 16 bytes)' in ' '.join(message.split()), message)
    run = gpulab('--check', 'init', program, 'plain', 'read')
    point('of what nothing wrote', f'd_x (cudaMalloc at allocations.cu:{line}' in ' '.join(run.stderr.split()), run)
    run = gpulab('--prompt', program, 'plain', stdin='why outside\nlaunches\n')
    point('in views', ' '.join(run.stdout.split()).count(f'd_x (cudaMalloc at allocations.cu:{line}, 16 bytes)') == 2, run)
    run = gpulab('--break', 'outside', program, 'plain', stdin='continue\n')
    point('when it is stepped', f'past the end of d_x (cudaMalloc at allocations.cu:{line}, 16 bytes)' in ' '.join(run.stdout.split()), run)
    bare = build('allocations.cu', 'bare', PTX)
    run = gpulab(bare, 'plain')
    point('by number without debug information', 'end of cudaMalloc 2 (16 bytes)' in ' '.join(run.stderr.split()), run)
    run = gpulab(bare, 'mixed')
    point('the number counts calls of one function', 'end of cudaMalloc 2 (16 bytes)' in ' '.join(run.stderr.split()), run)
finally:
    finish()
