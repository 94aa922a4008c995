#!/usr/bin/env python3
"""Programs under gpulab exec that are damaged, close what is open, fork, or ask for sizes that cannot be.

    test_hostile.py GPULAB SOURCE CUDA_HOME      as TAP"""
import os
import pathlib
import re
import struct

from runs import build, ends, finish, folder, gpulab, point

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
finally:
    finish()
