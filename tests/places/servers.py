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
from terminal import PATIENCE, write  # noqa: E402


class Missing(Exception):
    """A program or a right that the test needs is not here; the text says which."""


def program(name):
    path = shutil.which(name, path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')
    if not path:
        raise Missing(name + ' is not installed')
    return path


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def until(what, describe):
    end = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > end:
            raise AssertionError('not in time: ' + describe())
        time.sleep(0.05)


def answers(port):
    with socket.socket() as s:
        return s.connect_ex(('127.0.0.1', port)) == 0


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

    def __init__(self, folder):
        self.folder = folder
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
        self.port = free_port()
        self.config = os.path.join(folder, 'sshd_config')
        write(self.config, '\n'.join(['Port %d' % self.port, 'ListenAddress 127.0.0.1', 'HostKey %s/host' % folder, 'PidFile none', 'UsePAM no',
                                      'AuthorizedKeysFile %s/authorized_keys' % folder, 'StrictModes no', 'PermitRootLogin yes',
                                      'PasswordAuthentication no', 'MaxStartups 100', 'AcceptEnv GPULAB_* XDG_*', '']))
        self.log = os.path.join(folder, 'log')
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen([sshd, '-D', '-e', '-f', self.config], stdout=log, stderr=log, start_new_session=True)
        until(lambda: self.process.poll() is not None or answers(self.port), lambda: tail(self.log))
        done = subprocess.run(['ssh', *self.options(), '--', self.host(), 'true'], capture_output=True, text=True)
        if done.returncode:
            self.close()
            raise Missing('this account cannot log in by ssh: ' + (done.stderr + tail(self.log)).strip().replace('\n', ' ')[-200:])

    def host(self):
        return getpass.getuser() + '@127.0.0.1'

    def options(self, port=None):
        return ['-F/dev/null', '-p%d' % (port or self.port), '-i%s/user' % self.folder, '-oIdentitiesOnly=yes', '-oStrictHostKeyChecking=no',
                '-oUserKnownHostsFile=%s/known_hosts' % self.folder, '-oLogLevel=ERROR', '-oSendEnv=GPULAB_* XDG_*']

    def connections(self):
        """Process numbers of the servers of single connections."""
        found = subprocess.run(['ps', '-o', 'pid=', '--ppid', str(self.process.pid)], capture_output=True, text=True).stdout
        return [int(n) for n in found.split()]

    def cut(self):
        """Every connection there is, as if the network failed: what it started is told nothing."""
        for pid in self.connections():
            for child in subprocess.run(['ps', '-o', 'pid=', '--ppid', str(pid)], capture_output=True, text=True).stdout.split():
                kill(int(child))
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
