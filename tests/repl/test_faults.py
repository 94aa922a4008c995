"""Everything that can go wrong at the prompt, and the next correct launch after it, on one backend.
usage: test_faults.py GPULAB DEVICE      DEVICE: emu, cuda:0, ssh:HOST/emu"""
import os
import re
import subprocess
import sys
import tempfile
import time

from terminal import CTRL_C, CTRL_D, Lost, Terminal, run_tests, until

GPULAB, DEVICE = os.path.abspath(sys.argv[1]), sys.argv[2]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ON_GPU = DEVICE.startswith('cuda')
SERVICE = DEVICE.split('/')[-1].split(':')[0]  # of the worker that runs kernels
LOSES = ON_GPU or '/' in DEVICE  # what kernels wrote goes with the worker: its memory is not shared with the prompt
MARK = ('GPULAB_TEST_FAULTS', str(os.getpid()))  # in the environment of all that these tests start

KERNELS = r'''
__global__ void put(int *odata, int i) { odata[blockIdx.x * blockDim.x + threadIdx.x + i] = 7; }
__global__ void forever(int *odata) { while (1) ; }
__global__ void trapped(int *odata) { if (threadIdx.x == 3) __trap(); odata[threadIdx.x] = 1; }
__global__ void turned(float *odata, const float *idata, int n) {
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	odata[y * n + x] = idata[y * n + x];
}
'''


class Prompt:
    def __init__(self, *args, device=DEVICE):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        home = self.folder.name
        with open(home + '/faults.cu', 'w', encoding='utf-8') as f:
            f.write(KERNELS)
        with open(home + '/semicolon.cu', 'w', encoding='utf-8') as f:
            f.write('__global__ void put(int *odata)\n{\n\todata[0] = 1\n}\n')
        variables = {**os.environ, MARK[0]: MARK[1], 'HOME': home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null',
                     'XDG_STATE_HOME': home + '/state', 'XDG_CONFIG_HOME': home + '/config', 'GPULAB_HOME': home + '/gpulab'}
        self.terminal = Terminal([GPULAB, '-q', '-n', '--device', device, *args], variables, cwd=home)

    def __enter__(self):
        t = self.terminal
        say(t, 'm = gpu.compile("faults.cu")')
        say(t, 'put, forever, trapped, turned = m:kernel("put"), m:kernel("forever"), m:kernel("trapped"), m:kernel("turned")')
        say(t, 'odata = gpu.buffer("int", 1024, { name = "odata", fill = 0 })')
        return t

    def __exit__(self, *_):
        self.terminal.kill()
        self.folder.cleanup()


def say(t, line):
    """A line whose answer does not matter here; the prompt is back afterwards."""
    t.expect(r'> $')
    t.line(line)


def ask(t, line, answer):
    say(t, line)
    return t.expect(answer)


def works(t):
    """The next correct launch, and its result."""
    ask(t, 'put{grid = 4, block = 256}(odata, 0).status', r'\n"ok"\r?\n')
    ask(t, 'odata[1023]', r'\n7\r?\n')


def fine():
    """a correct launch"""
    with Prompt() as t:
        works(t)


def semicolon():
    """a missing semicolon: line and caret, and the next correct launch works"""
    with Prompt() as t:
        ask(t, 'gpu.compile("semicolon.cu")', r'semicolon\.cu:\d+.*expected.*\^')
        works(t)


def past_the_end():
    """a store one element past the end: buffer, element, block, thread, line; then a correct launch"""
    with Prompt() as t:
        shown = ask(t, 'put{grid = 4, block = 256}(odata, 1)', r'odata\[1024\].*?faults\.cu:2').group(0)
        assert re.search(r'block\D*3\b', shown) and re.search(r'thread\D*255\b', shown), shown
        if ON_GPU:
            t.expect(r'emulator')
        works(t)


def far_away():
    """a store far outside every buffer; then a correct launch"""
    with Prompt() as t:
        ask(t, 'put{grid = 1, block = 32}(odata, 1 << 30)', r'faults\.cu:2')
        works(t)


def trap():
    """a trap: the thread and the line; then a correct launch"""
    with Prompt() as t:
        ask(t, 'trapped{grid = 1, block = 32}(odata)', r'trap.*faults\.cu:4')
        works(t)


def wrong_result():
    """a transpose that is none: the first mismatches by row and column; then a correct launch"""
    with Prompt() as t:
        say(t, 'a = gpu.buffer("float", 64 * 64, { name = "idata", fill = "iota" })')
        say(t, 'b = gpu.buffer("float", 64 * 64, { name = "b" })')
        ask(t, 'turned{grid = {2, 2}, block = {32, 32}}(b, a, 64).status', r'\n"ok"\r?\n')
        say(t, 'm = b:download():mismatch(a:download():transpose(64, 64), { columns = 64 })')
        ask(t, 'print(m.count, m.first[1].row, m.first[1].column, m.first[1].got, m.first[1].want)', r'\n4032\s+0\s+1\s+1\.0\s+64\.0\r?\n')
        works(t)


def timeout():
    """while(1) ends at its limit; then a correct launch"""
    with Prompt() as t:
        t.expect(r'> $')
        began = time.monotonic()
        t.line('forever{grid = 1, block = 32, timeout = 500}(odata)')
        t.expect(r'500 ms|0\.5 s')
        print('# stopped after %.2f s' % (time.monotonic() - began))
        works(t)


def hung_kernel():
    """Ctrl-C in a kernel that never ends; then a correct launch"""
    with Prompt() as t:
        works(t)
        say(t, 'print("go") forever{grid = 1, block = 32, timeout = 600000}(odata)')
        t.expect(r'\ngo\r?\n')
        began = time.monotonic()
        t.send(CTRL_C)
        t.expect(r'interrupted')
        t.expect(r'> $')
        print('# the prompt was back after %.2f s' % (time.monotonic() - began))
        t.send(CTRL_C)
        works(t)


def too_many_threads():
    """2000 threads a block: both figures; then a correct launch"""
    with Prompt() as t:
        ask(t, 'put{grid = 1, block = 2000}(odata, 0)', r'2000.*1024')
        works(t)


def no_nvrtc():
    """without NVRTC: how to get it, and Lua goes on"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        done = subprocess.run([GPULAB, '--device', DEVICE, '-e', 'gpu.compile_text("__global__ void f() {}")'],
                              env={**os.environ, 'GPULAB_NVRTC': '/nonexistent', 'XDG_CACHE_HOME': home}, capture_output=True,
                              check=False)
        assert done.returncode == 5, done
        assert b'NVRTC' in done.stderr, done.stderr


def workers(service):
    """Process ids of the workers of the prompts that these tests started; b'' is all of them."""
    found = []
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                with open('/proc/%s/cmdline' % entry, 'rb') as f:
                    words = f.read().split(b'\0')
                with open('/proc/%s/environ' % entry, 'rb') as f:
                    ours = ('%s=%s' % MARK).encode() in f.read().split(b'\0')
            except OSError:
                continue
            if ours and b'--worker' in words and service in words[2]:
                found.append(int(entry))
    return found


def dead_worker():
    """kill -9 of the worker: the prompt answers; what a kernel wrote is named as lost on a GPU or elsewhere, and still there on the emulator here"""
    with Prompt() as t:
        works(t)
        say(t, 'kept = gpu.buffer("int", 100, { name = "kept", fill = "iota" })')
        ask(t, 'kept[42]', r'\n42\r?\n')
        t.expect(r'> $')
        found = workers(SERVICE.encode())
        assert found, 'there is no worker'
        for pid in found:
            os.kill(pid, 9)
        began = time.monotonic()
        t.line('kept[43]')
        t.expect(r'\n43\r?\n')
        print('# the prompt answered after %.2f s' % (time.monotonic() - began))
        ask(t, 'odata[0]', r'odata.*lost' if LOSES else r'\n7\r?\n')
        ask(t, 'odata:fill(0)', r'> $')
        t.line('1 + 1')
        t.expect(r'\n2\r?\n')
        works(t)
    return None


def ends():
    """Ctrl-D ends with 0 and leaves no worker"""
    with Prompt() as t:
        works(t)
        t.expect(r'> $')
        t.send(CTRL_D)
        assert t.close() == 0, t.status
        until(lambda: not workers(b''), lambda: 'workers left: %s' % workers(b''))


def main():
    if ON_GPU:
        probe = subprocess.run([GPULAB, '--device', DEVICE, '-e', 'print(gpu.device.gpu)'], capture_output=True, check=False)
        if probe.returncode == 5:
            print('1..0 # SKIP no %s here' % DEVICE)
            return 0
    return run_tests([fine, semicolon, past_the_end, far_away, trap, wrong_result, timeout, hung_kernel, too_many_threads,
                      no_nvrtc, dead_worker, ends])


if __name__ == '__main__':
    try:
        sys.exit(main())
    except Lost as lost:
        sys.exit(str(lost))
