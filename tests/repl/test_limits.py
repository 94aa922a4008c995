"""Limits count processor time: what a kernel or a compilation may do does not depend on what else the computer does. A launch that
meets its limit, and one that Ctrl-C ends, keeps its output and says where it was. usage: test_limits.py GPULAB"""
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from terminal import check, run_tests, write

GPULAB = os.path.abspath(sys.argv[1])
MARK = ('GPULAB_TEST_LIMITS', str(os.getpid()))  # in the environment of all that these tests start
BUSY = 8  # loops, on the one processor that these tests keep to: what runs beside them takes nine times its processor time

KERNELS = r'''__global__ void endless(int *a)
{
	int x = a[0];
	while (x != 77)
		x = x * 4 + 2;
	a[1] = x;
}
__global__ void some(int *a)
{
	int x = a[0];
	for (int i = 0; i < 3000000; i++) x = x * 3 + (x >> 7);
	a[1] = x;
}
__global__ void flood(int *a) { for (int i = 0; i < 1000000000; i++) printf("%01000d\n", i); }
__global__ void heavy(int *a) { for (int i = 0; i < 1000000000; i++) printf("%4000d%4000d%4000d%4000d%4000d%4000d%4000d\n", i, i, i, i, i, i, i); }
__global__ void allocates(int *a) { for (;;) free(malloc(16)); }
'''
BOMB = '''template<int D,int N> struct F { static constexpr long v = F<D-1,2*N>::v + F<D-1,2*N+1>::v; };
template<int N> struct F<0,N> { static constexpr long v = N; };
__global__ void k(int *a) { a[0] = F<40,1>::v; }
'''

FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
write(FOLDER.name + '/k.cu', KERNELS)
write(FOLDER.name + '/bomb.cu', BOMB)
ENV = {**os.environ, MARK[0]: MARK[1], 'HOME': FOLDER.name, 'XDG_CACHE_HOME': FOLDER.name + '/cache', 'XDG_STATE_HOME': FOLDER.name, 'XDG_CONFIG_HOME': FOLDER.name,
       'GPULAB_HOME': FOLDER.name, 'NO_COLOR': '1'}
LAUNCH = '''local a = gpu.buffer("int", 64, { fill = 0 })
local o = gpu.compile("k.cu"):kernel("%s"):launch({ grid = %d, block = %d, timeout = %d }, a)
io.stderr:write(o.status, " ", #o.output, " ", o.message, "\\n")
io.write(o.output:sub(-200))
'''


def start(script, *args):
    return subprocess.Popen([GPULAB, '-n', '--device', 'emu', *args, '-e', script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, cwd=FOLDER.name, env=ENV)


def run(script, *args):
    p = start(script, *args)
    out, err = p.communicate()
    return p.returncode, out, err


def launch(kernel, grid, block, milliseconds, *args):
    code, out, err = run(LAUNCH % (kernel, grid, block, milliseconds), *args)
    check(code == 0, 'status %d: %s' % (code, err))
    return out, err


@contextlib.contextmanager
def busy_machine():
    loops = [subprocess.Popen(['sh', '-c', 'while :; do :; done'], start_new_session=True) for _ in range(BUSY)]
    try:
        yield
    finally:
        for p in loops:
            p.kill()
            p.wait()


def without_numbers(text):
    return re.sub(r'(\d[\d ]*) warp instructions', 'N warp instructions', re.sub(r'\(\d+,0,0\), warp \d+,', 'B', text))


def same_verdict_on_a_busy_machine():
    """an endless kernel under a limit of 0.1 s, and one that is far from it, end alike alone and beside busy loops"""
    def verdicts():
        return [without_numbers(launch(*what)[1]) for what in (('endless', 1, 64, 100), ('endless', 50, 32, 100), ('some', 4, 64, 1000))]
    alone = verdicts()
    with busy_machine():
        beside = verdicts()
    check(alone == beside, '%s, beside others: %s' % (alone, beside))
    check(alone[0].startswith('timeout 0 The kernel did not end within 100 ms of processor time: block B was at k.cu:'), alone[0])
    check('after N warp instructions. Does a loop never end?' in alone[0] and '--limit emulator_time=300' in alone[0], alone[0])
    check(alone[2] == 'ok 0 \n', alone[2])


def compilations_on_a_busy_machine():
    """so does a compilation that takes too long"""
    script = 'local ok, e = pcall(gpu.compile, "bomb.cu")\nif ok then ok, e = pcall(function() e:kernel("k") end) end\nprint(e.kind, e.message)'
    limits = ('--limit', 'compile_time=0.15', '--limit', 'compile_memory=16G')
    with busy_machine():
        code, out, err = run(script, *limits)
    check(code == 0 and re.search(r'^timeout\t.*bomb\.cu took more than 0\.15 s of processor time and was stopped', out, re.M), out + err)


def flooded(kernel):
    """A launch that meets its limit after more than the 16 MB that are kept; processor time brings less on a machine whose caches are shared."""
    for milliseconds in (1500, 6000, 24000, 96000):
        out, err = launch(kernel, 4, 64, milliseconds)
        if 'were cut' in out:
            break
    return out, err


def output_is_kept():
    """what a launch printed before its limit is there, whatever it prints; what is too much is cut, and says so"""
    for kernel, line in (('flood', 14), ('heavy', 15)):
        out, err = flooded(kernel)
        status, length, message = err.split(' ', 2)
        check(status == 'timeout' and int(length) > 16 << 20 and 'was at k.cu:' in message, err)
        check(re.search(r'\n\[gpulab: \d+ more bytes of output were cut; a launch keeps 16 MB\]\n$', out), out)
        check('k.cu:%d ' % line in message, message)
    out, err = launch('flood', 1, 1, 20)
    check(int(err.split()[1]) > 0 and 'were cut' not in out, err)


def heaps_have_a_limit():
    """calls of malloc and free count, too"""
    check(launch('allocates', 4, 64, 200)[1].startswith('timeout 0 The kernel did not end within 200 ms of processor time'), 'it said something else')


def worker_of(parent):
    """The process id of the emulator that this prompt started, once it has computed for a while; nothing but a launch takes it that long."""
    while True:
        for entry in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open('/proc/%s/stat' % entry, encoding='ascii', errors='replace') as f:
                    about = f.read().rsplit(')', 1)[1].split()
                with open('/proc/%s/cmdline' % entry, 'rb') as f:
                    emulates = b'\0emu' in f.read()
            except OSError:
                continue
            if emulates and int(about[1]) == parent and int(about[11]) > 15:
                return int(entry)
        time.sleep(0.02)


def interrupts_say_where():
    """Ctrl-C ends a kernel, on a busy machine too, and says where it was"""
    for load in (contextlib.nullcontext, busy_machine):
        with load():
            p = start('gpu.compile("k.cu"):kernel("endless"){ grid = 4, block = 64, timeout = 10000000 }(gpu.buffer("int", 64, { fill = 0 }))')
            worker_of(p.pid)
            p.send_signal(signal.SIGINT)
            _, err = p.communicate()
        said = ' '.join(err.split())
        check(p.returncode == 130, 'status %d: %s' % (p.returncode, said))
        check(re.search(r'The kernel was interrupted: block \(\d,0,0\), warp [01], was at k\.cu:[45] after [\d ]+ warp instructions\.', said), said)


def stopped_workers_go_on():
    """a worker that was stopped for longer than its limit and its patience, and then continued, ends as if it had not been"""
    p = start(LAUNCH % ('endless', 1, 64, 300))
    worker = worker_of(p.pid)
    os.kill(worker, signal.SIGSTOP)
    time.sleep(9)  # its patience is 8 s
    os.kill(worker, signal.SIGCONT)
    out, err = p.communicate()
    check(p.returncode == 0 and err.startswith('timeout 0 The kernel did not end within 300 ms of processor time: block'), out + err)


if __name__ == '__main__':
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    status = run_tests([same_verdict_on_a_busy_machine, compilations_on_a_busy_machine, output_is_kept, heaps_have_a_limit, interrupts_say_where,
                        stopped_workers_go_on])
    FOLDER.cleanup()
    sys.exit(status)
