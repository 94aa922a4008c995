#!/usr/bin/env python3
"""The script for PBS with a real server. By hand, as root, where OpenPBS is installed in /opt/pbs:

    pbs.py GPULAB

Debian has no package of it. It is built from its sources (https://github.com/openpbs/openpbs, INSTALL there; --prefix=/opt/pbs). This
starts its daemons, their database and sshd in namespaces of its own (network, processes, mounts), so nothing of it is left: a node pbs1
with 2 GPUs in name."""
import os
import re
import subprocess
import sys
import tempfile

from servers import program, until, write
from terminal import CTRL_C, Terminal, check, run_tests

HOME = '/var/spool/pbs'
PATH = '/opt/pbs/bin:/opt/pbs/sbin:' + os.environ['PATH'] + ':/usr/sbin:/sbin'
CONF = '''PBS_EXEC=/opt/pbs
PBS_HOME=%s
PBS_SERVER=pbs1
PBS_START_SERVER=1
PBS_START_SCHED=1
PBS_START_COMM=1
PBS_START_MOM=1
''' % HOME
RUN = 'b = gpu.buffer("int", 1000, { fill = 3 }); print("sum", b:download():sum())'


def sh(text, **more):
    return subprocess.run(['bash', '-c', text], capture_output=True, text=True, env={**os.environ, 'PATH': PATH}, **more)


def must(text):
    done = sh(text)
    if done.returncode:
        sys.exit('%s: %s' % (text, (done.stdout + done.stderr).strip()[-800:]))
    return done.stdout


class Pbs:
    """In namespaces that were made for it."""

    def __init__(self, folder):
        for place in ('/var/spool', '/run', '/root/.ssh'):
            os.makedirs(place, exist_ok=True)
            must('mount -t tmpfs -o mode=755 none ' + place)
        os.makedirs('/run/sshd')
        must('mkdir -m 755 %s; install -d -o postgres /run/postgresql; ip link set lo up; ip link add v0 type veth peer name v1; ip link set v0 up; '
             'ip link set v1 up; ip addr add 10.99.99.1/24 dev v0; hostname pbs1; touch /etc/pbs.conf' % HOME)
        for name, text in (('hosts', '127.0.0.1 localhost\n10.99.99.1 pbs1\n'), ('pbs.conf', CONF)):
            write(os.path.join(folder, name), text)
            must('mount --bind %s/%s /etc/%s' % (folder, name, name))
        must('/opt/pbs/libexec/pbs_postinstall server $(/opt/pbs/sbin/pbs_server --version | sed "s/.* = //") /opt/pbs %s postgres' % HOME)
        write('/etc/pbs.conf', CONF)
        write(HOME + '/mom_priv/config', '$clienthost pbs1\n$usecp *:/ /\n$restrict_user False\n')
        self.start_sshd(folder)
        for name in ('comm', 'mom', 'sched'):
            sh('/opt/pbs/sbin/pbs_' + name)
        sh('/opt/pbs/libexec/pbs_init.d start')
        until(lambda: 'Active' in sh('qstat -B').stdout, lambda: tail_of_logs())
        sh('qmgr -c "create node pbs1"')
        for line in ('create resource ngpus type=long,flag=nh', 'set server acl_roots = root', 'set server job_history_enable = True',
                     'set server flatuid = True', 'set node pbs1 resources_available.ngpus = 2', 'set node pbs1 resources_available.ncpus = 4',
                     'set node pbs1 resources_available.mem = 64gb', 'set sched scheduler_iteration = 2', 'set server scheduling = True'):
            must('qmgr -c "%s"' % line)
        must('sed -i "s/^resources: \\"/resources: \\"ngpus, /" %s/sched_priv/sched_config; pkill -HUP pbs_sched' % HOME)
        until(lambda: 'state = free' in sh('pbsnodes pbs1').stdout, lambda: sh('pbsnodes -a').stdout + tail_of_logs())

    @staticmethod
    def start_sshd(folder):
        must('ssh-keygen -q -t ed25519 -N "" -f {0}/host; ssh-keygen -q -t ed25519 -N "" -f /root/.ssh/id_ed25519; '
             'cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys'.format(folder))
        write('/root/.ssh/config', 'StrictHostKeyChecking no\nLogLevel ERROR\n')
        must('%s -f /dev/null -h %s/host -o PermitRootLogin=yes -o UsePAM=no -o StrictModes=no' % (program('sshd'), folder))


def tail_of_logs():
    return sh('for f in %s/*_logs/*; do echo "== $f"; tail -n 15 "$f"; done' % HOME).stdout


def jobs():
    return re.findall(r'^(\d+)\.\S+ +(\S+) +\S+ +\S+ +([A-Z])', sh('qstat').stdout, re.M)


def gateways():
    return sh('pgrep -f -- "--worker gateway"').stdout.split()


def all_gone():
    until(lambda: not jobs() and not gateways(), lambda: '%s %s' % (jobs(), gateways()))


class Prompt:
    def __init__(self, options='', gpu='GTX 280'):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-pbs-')
        home = self.folder.name
        write(home + '/site.lua', 'return { pbs = { gpulab = "%s", gpu = "%s", options = { "-lselect=1:ngpus=1:mem=1gb", "-lwalltime=0:05:00"%s } } }'
              % (GPULAB, gpu, options))
        write(home + '/k.cu', 'extern "C" __global__ void forever(int *data) { while (true) data[0]++; }\n')
        env = {**os.environ, 'PATH': PATH, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_SITE': home + '/site.lua',
               'XDG_STATE_HOME': home + '/state', 'XDG_CONFIG_HOME': home + '/config', 'GPULAB_HOME': home + '/own', 'XDG_CACHE_HOME': home + '/cache'}
        self.terminal = Terminal([GPULAB, '-q', '-n', '--device', 'pbs:workq/emu:GTX 280'], env, cwd=home)
        self.terminal.expect('> $')

    def __enter__(self):
        return self.terminal

    def __exit__(self, *_):
        self.terminal.kill()
        sh('qdel -W force $(qselect)')
        self.folder.cleanup()

    def files(self):
        folder = self.folder.name + '/cache/gpulab/jobs'
        return os.listdir(folder) if os.path.isdir(folder) else []


def works(t):
    t.line(RUN)
    t.expect(r'sum\s+3000')
    t.expect('> $')


def busy():
    """Both GPUs in use: the next job waits."""
    return must('qsub -lselect=1:ngpus=2 -lwalltime=0:05:00 -o /dev/null -j oe -- /bin/sleep 300').strip()


def results():
    """a worker in a job gives the right result; the prompt's end ends job and worker, and leaves no file"""
    prompt = Prompt()
    with prompt as t:
        works(t)
        check([state for _, _, state in jobs()] == ['R'], jobs())
        t.send('\x04')
        t.close()
        all_gone()
        check(not prompt.files(), prompt.files())


def waits():
    """the place in the queue is shown, and Ctrl-C takes the job back"""
    other = busy()
    with Prompt() as t:
        t.line(RUN)
        t.expect(r'waiting for pbs:workq/emu:GTX 280: place 1 of 1 in the queue, \d+ s \(Ctrl-C cancels\)')
        t.send(CTRL_C)
        t.expect('the job for pbs:workq/emu:GTX 280 was canceled')
        until(lambda: len(jobs()) == 1, lambda: str(jobs()))
        must('qdel ' + other)
        t.expect('> $')
        works(t)
    all_gone()


def dies_in_the_queue():
    """a job that is deleted while it waits is named, and the next command gets another"""
    other = busy()
    with Prompt() as t:
        t.line(RUN)
        t.expect('place 1 of 1')
        must('qdel ' + next(number for number, name, _ in jobs() if name.startswith('gpulab')))
        t.expect(r'the\s+job\s+\S+\s+ended\s+before\s+it\s+started\s+a\s+worker')
        must('qdel ' + other)
        t.expect('> $')
        works(t)
    all_gone()


def server_restarts():
    """a server that is restarted while a job waits ends nothing"""
    other = busy()
    with Prompt() as t:
        t.line(RUN)
        t.expect('place 1 of 1')
        must('qterm -t quick')
        until(lambda: sh('qstat').returncode, lambda: 'the server still answers')
        sh('/opt/pbs/sbin/pbs_server')
        until(lambda: 'Active' in sh('qstat -B').stdout, tail_of_logs)
        must('qdel ' + other)
        t.expect(r'sum\s+3000')
        t.expect('> $')
    all_gone()


def time_limit():
    """a job that reaches its limit ends the worker there, too; that is named, and the next command gets another"""
    with Prompt(', "-lwalltime=0:00:10"') as t:
        works(t)
        t.line('f = gpu.kernel("k.cu", "forever"); f{ grid = 1, block = 1, timeout = 600000 }(b)')
        t.expect(r'The launch has no result: (.|\n)*ended by the system that\s+started it')
        t.expect('> $')
        works(t)
    all_gone()


def deleted():
    """a running job that is deleted takes its worker with it, and the next command gets another"""
    with Prompt() as t:
        works(t)
        must('qdel ' + jobs()[0][0])
        all_gone()
        works(t)
    all_gone()


def killed():
    """kill -9 of the prompt and of all it started here ends the job"""
    prompt = Prompt()
    with prompt as t:
        works(t)
        for pid in [t.pid] + [int(n) for n in sh('pgrep -s 0,%d; pgrep -f "gpulab-.*workq|^ssh -T"' % t.pid).stdout.split()]:
            if pid not in (os.getpid(), 1):
                sh('kill -9 %d' % pid)
        all_gone()


def nobody_comes():
    """a job that nothing connects to ends by itself"""
    other = busy()
    with Prompt() as t:
        t.line(RUN)
        t.expect('place 1 of 1')
        sh('pkill -9 -f "^sh -c.*qsub"')
        t.expect('no worker started')
        t.expect('> $')
        must('qdel ' + other)
        all_gone()


def main():
    if len(sys.argv) < 3:
        if not os.path.exists('/opt/pbs/sbin/pbs_server.bin'):
            print('cannot run: OpenPBS is not in /opt/pbs')
            return 5
        os.execvp('unshare', ['unshare', '--net', '--uts', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', sys.executable,
                              os.path.abspath(__file__), GPULAB, 'inside'])
    with tempfile.TemporaryDirectory(prefix='gpulab-pbs-') as folder:
        Pbs(folder)
        print(must('qstat --version').strip())
        return run_tests([results, waits, dies_in_the_queue, server_restarts, time_limit, deleted, killed, nobody_comes])


GPULAB = os.path.abspath(sys.argv[1])
if __name__ == '__main__':
    sys.exit(main())
