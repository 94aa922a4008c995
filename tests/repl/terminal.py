"""A pseudo-terminal with gpulab at its other end, and what the tests need besides: files, checks, TAP lines."""
import codecs
import fcntl
import glob
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

CTRL_C, CTRL_D, TAB, UP, ENTER = '\x03', '\x04', '\t', '\x1b[A', '\r'
NOISE = re.compile(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r')


class Lost(Exception):
    """What was waited for will not appear."""


def hung(*_):
    raise Lost('nothing happens any more')


signal.signal(signal.SIGTERM, hung)  # from tests/guard.py; waiting has no limit of time


def plain(text):
    """Text as a person reads it: no escape sequences, no carriage returns."""
    return NOISE.sub('', text)


def shown(text):
    """Text as it stays on the screen: plain, without progress lines that were erased."""
    return plain(re.sub(r'[^\n]*\r\x1b\[K', '', text))


def text_of(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def children_of(pid):
    """The processes that a process, in any of its threads, has started. ps is not on every machine."""
    found = []
    for path in glob.glob('/proc/%d/task/*/children' % pid):
        try:
            with open(path, encoding='utf-8') as file:
                found += map(int, file.read().split())
        except OSError:
            pass  # the thread has ended
    return found


def processor_time(pid):
    """Seconds that a process and those that it started have used."""
    try:
        with open('/proc/%d/stat' % pid, encoding='utf-8', errors='replace') as file:
            ticks = sum(map(int, file.read().rpartition(')')[2].split()[11:15]))
    except OSError:
        return 0  # it has ended
    return ticks / os.sysconf('SC_CLK_TCK') + sum(map(processor_time, children_of(pid)))


def until(condition, describe=str):
    """Waits for what tells nobody that it has happened."""
    try:
        while not condition():
            time.sleep(0.02)
    except Lost as lost:
        raise Lost('%s: %s' % (lost, describe())) from lost


class Terminal:
    def __init__(self, argv, env, cwd=None, columns=80, rows=24, ignored=()):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if cwd:
                os.chdir(cwd)
            # A shell without job control starts what runs beside it without the first two, nohup without the third.
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
            os.execve(argv[0], argv, env)
        self.resize(columns, rows)
        self.seen = ''      # everything, as it came
        self.decode = codecs.getincrementaldecoder('utf-8')('replace').decode  # a character may come in two pieces
        self.mark = 0       # where in the plain text the next expectation starts to look
        self.status = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def resize(self, columns, rows=24):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def send(self, text):
        data = text.encode('utf-8', 'surrogateescape') if isinstance(text, str) else text
        while data:
            readable, writable, _ = select.select([self.fd], [self.fd], [])
            if readable:
                self._read()
            if writable:
                data = data[os.write(self.fd, data[:4096]):]

    def line(self, text):
        self.send(text + ENTER)

    def _read(self):
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # EIO: the other end is closed
            data = b''
        self.seen += self.decode(data)
        return bool(data)

    def expect(self, pattern):
        """Waits until the pattern appears after what earlier expectations matched; returns the match."""
        while True:
            text = plain(self.seen)[self.mark:]
            found = re.search(pattern, text, re.S)
            if found:
                self.mark += found.end()
                return found
            try:
                if not self._read():
                    raise Lost('the program has closed its terminal')
            except Lost as lost:
                raise Lost('%s: waited for %r, saw %r' % (lost, pattern, text[-2000:])) from lost

    def computes(self, seconds=0.3):
        """Waits until the program and its workers have used the processor for so long: what was started runs by now."""
        enough = processor_time(self.pid) + seconds
        until(lambda: processor_time(self.pid) > enough, lambda: 'nothing is computed, saw %r' % plain(self.seen)[-2000:])

    def answers(self):
        """Types a line until there is an answer: Ctrl-C that came late may take a line away."""
        answered = False
        while not answered:
            self.line('print(6 * 7)')
            answered = self.expect(r'\n(42\n)?(?=[^\n]*> $)')[1]

    def press_until(self, pattern):
        """Ctrl-C again and again, since presses that come together are one signal."""
        while not re.search(pattern, plain(self.seen)[self.mark:]):
            self.send(CTRL_C)
            time.sleep(0.2)
            while select.select([self.fd], [], [], 0)[0]:
                if not self._read() and not re.search(pattern, plain(self.seen)[self.mark:]):
                    raise Lost('the program has closed its terminal: waited for %r, saw %r' % (pattern, plain(self.seen)[-2000:]))
                if re.search(pattern, plain(self.seen)[self.mark:]):
                    break

    def close(self):
        """The exit status once the program has ended by itself. What it leaves in the background may keep the terminal."""
        process, talks = os.pidfd_open(self.pid), True
        while True:
            ready = select.select([process, self.fd] if talks else [process], [], [])[0]
            if self.fd in ready:
                talks = self._read()
            elif process in ready:
                break
        os.close(process)
        os.close(self.fd)
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def kill(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.fd)
            self.status = -signal.SIGKILL


def run_tests(tests):
    """TAP for functions that raise when they fail and return 'skip: why' when they cannot run."""
    print('1..%d' % len(tests), flush=True)
    failed = 0
    for number, test in enumerate(tests, 1):
        name = test.__doc__ or test.__name__
        try:
            result = test()
        except Exception as problem:  # pylint: disable=broad-except
            failed += 1
            print('not ok %d - %s' % (number, name))
            for line in ('%s: %s' % (type(problem).__name__, problem)).split('\n'):
                print('# ' + line)
        else:
            skip = ' # SKIP ' + result[6:] if isinstance(result, str) and result.startswith('skip: ') else ''
            print('ok %d - %s%s' % (number, name, skip))
        sys.stdout.flush()
    return 1 if failed else 0
