#!/usr/bin/env python3
"""Programs under gpulab exec that are damaged, close what is open, fork, or ask for sizes that cannot be.

    test_hostile.py GPULAB SOURCE CUDA_HOME      as TAP"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess

from runs import GPULAB, build, ends, finish, folder, gpulab, point

PTX = '-gencode=arch=compute_80,code=compute_80'
FATBIN = struct.pack('<I', 0xba55ed50)


def damaged(program, to, change):
    """The program with each of its fat binaries changed: change gets the file and where one begins."""
    image = bytearray(pathlib.Path(program).read_bytes())
    for found in re.finditer(re.escape(FATBIN), bytes(image)):
        change(image, found.start())
    path = os.path.join(folder, to)
    pathlib.Path(path).write_bytes(image)
    os.chmod(path, 0o755)
    return path


def put(*places):
    """Each place: a format, an offset from the fat binary's begin, and a value."""
    def change(image, at):
        for form, offset, value in places:
            if offset + 64 + at < len(image):
                struct.pack_into('<' + form, image, at + offset, value)
    return change


# The header is of 16 bytes: magic, version, bytes of the header, bytes of the entries. An entry begins behind it: kind, version,
# bytes of its header (at 4), bytes that follow (8), bytes that are compressed (16), of them (56) once unpacked.
DAMAGE = {
    'entries up to the end of the address space': put(('Q', 8, 2**64 - 1)), 'entries of a terabyte': put(('Q', 8, 2**40)),
    'entries of a terabyte, one of them of a gigabyte': put(('Q', 8, 2**40), ('Q', 24, 2**30)),
    'no entries': put(('Q', 8, 0)), 'a long header': put(('H', 6, 65535)), 'an entry of no kind': put(('H', 16, 99)),
    'a short header of an entry': put(('I', 20, 8)), 'a header of an entry of 4 GB': put(('I', 20, 2**32 - 1)),
    'an entry of a terabyte': put(('Q', 24, 2**40)), 'an entry up to the end of the address space': put(('Q', 24, 2**64 - 1)),
    'more that is compressed than there is': put(('I', 32, 2**32 - 1)), 'much once unpacked': put(('Q', 72, 2**63)),
    'a quarter of a gigabyte once unpacked': put(('Q', 72, 2**28)), 'text in place of what was compressed': put(('64s', 80, b'x' * 64))}

try:
    for mode in 'none', 'size', 'speed':
        whole = build('wrong.cu', f'whole-{mode}', PTX, f'--compress-mode={mode}')
        for what, change in list(DAMAGE.items())[0 if mode == 'none' else -4:]:  # the last ones are about what is compressed
            run = gpulab('--count', damaged(whole, 'damaged', change), 'order', stdin='x\n')
            point(f'a damaged fat binary, {mode}: {what}', run.returncode == 0 and run.stdout == 'before\nkernel\nafter x\n' or
                  run.returncode == 5 and 'gpulab: ' in run.stderr, run)

    linked = build('nested.cu', 'linked', PTX, '-rdc=true', '--compress-mode=none')
    for what, change in DAMAGE.items():
        run = gpulab(damaged(linked, 'damaged', change))
        point(f'damaged fat binaries of a linked program: {what}', run.returncode == 5 and 'gpulab: ' in run.stderr, run)

    sizes = build('sizes.cu', 'sizes', PTX, '-lcuda')
    for words in [], ['--streams', '1'], ['--check', 'memory']:
        ends(f'sizes that cannot be {" ".join(words)}', gpulab(*words, sizes), 0, '276 rows, 0 wrong\n')

    ends('registered memory', gpulab(build('registered.cu', 'registered', PTX)), 0, '0 wrong\n')

    ends('arguments that the runtime refuses', gpulab(build('refused.cu', 'refused', PTX)), 0, '0 wrong\n')

    # With lists that are gone through for each allocation, four times as many take 16 times as long.
    spent, many = [], build('many.cu', 'many', PTX)
    for count in '30000', '120000':
        before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        ends(f'many allocations: {count}', gpulab(many, count), 0, 'done\n')
        spent.append(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before)
    point('many allocations: their time grows as their number', spent[1] < 8 * spent[0], spent)

    for name in 'a$(touch ran).cu', 'b`touch ran`.cu', 'c"; touch ran; ".cu', "d'; touch ran; '.cu", 'e; touch ran;.cu', 'f$HOME.cu', 'g{1,2}.cu':
        pathlib.Path(folder, name).write_text('int main() { return 3; }\n', encoding='utf-8')
        run = subprocess.run([os.path.abspath(GPULAB), 'exec', name], cwd=folder, text=True, capture_output=True, check=False)
        refused = name[0] in 'abcfg'
        point(f'a name that a shell reads in another way: {name}', run.returncode == (64 if refused else 3) and
              refused == ('nvcc cannot be given' in run.stderr) and not os.path.exists(os.path.join(folder, 'ran')), run)

    heap = build('heap.cu', 'heap', PTX)
    for words in [], ['--check', 'all']:
        ends(f'malloc in kernels {" ".join(words)}', gpulab(*words, heap), 0, '496, full, cudaSuccess\n')
    run = gpulab('--break', 'drop', heap, stdin=('step\n' * 3 + 'back\n' * 3) * 2 + 'kill\n')
    point('free in a launch that is stepped', run.returncode == 0 and 'Fault' not in run.stdout and '496, full, cudaSuccess\n' in run.stdout, run)
    for how, line in ('twice', 17), ('late', 20), ('past', 23):
        run = gpulab('--check', 'memory', heap, how)
        point(f'malloc in kernels, wrong: {how}', run.returncode == 6 and f'heap.cu:{line}' in run.stderr, run)

    processes = build('processes.cu', 'processes', PTX)
    for how, status, out, error in (
            ('before', 0, 'children: 0 wrong\nparent: 0 wrong\n', ''),
            ('generations', 0, 'child: 0 wrong\nparent: 0 wrong\ngrandparent: 0 wrong\n', ''),
            ('after', 0, 'child: 0 other errors, cudaSuccess, cudaSuccess\nchild ended with 3\nparent: 0 wrong\n', ''),
            ('after by syscall', 0, 'child: 0 other errors, cudaSuccess, cudaSuccess\nchild ended with 3\nparent: 0 wrong\n', ''),
            ('while a thread launches', 0, 'thread: 0 wrong\nparent: 0 wrong\n', ''),
            ('memory', 0, 'child: 6\nsignal 11, managed 5, pinned 7\nparent: 0 wrong\n', 'memory of the process that forked this one'),
            ('commands', 0, 'before: 0 wrong\nsaid\n0\n4 6\nafter: 0 wrong\n', ''),
            ('spawns itself', 0, 'used: 0 wrong\nbetween: 0 wrong\nused: 0 wrong\n', ''),
            ('becomes itself', 0, 'first: 0 wrong\nused: 0 wrong\n', ''),
            ('no environment', 0, 'child: 0 wrong\nparent: 0 wrong\n', ''),
            ('child is killed', 0, 'parent: 0 wrong\n', ''),
            ('descriptor', 0, '3\nthen: 0 wrong\n', ''),
            ('closes before', 0, 'closed: 0 wrong\n', ''),
            ('closes after', 5, 'first: 0 wrong\n', 'closed a descriptor that is not its own'),
            ('closes all after', 5, 'first: 0 wrong\n', 'closed a descriptor that is not its own'),
            ('closes and opens after', 5, 'first: 0 wrong\n', 'closed a descriptor that is not its own'),
            ('low descriptors', 0, 'first: 0 wrong\nthen: 0 wrong\n', ''),
            ('few descriptors', 0, 'limited: 0 wrong\n', ''),
            ('no descriptors', 5, '', 'cannot connect to gpulab exec: Too many open files'),
            ('many descriptors', 0, 'limited: 0 wrong\n', ''),
            ('nothing', 0, '', 'made no call of the CUDA runtime')):
        ends(f'processes: {how}', gpulab(processes, how), status, out, error)
    for how, status in ('five', 5), ('frees what is not there', 0), ('asks for a name', 0), ('asks for the version', 0), ('asks for the last error', 0):
        run = gpulab(processes, how)
        point(f'a program that {how}', run.returncode == status and 'made no call' not in run.stderr, run)
    ends('a queue is not the child\'s', gpulab('--streams', '1', processes, 'after queued'), 0, '0 after the child\n2 in the end\n')
    run = gpulab('--count', '--json', os.path.join(folder, 'counted.json'), processes, 'before')
    counted = json.loads(pathlib.Path(folder, 'counted.json').read_text(encoding='utf-8'))
    point('launches of all processes are counted', run.returncode == 0 and counted['launches'] == 100 and counted['kernels'][0]['launches'] == 100, run)
    ends('and checked', gpulab('--check', 'all', processes, 'before'), 0, None, 'no issues in 100 launches')
    for where, status, error in (('a blank', 0, ''), ('two:colons', 5, 'in a folder with a colon')):
        copy = os.path.join(folder, where)
        os.mkdir(copy)
        shutil.copy(GPULAB, copy)
        shutil.copytree(os.path.join(os.path.dirname(GPULAB), 'exec'), copy + '/exec', ignore=lambda _, names: [n for n in names if not n.startswith('lib') or n.endswith('.p')])
        run = subprocess.run([copy + '/gpulab', 'exec', processes, 'descriptor'], text=True, capture_output=True, check=False)
        ends(f'gpulab is in a folder with {where}', run, status, None if status else '3\nthen: 0 wrong\n', error)
    run = gpulab(processes, 'daemon')
    point('a daemon is waited for', run.returncode == 0 and pathlib.Path(processes + '.out').read_text(encoding='utf-8') == '0 wrong\n', run)

    def stopped():
        """A program under gpulab that has stopped itself, and gpulab."""
        process = subprocess.Popen([GPULAB, 'exec', '/bin/sh', '-c', 'kill -STOP $$'], start_new_session=True, stderr=subprocess.DEVNULL)
        while True:
            children = pathlib.Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text(encoding='utf-8').split()
            if children and pathlib.Path(f'/proc/{children[0]}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[0] == 'T':
                return process, int(children[0])

    for how, send, status in (('Ctrl-C', lambda pid: os.killpg(pid, signal.SIGINT), 130), ('SIGTERM', lambda pid: os.kill(pid, signal.SIGTERM), -15),
                              ('SIGKILL', lambda pid: os.kill(pid, signal.SIGKILL), -9)):
        process, program = stopped()
        send(process.pid)
        ended = process.wait()
        while ended == -9 and os.path.exists(f'/proc/{program}') and ') T' in pathlib.Path(f'/proc/{program}/stat').read_text(encoding='utf-8'):
            pass
        point(f'{how} ends a program that is stopped', ended == status, ended)

    confined = build('confined.cu', 'confined', PTX)
    os.environ['CONFINED_TARGET'] = os.path.join(folder, 'written')
    if 'not here' in subprocess.run([GPULAB, 'doctor'], text=True, capture_output=True, check=False).stdout:
        point('host code that is judged # SKIP no Landlock or no seccomp here', True)
    else:
        run = subprocess.run([GPULAB, '-n', '-q', '--device', 'emu', os.path.join(os.path.dirname(__file__), 'confined.lua'), confined], text=True,
                             capture_output=True, check=False)
        denied, refused = 'Permission denied', 'Operation not permitted'
        ends('host code that is judged may only compute', run, 0, f'''a file before main: {denied}
a file: {denied}
a file of the user's: {denied}
a socket: {refused}
another process: {refused}
a program: {refused}
a process: {refused}
managed memory: {refused}
pinned memory: no error
computed: 42
copies to the device: 1, to the host: 1, fills: 1
''')
        point('and has left no file', not os.path.exists(os.environ['CONFINED_TARGET']))
finally:
    finish()
