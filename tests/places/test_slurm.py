"""--device slurm with a real slurmctld, slurmd and munge on loopback: results, the queue, Ctrl-C, jobs that are canceled or preempted, idle
workers.
usage: test_slurm.py GPULAB"""
import os
import subprocess
import sys
import tempfile
import time

from servers import Missing, Slurm, lua_list, until, write
from terminal import CTRL_C, Terminal, check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-slurm-')
os.chmod(FOLDER.name, 0o755)
SITE = os.path.join(FOLDER.name, 'site.lua')
DEVICE = 'slurm:gpu/emu:GTX 280'
ENV = {**os.environ, 'HOME': FOLDER.name, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_SITE': SITE,
       'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'GPULAB_HOME': FOLDER.name + '/own'}
RUN = ('b = gpu.buffer("int", 100000, { fill = 7 }); k = gpu.kernel("k.cu", "triple"); k{ grid = 400, block = 256 }(b, #b); '
       'print("sum", b:download():sum())')
CLUSTER = []


def cluster():
    if not CLUSTER:
        try:
            CLUSTER.append(Slurm(os.path.join(FOLDER.name, 'cluster')))
        except Missing as e:
            CLUSTER.append(str(e))
            return CLUSTER[0]
        ENV.update(CLUSTER[0].env)
        site()
        write(os.path.join(FOLDER.name, 'k.cu'), 'extern "C" __global__ void triple(int *data, int n)\n{\n'
              '    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) data[i] *= 3;\n}\n'
              'extern "C" __global__ void spin(int *data, long long n)\n{\n    for (long long i = 0; i < n; i++) data[i % 32] += i;\n}\n')
    return CLUSTER[0]


def site(warm=20):
    write(SITE, 'return { slurm = { gpulab = "%s", warm = %d, options = %s } }\n' % (GPULAB, warm, lua_list([])))


def needs_slurm(test):
    def run():
        there = cluster()
        return 'skip: ' + there if isinstance(there, str) else test()
    run.__doc__ = test.__doc__
    return run


def gpulab(device, **more):
    return subprocess.Popen([GPULAB, '--device', device, '--batch', '--step', 'tile', '3', '--csv', '-'], env=ENV, cwd=FOLDER.name, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def prompt():
    terminal = Terminal([GPULAB, '-q', '-n', '--device', DEVICE], ENV, cwd=FOLDER.name)
    terminal.expect('> $')
    return terminal


def names(state):
    return [job.split()[1] for job in cluster().jobs(state)]


def ours(state='pending,running'):
    return [name for name in names(state) if name.startswith('gpulab-')]


def nothing_left():
    until(lambda: not names('pending,running,completing'), lambda: 'jobs left: %s' % cluster().jobs())


@needs_slurm
def results():
    """five students at four slots: each gets the table that the local emulator prints, and no job is left"""
    local = gpulab('emu:GTX 280')
    wanted = local.communicate()[0]
    students = [gpulab(DEVICE) for _ in range(5)]
    for student in students:
        out, err = student.communicate()
        check(out.replace(DEVICE, 'emu:GTX 280') == wanted and wanted, (out, err, wanted))
        check(student.returncode == local.returncode, err)
    nothing_left()


@needs_slurm
def waiting():
    """waiting shows the place in the queue; Ctrl-C cancels the job; then it is the next one's turn"""
    sleepers = [subprocess.Popen(['srun', '--quiet', '--gres=gpu:1', '--job-name=other', 'sleep', '600'], env=ENV, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for _ in range(5)]
    try:
        until(lambda: len(names('running')) == 4 and len(names('pending')) == 1, lambda: str(cluster().jobs()))
        terminal = prompt()
        try:
            terminal.line(RUN)
            terminal.expect(r'waiting for slurm:gpu/emu:GTX 280: place 2 of 2 in the queue, \d+ s \(Ctrl-C cancels\)')
            check(len(ours()) == 1, cluster().jobs())
            terminal.send(CTRL_C)
            terminal.expect('nterrupted')
            until(lambda: not ours(), lambda: str(cluster().jobs()))
            terminal.expect('> $')
            terminal.line('print(6 * 7)')
            terminal.expect(r'\n42\n')
            cluster().run('scancel', '--name=other')
            terminal.line(RUN)
            terminal.expect(r'sum\s+2100000')
        finally:
            terminal.kill()
    finally:
        cluster().run('scancel', '--name=other')
        for sleeper in sleepers:
            sleeper.wait()
    nothing_left()


def lost(terminal):
    """Whether the buffer is: the queue forgets a job a moment before its processes end."""
    terminal.line('print(pcall(b.download, b))')
    gone = terminal.expect(r'(true|stale)').group(1) == 'stale'
    terminal.expect('> $')
    return gone


@needs_slurm
def canceled():
    """a job that was canceled from outside is named, and the next command gets another"""
    terminal = prompt()
    try:
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
        terminal.expect('> $')
        cluster().run('scancel', '--name=' + ours()[0])
        until(lambda: not ours(), lambda: str(cluster().jobs()))
        until(lambda: lost(terminal), lambda: 'the worker of the canceled job still answers')
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
    finally:
        terminal.kill()
    nothing_left()


@needs_slurm
def preempted():
    """a job that has to go for a more urgent one during a launch is named; the next command waits for the slot and is right"""
    terminal, urgent = prompt(), []
    try:
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
        terminal.expect('> $')
        terminal.line('s = gpu.kernel("k.cu", "spin"); print("spins" .. 1); s{ grid = 1, block = 32, timeout = 600000 }(b, 1 << 40)')
        terminal.expect('spins1')
        time.sleep(0.5)
        urgent = [subprocess.Popen(['srun', '--quiet', '--partition=urgent', '--gres=gpu:1', '--job-name=urgent', 'sleep', '600'], env=ENV,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(4)]
        said = terminal.expect('(.*)> $').group(1)
        check('preempt' in said.lower(), said)
        until(lambda: len(names('running')) == 4 and not ours(), lambda: str(cluster().jobs()))
        terminal.line(RUN)
        terminal.expect('waiting for slurm:gpu/emu:GTX 280: place 1 of 1 in the queue')
        cluster().run('scancel', '--name=urgent')
        terminal.expect(r'sum\s+2100000')
    finally:
        cluster().run('scancel', '--name=urgent')
        terminal.kill()
        for one in urgent:
            one.wait()
    nothing_left()


@needs_slurm
def idle():
    """a worker that nothing is asked of gives its slot back; the next command gets another"""
    site(warm=1)
    terminal = prompt()
    try:
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
        terminal.expect('> $')
        until(lambda: not ours(), lambda: str(cluster().jobs()))
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
    finally:
        terminal.kill()
        site()
    nothing_left()


start = time.monotonic()
try:
    run_tests([results, waiting, canceled, preempted, idle])
finally:
    if CLUSTER and isinstance(CLUSTER[0], Slurm):
        CLUSTER[0].close()
