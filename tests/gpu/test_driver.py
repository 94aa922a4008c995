#!/usr/bin/env python3
"""What is said where the driver is missing, taken away or too old: test_driver.py GPULAB FOLDER_OF_NONE FOLDER_OF_OLD
Each folder has a libcuda.so.1 that stands for such a driver."""
import os
import subprocess
import sys

from tap import check, end

GPULAB, NONE, OLD = sys.argv[1:4]


def run(folder, device, chunk):
    """Exit status, and everything that was printed, in one line."""
    env = {**os.environ, 'LD_LIBRARY_PATH': folder}
    done = subprocess.run([GPULAB, '--device', device, '-e', chunk], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=env, check=False)
    return done.returncode, ' '.join((done.stdout + done.stderr).split())


OPENS = 'print(gpu.device)'
WHY = 'print(gpu.device.backend, gpu.device.without_gpu)'

status, said = run(NONE, 'cuda:0', OPENS)
check(status == 5 and 'no NVIDIA driver is running' in said and '--device emu' in said, 'a driver that was taken away', said)
status, said = run(OLD, 'cuda:0', OPENS)
check(status == 5 and 'knows CUDA up to 11.2' in said and 'update the driver' in said, 'a driver that is too old', said)
status, said = run(OLD, 'cuda:3', OPENS)
check(status == 5 and 'update the driver' in said, 'and so for any GPU', said)
status, said = run(OLD, 'auto', WHY)
check(status == 0 and said.startswith('emu the NVIDIA driver knows CUDA up to 11.2'), 'auto: the emulator, and why', said)
status, said = run(OLD, 'emu', WHY)
check(status == 0 and said == 'emu nil', 'emu: no GPU was asked for', said)
status, said = run(OLD, 'emu', 'local d, missing = gpu.devices(); print(#missing, missing[1].name, missing[1].why, d[1].backend)')
check(status == 0 and said.startswith('1 cuda:0 the NVIDIA driver knows') and said.endswith('emu'), 'it is listed, with the reason', said)
for name in ('cuda:', 'cuda:one', 'cuda:-1', 'cuda:99999'):
    status, said = run(OLD, name, OPENS)
    check(status == 5 and 'names no GPU' in said, name + ' is no GPU', said)
sys.exit(end())
