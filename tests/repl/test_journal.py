"""What the program leaves in its journal, and what it shows of it. usage: test_journal.py GPULAB SOURCE_ROOT"""
import glob
import os
import signal
import subprocess
import sys
import tempfile

from terminal import CTRL_D, Terminal, plain, run_tests

GPULAB = os.path.abspath(sys.argv[1])
LAB = os.path.join(os.path.abspath(sys.argv[2]), 'labs', '03-bank-conflicts.lua')
OPTIONS = ['-n', '-q', '--device', 'emu', '--set', 'n=64']


class Home:
    """A home whose journal is where it is by default, or wherever GPULAB_HOME says."""

    def __init__(self, journal=None):
        self.temporary = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        self.folder = self.temporary.name
        self.journal = self.folder + '/gpulab-work/journal.db'
        self.env = {**os.environ, 'HOME': self.folder, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'NO_COLOR': '1',
                    'INPUTRC': '/dev/null', 'PAGER': 'cat', 'XDG_STATE_HOME': self.folder + '/state'}
        self.env.pop('GPULAB_HOME', None)
        if journal is not None:
            self.env['GPULAB_HOME'] = journal

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def run(self, *steps):
        done = subprocess.run([GPULAB, *OPTIONS, '--batch', '--step', ','.join(steps), LAB], stdin=subprocess.DEVNULL,
                              capture_output=True, env=self.env, cwd=self.folder, check=False)
        return done.returncode, done.stderr.decode()

    def prompt(self):
        t = Terminal([GPULAB, *OPTIONS, LAB], self.env, cwd=self.folder)
        t.expect('03> $')
        return t


def ask(t, line):
    """What the line printed."""
    before = len(plain(t.seen))
    t.line(line)
    t.expect('03> $')
    return plain(t.seen)[before:].split('\n', 1)[1].rsplit('\n', 1)[0]


def same(got, want):
    if got != want:
        raise AssertionError('got %r, wanted %r' % (got, want))


def rows(text):
    return [line for line in text.splitlines() if line.startswith('  20')]


def start_leaves_nothing():
    """a prompt that runs nothing makes no journal"""
    with Home() as home:
        t = home.prompt()
        if 'no run of copy' not in ask(t, 'history copy'):
            raise AssertionError(plain(t.seen))
        t.send(CTRL_D)
        same(t.close(), 0)
        same(os.path.exists(home.folder + '/gpulab-work'), False)


def batch_then_prompt():
    """runs without a prompt and at one stand in the same history"""
    with Home() as home:
        same(home.run('copy', 'tile'), (0, ''))
        t = home.prompt()
        ask(t, 'run copy')
        ask(t, 'run copy')
        said = ask(t, 'history copy')
        same(len(rows(said)), 3)
        for part in ('predicted', 'emu H200', 'ok', '███'):
            if part not in said:
                raise AssertionError('%r is not in %r' % (part, said))
        same(max(len(line) for line in said.splitlines()) <= 80, True)
        same(len(rows(ask(t, 'history tile'))), 1)
        t.send(CTRL_D)
        same(t.close(), 0)
        same(os.listdir(home.folder + '/gpulab-work'), ['journal.db'])


def killed():
    """kill -9 loses nothing that was shown"""
    with Home() as home:
        t = home.prompt()
        for _ in range(3):
            ask(t, 'run copy')
        os.kill(t.pid, signal.SIGKILL)
        t.close()
        t = home.prompt()
        same(len(rows(ask(t, 'history copy'))), 3)
        t.kill()


def two_prompts():
    """two prompts record side by side and see each other's runs"""
    with Home() as home:
        one, two = home.prompt(), home.prompt()
        ask(one, 'run copy')
        ask(two, 'run copy')
        ask(one, 'run copy')
        same(len(rows(ask(two, 'history copy'))), 3)
        one.kill()
        ask(two, 'run copy')
        same(len(rows(ask(two, 'history copy'))), 4)
        two.kill()


def earlier_folder():
    """what an earlier version kept in ~/gpulab is moved once, and said"""
    with Home() as home:
        same(home.run('copy')[0], 0)
        os.rename(home.folder + '/gpulab-work', home.folder + '/gpulab')
        code, err = home.run('tile')
        same((code, ' '.join(err.split())), (0, 'gpulab: your journal and copies of kernels were moved from %s/gpulab to %s/gpulab-work'
                                             % (home.folder, home.folder)))
        same((os.path.exists(home.folder + '/gpulab'), os.listdir(home.folder + '/gpulab-work')), (False, ['journal.db']))
        same(home.run('copy'), (0, ''))


def clone():
    """of a clone in ~/gpulab only the student's own is moved, and nothing is replaced"""
    with Home() as home:
        clone, work = home.folder + '/gpulab', home.folder + '/gpulab-work'
        for name in ('labs', '03-bank-conflicts', '04-transpose', 'calibration'):
            os.makedirs(clone + '/' + name)
        for name in ('bootstrap', 'journal.db-shm', '03-bank-conflicts/transpose.cu'):
            with open(clone + '/' + name, 'w', encoding='utf-8') as f:
                f.write('in the clone')
        os.makedirs(work + '/04-transpose')
        code, err = home.run('copy')
        same((code, err.count('were moved')), (0, 1))
        same(sorted(os.listdir(clone)), ['04-transpose', 'bootstrap', 'labs'])
        same(os.listdir(work + '/03-bank-conflicts'), ['transpose.cu'])
        same(home.run('copy'), (0, ''))


def damaged():
    """a damaged file is kept beside the new one, which is said once"""
    with Home() as home:
        os.mkdir(home.folder + '/gpulab-work')
        with open(home.journal, 'w', encoding='utf-8') as f:
            f.write('no database ' * 1000)
        code, err = home.run('copy', 'tile')
        same((code, ' '.join(err.split()).count('was damaged')), (0, 1))
        kept = glob.glob(home.journal + '.damaged-*')
        same(len(kept), 1)
        with open(kept[0], encoding='utf-8') as f:
            same(f.read(), 'no database ' * 1000)
        same(home.run('copy'), (0, ''))


def not_writable():
    """where nothing can be written that is said once, and all steps run"""
    with Home('/dev/null/gpulab') as home:
        code, err = home.run('copy', 'tile')
        same((code, err.count('cannot make the folder'), err.count('GPULAB_HOME to a folder')), (0, 1, 1))


def none_kept():
    """GPULAB_HOME= keeps no journal"""
    with Home('') as home:
        same(home.run('copy'), (0, ''))
        t = home.prompt()
        if 'there is no journal' not in ask(t, 'history copy'):
            raise AssertionError(plain(t.seen))
        t.kill()
        same(os.path.exists(home.folder + '/gpulab-work'), False)


def third_press():
    """the journal keeps what ran before a third Ctrl-C ended the program"""
    with Home() as home:
        t = home.prompt()
        ask(t, 'predict off')
        ask(t, 'run tile')
        ask(t, 's = "xb" .. ("a"):rep(1e6)')
        t.line('s:gsub(".-.-.-b", print)')  # print is a function of C: no Lua runs after it
        t.expect('\nxb\n')
        t.press_until('the third Ctrl-C ended the program')
        same(t.close(), 130)
        t = home.prompt()
        same(len(rows(ask(t, 'history tile'))), 1)
        t.send(CTRL_D)
        same(t.close(), 0)


sys.exit(run_tests([start_leaves_nothing, batch_then_prompt, killed, two_prompts, earlier_folder, clone, damaged, not_writable, none_kept, third_press]))
