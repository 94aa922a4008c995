#!/usr/bin/env python3
"""gpulab doctor: what it says of this machine, and of programs of every kind.

    test_doctor.py GPULAB SOURCE CUDA_HOME      as TAP"""
import json
import os
import re
import shutil
import subprocess

from runs import GPULAB, PROGRAMS, build, build_both, finish, folder, point

PTX = '-gencode=arch=compute_80,code=compute_80'


def doctor(*words, **environment):
    return subprocess.run([GPULAB, 'doctor', *words], env=dict(os.environ, **environment), text=True, capture_output=True, check=False)


def changed(path, name, at, byte):
    """A copy with another byte at a place."""
    other = os.path.join(folder, name)
    shutil.copy(path, other)
    with open(other, 'r+b') as file:
        file.seek(at)
        file.write(bytes([byte]))
    return other


def report(*words):
    run = doctor('--json', '-', *words)
    try:
        return run.returncode, json.loads(run.stdout)
    except ValueError:
        return run, {'machine': [], 'program': []}


def says(name, path, status, wanted):
    """wanted: what -> (ok, a part of state and consequence)"""
    code, found = report(path)
    entries = {entry['what']: entry for entry in found['program']}
    good = code == status and all(what in entries and entries[what]['ok'] == ok and part in entries[what]['state'] + '; ' + entries[what]['consequence']
                                  for what, (ok, part) in wanted.items())
    good = good and all(entry['ok'] or entry.get('remedy') for entry in found['program'])
    point(name, good, f'{code} {found["program"]}')


try:
    code, found = report()
    entries = {entry['what']: entry for entry in found['machine']}
    point('a machine: status 0, every part once', code == 0 and {'driver', 'GPU', 'NVRTC', 'nvcc', 'addr2line', 'terminal', 'disk', 'sandbox'} <=
          set(entries) and found['schema'] == 'gpulab-doctor/1' and 'program' not in found, found)
    point('what is missing has a consequence and a remedy', all(entry['consequence'] and (entry['ok'] or entry.get('remedy'))
                                                                for entry in found['machine']), found)
    if not os.path.exists('/proc/driver/nvidia/version'):
        point('no driver, no GPU', not entries['driver']['ok'] and entries['driver']['state'] == 'none is loaded' and not entries['GPU']['ok'] and
              'emulates' in entries['driver']['consequence'], found)
        with open(folder + '/nvidia-smi', 'w', encoding='utf-8') as script:
            script.write('#!/bin/sh\n[ "$*" = "--query-gpu=driver_version --format=csv,noheader" ] && echo 566.36')
        os.chmod(folder + '/nvidia-smi', 0o755)
        smi = doctor(PATH=folder + ':' + os.environ['PATH'])
        point('the driver that nvidia-smi names, as under WSL', '  driver      566.36\n              runs programs up to CUDA 12.7' in smi.stdout, smi)
    root = os.path.join(folder, 'root')  # with nothing in it but gpulab, its libraries, and a shell
    for path in ['/bin/sh', os.path.abspath(GPULAB), *re.findall(r'(/\S+) \(0x', subprocess.run(['ldd', os.path.abspath(GPULAB)], text=True, capture_output=True, check=False).stdout)]:
        os.makedirs(root + os.path.dirname(path), exist_ok=True)
        shutil.copy(path, root + path)
    os.makedirs(root + '/dev')
    for name in 'null', 'dxg':
        with open(root + '/dev/' + name, 'wb'):
            pass
    rootless = ['unshare', '-r'] if os.geteuid() else []
    run = subprocess.run([*rootless, 'chroot', root, os.path.abspath(GPULAB), 'doctor'], text=True, capture_output=True, check=False)
    if 'Operation not permitted' in run.stderr or not shutil.which('chroot'):
        point('a root without anything # SKIP there is no chroot', True)
    else:
        point('a root without anything: /proc, WSL, and nothing about sandboxes', run.returncode == 0 and "NVIDIA's driver in Windows" in run.stdout and run.stdout.startswith('! /proc       not mounted') and
              '-> mount -t proc proc /proc' in run.stdout and 'sandbox' not in run.stdout and '! nvcc        not found' in run.stdout, run)
    bare = doctor(PATH='/nonexistent', CUDA_HOME='/nonexistent')
    point('as text, without the tools in PATH', bare.returncode == 0 and '! addr2line   not found' in bare.stdout and '-> install binutils' in bare.stdout and
          max(map(len, bare.stdout.split('\n'))) <= 80, bare)

    static, shared = build_both('lock.cu', PTX)
    says('the static runtime', static, 0, {'file': (True, 'CUDA runtime: static'), 'kernels': (True, 'for cc 8.0 and newer'), 'gpulab exec': (True, 'runs'),
                                           'errors': (True, 'cudaGetErrorString')})
    says('the shared runtime', shared, 0, {'file': (True, 'libcudart.so.'), 'gpulab exec': (True, 'runs')})
    says('no look at errors', build('clocks.cu', 'unasked', PTX), 0, {'errors': (False, 'no function that reports an error')})
    says('SASS only', build('lock.cu', 'sass', '-gencode=arch=compute_90,code=sm_90'), 5,
         {'kernels': (True, 'SASS for cc 9.0'), 'gpulab exec': (False, 'no PTX, only SASS')})
    stripped = shutil.copy(static, os.path.join(folder, 'stripped'))
    subprocess.run(['strip', stripped], check=True)
    linked = '-gencode=arch=compute_80,code=[compute_80,sm_80]', '-rdc=true'
    says('linked, of one file', build('nested.cu', 'linked', *linked), 0, {'kernels': (True, 'PTX'), 'gpulab exec': (True, 'runs')})
    says('linked, of two files', build('nested.cu', 'linked', *linked, os.path.join(PROGRAMS, 'scale.cu')), 5, {'gpulab exec': (False, 'of 2 files')})
    says('stripped', stripped, 5, {'gpulab exec': (False, 'its symbols were stripped')})
    says('a program for another machine', changed(static, 'arm', 18, 183 if os.uname().machine == 'x86_64' else 62), 5, {'file': (False, 'this machine is')})
    says('a program of 32 bits', changed(static, 'narrow', 4, 1), 5, {'file': (False, '32 bits')})
    says('no kernels', '/bin/true', 0, {'kernels': (False, 'none')})
    with open(static, 'rb') as file:
        image = file.read()
    for name, text in {'text': b'#!/bin/sh\n', 'empty': b'', 'magic': image[:4], 'header': image[:40], 'cut': image[:len(image) // 2]}.items():
        path = os.path.join(folder, name)
        with open(path, 'wb') as file:
            file.write(text)
        says(f'a file that is not a whole program: {name}', path, 5, {'file': (False, 'nothing can run it')})
    start = image.find(b'\x50\xed\x55\xba') + 16
    for offset, what in (0, 'kind'), (4, 'header'), (5, 'larger header'), (8, 'length'), (15, 'negative length'), (28, 'architecture'):
        code, found = report(changed(static, 'damaged', start + offset, 0xff))
        point(f'damaged device code: {what}', code in (0, 5) and found['program'], f'{code} {found}')
    run = doctor(os.path.join(folder, 'nothing'))
    point('no such file', run.returncode == 5 and 'there is no program' in run.stderr, run)
    run = doctor(static, shared)
    point('one program at a time', run.returncode == 64, run)
finally:
    finish()
