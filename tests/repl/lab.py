"""A lab at a prompt, for the tests of what is on the screen. The program's name is the test's first argument."""
import os
import sys
import tempfile

from terminal import Terminal, check, shown, write

GPULAB = os.path.abspath(sys.argv[1])
SMALL = ('--set', 'n=64', '--set', 'blocks=8')


def contains(text, *parts):
    for part in parts:
        check(part in text, '%r is not in %r' % (part, text))


class Lab:
    """A lab at a prompt, in a home of its own."""

    def __init__(self, number=3, columns=80, rows=24, env=None, options=SMALL, questions=False, device='emu'):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        self.home = self.folder.name
        self.env = {**os.environ, 'HOME': self.home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'NO_COLOR': '1',
                    'INPUTRC': '/dev/null', 'PAGER': 'cat', 'XDG_STATE_HOME': self.home + '/state'}
        for name in ('GPULAB_HOME', 'VISUAL', 'EDITOR', 'TERM_PROGRAM'):
            self.env.pop(name, None)
        self.env.update(env(self) if env else {})
        self.open(number, columns, rows, options, device)
        if not questions:
            self.ask('predict off')

    def open(self, number, columns=80, rows=24, options=(), device='emu'):
        self.prompt = '%02d> $' % number
        argv = [GPULAB, '-n', '--device', device, *options, str(number)]
        self.terminal = Terminal(['/bin/sh', '-c', 'stty cols %d rows %d; exec "$0" "$@"' % (columns, rows), *argv], self.env,
                                 cwd=self.home)
        self.terminal.expect(self.prompt)
        self.intro = shown(self.terminal.seen)

    def reopen(self, number, options=('--set', 'blocks=8')):
        self.terminal.line('quit')
        check(self.terminal.close() == 0, 'exit status')
        self.open(number, options=options)

    def script(self, name, text):
        path = '%s/%s' % (self.home, name)
        write(path, text)
        os.chmod(path, 0o755)
        return path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminal.kill()
        self.folder.cleanup()

    def ask(self, line, until=None):
        """What the line printed."""
        before = len(self.terminal.seen)
        self.terminal.line(line)
        self.terminal.expect(until or self.prompt)
        return shown(self.terminal.seen[before:]).split('\n', 1)[1].rsplit('\n', 1)[0]
