"""Inputs that once took the program along, each followed by a launch that has to work. usage: test_attacks.py GPULAB

Of each: the process goes on, the message says what happened and what to do, and the next correct launch has its result."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from terminal import Terminal, check, run_tests, until, write

GPULAB = os.path.abspath(sys.argv[1])
SANITIZED = 'ASAN_OPTIONS' in os.environ and b'__asan_init' in open(GPULAB, 'rb').read()  # pylint: disable=consider-using-with

MARK = ('GPULAB_TEST_ATTACKS', str(os.getpid()))  # in the environment of all that these tests start

RIGHT = '__global__ void right(int *a) { a[threadIdx.x] = 3 * threadIdx.x; }\n'
NEXT = '''
local b = gpu.buffer("int", 32)
gpu.compile("right.cu"):kernel("right"){ grid = 1, block = 32 }(b)
print("next", b:download()[31])
'''


class Folder:
    def __init__(self, **files):
        self.home = tempfile.TemporaryDirectory(prefix='gpulab-attack-')
        self.env = {**os.environ, MARK[0]: MARK[1], 'HOME': self.home.name, 'XDG_CACHE_HOME': self.home.name + '/cache', 'NO_COLOR': '1',
                    'XDG_STATE_HOME': self.home.name, 'XDG_CONFIG_HOME': self.home.name, 'GPULAB_HOME': self.home.name + '/gpulab'}
        self.write('right.cu', RIGHT)
        for name, text in files.items():
            self.write(name + '.cu', text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.home.cleanup()

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.home.name, name)), exist_ok=True)
        write(os.path.join(self.home.name, name), text)

    def gpulab(self, *args, text=None):
        return subprocess.run([GPULAB, '-n', '--device', 'emu', *args], input=text, capture_output=True, text=True, check=False,
                              cwd=self.home.name, env=self.env)

    def attack(self, script, *args, said=''):
        """Runs `script`, whose error is printed and not raised, and the next launch. Returns what was printed."""
        whole = 'local ok, e = pcall(function()\n%s\nend)\nif not ok then print(type(e) == "table" and e.kind or "lua", %s) end\n%s' % (
            script, 'type(e) == "table" and e.message .. " " .. (e.hint or "") or e', NEXT)
        done = self.gpulab(*args, '-', text=whole)
        check(done.returncode == 0, 'status %d: %s %s' % (done.returncode, done.stdout[-800:], done.stderr[-800:]))
        check('next\t93' in done.stdout, 'the next launch: %s %s' % (done.stdout[-800:], done.stderr[-800:]))
        check(re.search(said, ' '.join(done.stdout.split())), '%r is not in %s %s' % (said, done.stdout[-800:], done.stderr[-800:]))
        return done.stdout


MAPA = '''__global__ void k(int *a)
{
	__shared__ int s[32];
	s[threadIdx.x] = a[threadIdx.x];
	unsigned long long here = (unsigned long long)s, there;
	asm volatile("mapa.u64 %%0, %%1, %s;" : "=l"(there) : "l"(here));
	a[threadIdx.x] = *(volatile int *)((char *)there + 4 * threadIdx.x);
}
'''


def cluster_addresses():
    """an address of another block's shared memory, in launches without clusters, under all checkers"""
    with Folder(own=MAPA % '0', others=MAPA % '1', far=MAPA % '4000000') as f:
        for name in ('own', 'others', 'far'):
            for grid in ('1', '3', '{ 2, 2 }'):
                f.attack('local k = gpu.compile("%s.cu"):kernel("k")\nlocal a = gpu.buffer("int", 128, { fill = 0 })\n'
                         'gpu.check(k, { grid = %s, block = 32 }, { a })' % (name, grid))


def heap_entries_come_back():
    """free(malloc(16)) a hundred thousand times takes no memory, and for ever it ends at the limit of time"""
    with Folder(bounded='__global__ void k(int *a) { for (int i = 0; i < 100000; i++) free(malloc(16)); *a = 1; }\n',
                forever='__global__ void k(int *a) { for (;;) free(malloc(16)); }\n') as f:
        launch = 'local a = gpu.buffer("int", 1)\ngpu.compile("%s.cu"):kernel("k"){ grid = 1, block = 1%s }(a)'
        limits = () if SANITIZED else ('--limit', 'emulator_memory=256M')
        check('kind' not in f.attack(launch % ('bounded', ''), *limits), 'it failed')
        f.attack(launch % ('forever', ', timeout = 700'), *limits, said=r'timeout .*(timeout|limit|0\.7)')


def compilers_bombs():
    """sources that take the compiler minutes, gigabytes or its life end at a limit that is named"""
    bomb = ('template<int D,int N> struct F { static constexpr long v = F<D-1,2*N>::v + F<D-1,2*N+1>::v; };\n'
            'template<int N> struct F<0,N> { static constexpr long v = N; };\n__global__ void k(int *a) { a[0] = F<40,1>::v; }\n')
    variables = '__global__ void k(int *a) { %s a[0] = 1; }\n' % ' '.join('int v%d = a[%d];' % (i, i) for i in range(20000))
    cases = '__global__ void k(int *a) { switch (a[0]) { %s } }\n' % ' '.join(
        'case %d: a[%d] = a[%d] * %d; break;' % (i, i % 977, i * 7 % 983, i) for i in range(20000))
    macros = '#define A x x x x x x x x x x x x x x x x\n#define x B B B B B B B B B B B B B B B B\n' \
             '#define B C C C C C C C C C C C C C C C C\n#define C D D D D D D D D D D D D D D D D\n' \
             '#define D E E E E E E E E E E E E E E E E\n#define E F F F F F F F F F F F F F F F F\n#define F +1\n' \
             '__global__ void k(int *a) { a[0] = 0 A; }\n'
    limits = ('--limit', 'compile_time=3') + (() if SANITIZED else ('--limit', 'compile_memory=700M'))
    with Folder(bomb=bomb, variables=variables, cases=cases, macros=macros) as f:
        for name in ('bomb', 'variables', 'cases', 'macros'):
            out = f.attack('gpu.compile("%s.cu"):kernel("k")' % name, *limits)
            if 'compile\t' in out or 'timeout\t' in out:
                check('compile_time' in out or 'compile_memory' in out or 'error' in out, 'no limit is named: %s' % out)
            check('gpulab.' not in out and 'traceback' not in out, out)


def includes_that_hang_or_leak():
    """#include of a FIFO, a device, a private file or a solution is refused, and shows no line of it"""
    with Folder() as f:
        os.mkfifo(f.home.name + '/pipe.h')
        f.write('secret/private.h', 'TOPSECRET\n')
        for path in ('pipe.h', '/dev/zero', '/etc/passwd', 'secret/../../../../../../etc/passwd', f.home.name + '/../secret.h',
                     '../solutions/03-row-sums/row_sums.cu', 'solutions/03-row-sums/row_sums.cu'):
            f.write('inner/k.cu', '#include "%s"\n__global__ void k(int *a) { *a = 1; }\n' % path)
            out = f.attack('gpu.compile("inner/k.cu"):kernel("k")', '--limit', 'compile_time=20', said='^compile ')
            check('root:' not in out and 'TOPSECRET' not in out, out)


def a_wrong_instruction():
    """inline PTX with too few or wrong operands is an error of the compilation or of the launch"""
    with Folder() as f:
        for text in ('mad24.lo.s32 %0, %0;', 'mad.lo.s32 %0, %0, %0;', 'ld.shared.u32 %0, [%0+4294967295];', 'bra nowhere;',
                     'setp.lt.s32 p, %0, 1;', 'wgmma.fence.sync.aligned;', '.reg .b32 r<4000000>;', 'call (%0), f, (%0);'):
            f.write('asm.cu', '__global__ void k(int *a) { int x = *a; asm volatile("%s" : "+r"(x)); *a = x; }\n' % text)
            f.attack('local a = gpu.buffer("int", 1, { fill = 0 })\ngpu.check(gpu.compile("asm.cu"):kernel("k"), '
                     '{ grid = 1, block = 1 }, { a })')


def the_vacuous_kernel_is_refused():
    """an exercise's own solution by #include, and a kernel that avoids what is counted, pass no acceptance check"""
    vacuous = '''constexpr int ROW = 32;
__global__ void row_sums(float *sums, const float *in)
{
	const int first = blockIdx.x * ROW;
	if (threadIdx.x == 0)
		for (int r = 0; r < ROW; r++) {
			float sum = 0;
			for (int k = 0; k < ROW; k++) sum += in[(first + r) * ROW + k];
			sums[first + r] = sum;
		}
}
'''
    with Folder(vacuous=vacuous, stolen='#include "../../solutions/03-row-sums/row_sums.cu"\n') as f:
        for name, status in (('vacuous', (7,)), ('stolen', (1,))):
            done = f.gpulab('check', '3', 'row-sums', name + '.cu')
            check(done.returncode in status, '%s: %d %s %s' % (name, done.returncode, done.stdout, done.stderr))


def ctrl_c_while_it_compiles():
    """Ctrl-C 40 to 120 ms after run with a cold cache leaves the prompt, and io.read still hears it afterwards"""
    for delay in (0.04, 0.07, 0.12):
        with Folder() as f:
            env = {**f.env, 'TERM': 'dumb', 'INPUTRC': '/dev/null', 'LANG': 'C.UTF-8'}
            t = Terminal([GPULAB, '-n', '-q', '--device', 'emu', '--set', 'n=128', '6'], env, cwd=f.home.name)
            try:
                t.expect('06> $')
                t.line('predict off')
                t.expect('06> $')
                t.line('run')
                time.sleep(delay)
                t.send('\x03')
                t.expect('06> $')
                t.answers()
                t.line('print("go") io.read()')
                t.expect('\ngo\n')
                t.send('\x03')
                t.expect('06> $')
                t.answers()
            finally:
                t.kill()


def a_worker_is_killed():
    """kill -9 of the worker that emulates: what was lost is named, and the next launch works"""
    with Folder(loop='__global__ void k(volatile int *a) { for (;;) a[0]++; }\n') as f:
        script = 'local ok, e = pcall(function() local a = gpu.buffer("int", 1, { fill = 0 })\n' \
                 'io.stderr:write("started\\n") gpu.compile("loop.cu"):kernel("k"){ grid = 1, block = 1 }(a) end)\n' \
                 'print(e.kind, e.message)\n' + NEXT
        with subprocess.Popen([GPULAB, '-n', '--device', 'emu', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, cwd=f.home.name, env=f.env) as process:
            process.stdin.write(script)
            process.stdin.close()
            process.stderr.readline()
            until(lambda: any(busy(pid) for pid in workers()), lambda: 'no worker is at work')
            os.kill(next(pid for pid in workers() if busy(pid)), signal.SIGKILL)
            out = process.stdout.read()
            check("next\t93" in out and process.wait() == 0, out + process.stderr.read())
            check(re.search('killed|ended|died|signal', out), out)


def workers():
    """Of these tests, here or at the other end of a connection: by the environment that they got."""
    found, mark = [], ('%s=%s' % MARK).encode()
    for entry in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/environ' % entry, 'rb') as f:
                if mark in f.read().split(b'\0'):
                    found.append(int(entry))
        except OSError:
            continue
    return found


def busy(pid):
    """An emulator that has used half a second of a processor."""
    try:
        with open('/proc/%d/cmdline' % pid, encoding='utf-8') as f:
            if '--worker\0emu' not in f.read():
                return False
        with open('/proc/%d/stat' % pid, encoding='utf-8') as f:
            return int(f.read().rsplit(')', 1)[1].split()[11]) > 50
    except FileNotFoundError:
        return False


sys.exit(run_tests([cluster_addresses, heap_entries_come_back, compilers_bombs, includes_that_hang_or_leak, a_wrong_instruction,
                    the_vacuous_kernel_is_refused, ctrl_c_while_it_compiles, a_worker_is_killed]))
