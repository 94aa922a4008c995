"""Signals other than Ctrl-C's, at a real pseudo-terminal: the prompt stops, goes on, ends and is resized as other programs.
usage: test_signals.py GPULAB"""
import fcntl
import os
import shlex
import shutil
import signal
import struct
import sys
import tempfile
import termios

from terminal import CTRL_C, Terminal, check, plain, run_tests, until

TIOCGPTN = 0x80045430  # Linux: the number of a pseudo-terminal
GPULAB = os.path.abspath(sys.argv[1])


class Prompt(Terminal):
    def __init__(self, *args, ignored=(), shell=None):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        home = self.folder.name
        env = {**os.environ, 'HOME': home, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'XDG_STATE_HOME': home + '/state',
               'XDG_CONFIG_HOME': home + '/config', 'GPULAB_HOME': home + '/own'}
        argv = [shell, '--norc', '--noprofile', '-i'] if shell else [GPULAB, '-q', '-n', '--device', 'emu', *args]
        super().__init__(argv, {**env, 'PS1': 'shell$ '}, cwd=home, ignored=ignored)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.folder.cleanup()

    def name(self):
        number = struct.unpack('I', fcntl.ioctl(self.fd, TIOCGPTN, struct.pack('I', 0)))[0]
        return '/dev/pts/%d' % number

    def has_lines(self):
        """Does the terminal read lines and echo them, as a shell leaves it?"""
        flags = termios.tcgetattr(self.fd)[3]
        return bool(flags & termios.ICANON) and bool(flags & termios.ECHO)

    def stopped(self):
        """Waits until the program is stopped."""
        status = os.waitpid(self.pid, os.WUNTRACED)[1]
        check(os.WIFSTOPPED(status), 'it ended: %d' % status)

    def in_front(self):
        """Waits until the shell has given the terminal away: it says what it brings to the front before it does."""
        until(lambda: os.tcgetpgrp(self.fd) != self.pid)


def stop_without_a_shell():
    """Ctrl-Z where no shell could say fg stops nothing, at the prompt and in a loop"""
    with Prompt() as t:
        t.expect(r'> $')
        t.send('6 * ')
        t.expect(r'6 \* $')
        t.send('\x1a')
        t.send('7\r')
        t.expect(r'\n42\n')
        t.expect(r'> $')
        t.line('print("go"); while true do end')
        t.expect(r'\ngo\n')
        t.send('\x1a')
        t.send(CTRL_C)
        t.expect(r'interrupted')


def stopped_from_outside():
    """a prompt that was stopped without being asked takes the terminal again"""
    with Prompt() as t:
        t.expect(r'> $')
        t.send('6 * ')
        t.expect(r'6 \* $')
        os.kill(t.pid, signal.SIGSTOP)
        t.stopped()
        os.kill(t.pid, signal.SIGCONT)
        t.expect(r'> 6 \* $')
        t.line('7')
        t.expect(r'\n42\n')


def under_a_shell():
    """a shell's Ctrl-Z and fg: at the prompt, in a loop and in a run, and Ctrl-C still ends what runs"""
    shell = shutil.which('bash')
    if not shell:
        return 'skip: no bash here'
    with Prompt(shell=shell) as t:
        t.expect(r'shell\$ $')
        t.line("PS1='shell''$ '; %s -q -n --device emu" % shlex.quote(GPULAB))
        t.expect(r'\n> $')
        t.send('6 * ')
        t.expect(r'6 \* $')
        for line in ('7', 'print("go"); while true do end', 'print("go"); io.read()'):
            if line != '7':
                t.line(line)
                t.expect(r'\ngo\n')
            t.send('\x1a')
            t.expect(r'Stopped.*shell\$ $')
            t.line('fg')
            if line == '7':
                t.expect(r'> 6 \* $')
                t.line('7')
                t.expect(r'\n42\n> $')
                continue
            t.expect(r"gpulab\S* -q -n --device emu\n")  # quoted in a folder with blanks
            t.in_front()
            t.send(CTRL_C)
            t.expect(r'interrupted\n> $')
        t.line('quit')
        t.expect(r'shell\$ $')


def ends():
    """SIGTERM, SIGHUP and SIGQUIT end the prompt and a loop, and the terminal is as it was found"""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        for line in ('', 'print("go"); while true do end', 'print("go"); while true do pcall(io.read) end'):
            with Prompt() as t:
                slave = os.open(t.name(), os.O_RDWR | os.O_NOCTTY)
                t.expect(r'> $')
                if line:
                    t.line(line)
                    t.expect(r'\ngo\n')
                os.kill(t.pid, number)
                _, status = os.waitpid(t.pid, 0)
                t.status = status
                check(os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, '%s: status %d' % (number, status))
                check(termios.tcgetattr(slave)[3] & (termios.ICANON | termios.ECHO) == termios.ICANON | termios.ECHO,
                      '%s: the terminal is left without lines' % number)
                os.close(slave)
                os.close(t.fd)


def hang_up_ignored():
    """a prompt started by nohup goes on after SIGHUP"""
    with Prompt(ignored=[signal.SIGHUP]) as t:
        t.expect(r'> $')
        os.kill(t.pid, signal.SIGHUP)
        t.line('6 * 7')
        t.expect(r'\n42\n')


def another_size():
    """a line is drawn again when the window changes, before any key; a loop is not disturbed"""
    with Prompt() as t:
        t.expect(r'> $')
        t.send('x = "' + 'abcdefghij' * 6)
        t.expect(r'(abcdefghij){6}$')
        seen = len(t.seen)
        t.resize(40)
        t.expect(r'abcdefghij')
        check(len(t.seen) > seen, 'nothing is drawn')
        t.line('"')
        t.expect(r'> $')
        t.line('print("go"); local n = 0 for i = 1, 3e7 do n = n + 1 end print(n)')
        t.expect(r'\ngo\n')
        for columns in (90, 30, 80):
            t.resize(columns)
        t.expect(r'30000000\n')
        t.line('#x')
        t.expect(r'\n60\n')


if __name__ == '__main__':
    sys.exit(run_tests([stop_without_a_shell, stopped_from_outside, under_a_shell, ends, hang_up_ignored, another_size]))
