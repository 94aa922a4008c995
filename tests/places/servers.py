"""Real servers on loopback in a folder of the test's own: sshd, and munge with Slurm. Each is ended with the test."""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from terminal import children_of, until, write  # noqa: E402


class Missing(Exception):
    """A program or a right that the test needs is not here; the text says which."""


def program(name):
    path = shutil.which(name, path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')
    if not path:
        raise Missing(name + ' is not installed')
    return path


def free_port(address='127.0.0.1'):
    with socket.socket() as s:
        s.bind((address, 0))
        return s.getsockname()[1]


def answers(port, address='127.0.0.1'):
    with socket.socket() as s:
        return s.connect_ex((address, port)) == 0


def end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def tail(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()[-1500:]
    except OSError:
        return ''


class Sshd:
    """sshd with keys and a port of its own, for the user that runs the test."""

    def __init__(self, folder, *config, address='127.0.0.1'):
        self.folder, self.address = folder, address
        sshd, keygen = program('sshd'), program('ssh-keygen')
        program('ssh')
        os.makedirs(folder, mode=0o700)
        for name in ('host', 'user'):
            subprocess.run([keygen, '-q', '-t', 'ed25519', '-N', '', '-f', os.path.join(folder, name)], check=True)
        shutil.copy(os.path.join(folder, 'user.pub'), os.path.join(folder, 'authorized_keys'))
        if os.getuid() == 0:
            try:
                os.makedirs('/run/sshd', mode=0o755, exist_ok=True)
            except OSError as e:
                raise Missing('sshd needs /run/sshd (%s)' % e)
        self.port = free_port(address)
        self.config = os.path.join(folder, 'sshd_config')
        write(self.config, '\n'.join(['Port %d' % self.port, 'ListenAddress ' + address, 'HostKey %s/host' % folder, 'PidFile none', 'UsePAM no',
                                      'AuthorizedKeysFile %s/authorized_keys' % folder, 'StrictModes no', 'PermitRootLogin yes',
                                      'PasswordAuthentication no', 'MaxStartups 100', 'AcceptEnv GPULAB_* XDG_*', *config, '']))
        self.log = os.path.join(folder, 'log')
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen([sshd, '-D', '-e', '-f', self.config], stdout=log, stderr=log, start_new_session=True)
        until(lambda: self.process.poll() is not None or answers(self.port, address), lambda: tail(self.log))
        done = subprocess.run(['ssh', *self.options(), '--', self.host(), 'true'], capture_output=True, text=True)
        if done.returncode:
            self.close()
            raise Missing('this account cannot log in by ssh: ' + (done.stderr + tail(self.log)).strip().replace('\n', ' ')[-200:])

    def host(self):
        return getpass.getuser() + '@' + self.address

    def options(self, port=None):
        return ['-F/dev/null', '-p%d' % (port or self.port), '-i%s/user' % self.folder, '-oIdentitiesOnly=yes', '-oStrictHostKeyChecking=no',
                '-oUserKnownHostsFile=%s/known_hosts' % self.folder, '-oLogLevel=ERROR', '-oSendEnv=GPULAB_* XDG_*']

    def connections(self):
        """Process numbers of the servers of single connections."""
        return children_of(self.process.pid)

    def serving(self):
        """The processes of all connections, and what they started."""
        found = self.connections()
        for pid in self.connections():
            found += children_of(pid)
        return found

    def workers(self, service):
        """Process numbers of `gpulab --worker SERVICE` that connections started."""
        parents, found = {}, []
        for entry in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open('/proc/%s/stat' % entry, encoding='utf-8', errors='replace') as f:
                    state, parent = f.read().rpartition(')')[2].split()[:2]
                with open('/proc/%s/cmdline' % entry, 'rb') as f:
                    words = f.read().split(b'\0')
            except OSError:
                continue
            parents[int(entry)] = int(parent)
            if state != 'Z' and words[1:2] == [b'--worker'] and words[2].startswith(service.encode()):
                found.append(int(entry))

        def is_ours(pid):
            while pid in parents and pid != self.process.pid:
                pid = parents[pid]
            return pid == self.process.pid
        return [pid for pid in found if is_ours(pid)]

    def kill_workers(self, service):
        """kill -9, and they are gone."""
        found = self.workers(service)
        for pid in found:
            kill(pid)
        until(lambda: not set(found) & set(self.workers(service)), lambda: 'the workers %s live' % found)
        return found

    def cut(self, pids=None):
        """Every connection there is, as if the network failed: what it started is told nothing."""
        for pid in self.serving() if pids is None else pids:
            kill(pid)

    def close(self):
        end(self.process)


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def lua_list(words):
    return '{ %s }' % ', '.join('"%s"' % w.replace('\\', '\\\\').replace('"', '\\"') for w in words)


SLURM = '''ClusterName=gpulab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmdPort={d}
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmdParameters=config_overrides
GresTypes=gpu
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
InactiveLimit=60
KillWait=2
MessageTimeout=60
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName={host} NodeAddr=127.0.0.1 CPUs={slots} Boards=1 SocketsPerBoard=1 CoresPerSocket={slots} ThreadsPerCore=1 Gres=gpu:{slots} State=UNKNOWN
PartitionName=gpu Nodes={host} Default=YES MaxTime=10 State=UP PriorityTier=1
PartitionName=urgent Nodes={host} MaxTime=10 State=UP PriorityTier=2
'''


class Slurm:
    """munged, slurmctld and slurmd on loopback with `slots` slots of one core, all in one folder."""

    def __init__(self, folder, slots=4):
        self.folder = folder
        munged, self.slurmctld, self.slurmd = program('munged'), program('slurmctld'), program('slurmd')
        for name in ('srun', 'squeue', 'scancel', 'sinfo'):
            program(name)
        if os.getuid() != 0:
            raise Missing('slurmd runs jobs of this user only as root')
        for name in ('', 'state', 'spool', 'munge'):
            os.makedirs(os.path.join(folder, name), mode=0o755)
        os.chmod(os.path.join(folder, 'munge'), 0o700)
        key = os.path.join(folder, 'munge', 'key')
        with open(key, 'wb') as f:
            f.write(os.urandom(1024))
        os.chmod(key, 0o600)
        self.conf = os.path.join(folder, 'slurm.conf')
        self.env = {'SLURM_CONF': self.conf}
        host = socket.gethostname().split('.')[0]
        write(self.conf, SLURM.format(host=host, folder=folder, ctld=free_port(), d=free_port(), user=getpass.getuser(), slots=slots))
        for i in range(slots):
            write(os.path.join(folder, 'gpu%d' % i), '')
        write(os.path.join(folder, 'gres.conf'), 'AutoDetect=off\nNodeName=%s Name=gpu File=%s/gpu[0-%d]\n' % (host, folder, slots - 1))
        self.processes = {}
        try:
            self.start_all(munged, key)
        except BaseException:
            self.close()
            raise

    def start_all(self, munged, key):
        folder = self.folder
        socket_name = os.path.join(folder, 'munge.socket')
        self.start('munged', [munged, '--foreground', '--force', '--key-file=' + key, '--socket=' + socket_name, '--pid-file=%s/munge/pid' % folder,
                              '--log-file=%s/munge/log' % folder, '--seed-file=%s/munge/seed' % folder])
        until(lambda: os.path.exists(socket_name), lambda: self.log('munged'))
        self.start('slurmctld', [self.slurmctld, '-D', '-f', self.conf])
        self.start_slurmd()
        until(self.is_idle, lambda: self.log('slurmctld') + self.log('slurmd'))

    def start(self, name, argv):
        with open(os.path.join(self.folder, name + '.out'), 'ab') as out:
            self.processes[name] = subprocess.Popen(argv, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True,
                                                    env={**os.environ, **self.env})

    def start_slurmd(self):
        self.start('slurmd', [self.slurmd, '-D', '-f', self.conf])

    def restart_slurmd(self):
        """Its jobs go on, as when an administrator restarts it."""
        process = self.processes['slurmd']
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        self.start_slurmd()

    def log(self, name):
        return name + ': ' + tail(os.path.join(self.folder, name + '.out')) + tail(os.path.join(self.folder, name + '.log'))

    def run(self, *argv):
        return subprocess.run(argv, env={**os.environ, **self.env}, capture_output=True, text=True).stdout

    def is_idle(self):
        for name, process in self.processes.items():
            if process.poll() is not None:
                raise Missing('%s does not run here: %s' % (name, self.log(name).strip().replace('\n', ' ')[-300:]))
        return 'idle' in self.run('sinfo', '--noheader', '--format=%t')

    def jobs(self, state='all'):
        return self.run('squeue', '--noheader', '--states=' + state, '--format=%i %j %t').split('\n')[:-1]

    def close(self):
        for job in self.jobs('pending,running'):
            self.run('scancel', '--signal=KILL', job.split()[0])
        for name in ('slurmd', 'slurmctld', 'munged'):
            if name in self.processes:
                end(self.processes[name])
