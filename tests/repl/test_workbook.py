"""The loop of a student: edit, see, understand. usage: test_workbook.py GPULAB SOURCE_ROOT [DEVICE]

On another device than the emulator only what depends on it is tried. Editors are real processes: small scripts, ed and vim where they are there, one that fails, one that is killed."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from terminal import CTRL_C, CTRL_D, ENTER, TAB, Terminal, check, plain, run_tests, shown, text_of, until, write

GPULAB = os.path.abspath(sys.argv[1])
DEVICE = sys.argv[3] if len(sys.argv) > 3 else 'emu'
SIZE = 'n=64' if DEVICE == 'emu' else 'n=4000'  # what a GPU needs to show a difference
KIND = 'predicted' if DEVICE == 'emu' else 'measured'
ROOT = os.path.abspath(sys.argv[2])
LAB = os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')
ORIGINAL = os.path.join(ROOT, 'kernels', 'transpose.cu')
PAD = (r's/tile\[TILE\]\[WIDTH\];/tile[TILE][WIDTH + 1];/')  # sed: the tile of the transposition gets a padding word per row


def save_beside(path, text):
    """As vim and VS Code save: another file takes the name."""
    write(path + '.swp', text)
    os.rename(path + '.swp', path)


def padded(text):
    changed = text.replace('tile[TILE][WIDTH];', 'tile[TILE][WIDTH + 1];')
    check(changed != text, 'there is nothing to pad')
    return changed


def broken(text):
    changed = text.replace('tile[TILE][WIDTH];', 'tile[TILE][WIDTH;')
    check(changed != text, 'there is nothing to break')
    return changed


def contains(text, *parts):
    for part in parts:
        check(part in text, '%r is not in %r' % (part, text))


class Lab:
    """Lab 3 at a prompt, in a home of its own."""

    def __init__(self, editor='', lab=LAB, env=None, before=None, options=('--set', SIZE), shell=None):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        self.home = self.folder.name
        self.copy = self.home + '/gpulab-work/03-bank-conflicts/transpose.cu'
        self.lab, self.options, self.shell = lab, options, shell
        self.env = {**os.environ, 'HOME': self.home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'NO_COLOR': '1',
                    'INPUTRC': '/dev/null', 'PAGER': 'cat', 'XDG_STATE_HOME': self.home + '/state'}
        for name in ('GPULAB_HOME', 'VISUAL', 'EDITOR'):
            self.env.pop(name, None)
        if editor:
            self.env['EDITOR'] = self.script(editor) if editor.startswith('#!') else editor
        self.env.update(env or {})
        if before:
            before(self)
        self.terminal = None

    def script(self, text, name='editor'):
        path = '%s/%s' % (self.home, name)
        write(path, text)
        os.chmod(path, 0o755)
        return path

    def open(self):
        argv = [GPULAB, '-n', '-q', '--device', DEVICE, *self.options, self.lab]
        if self.shell:
            argv = ['/bin/sh', '-c', self.shell + ' exec "$0" "$@"', *argv]
        self.terminal = Terminal(argv, self.env, cwd=self.home)
        self.terminal.expect('03> $')
        self.ask('predict off')  # what asks before a number is shown is test_student's
        return self.terminal

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *_):
        if self.terminal:
            self.terminal.kill()
        self.folder.cleanup()

    def ask(self, line):
        """What the line printed, which fits 80 columns."""
        before = len(self.terminal.seen)
        self.terminal.line(line)
        self.terminal.expect('03> $')
        said = shown(self.terminal.seen[before:]).split('\n', 1)[1].rsplit('\n', 1)[0]
        return said

    def saved(self, save, answer, typed=''):
        """What is printed when the copy is saved; the prompt and what was typed are drawn again below it."""
        before = len(self.terminal.seen)
        save()
        self.terminal.expect(answer + r'.*\n03> ' + typed + '$')
        return shown(self.terminal.seen[before:])


PADDER = "#!/bin/sh\nsed -i '%s' \"$1\"\n" % PAD
IDLE = '#!/bin/sh\nexit 0\n'


def narrow(text):
    for line in text.splitlines():
        check(len(line) <= 80, 'wider than 80 columns: %r' % line)


def edit_shows_what_changed():
    """edit opens the editor on a copy; its end shows the row and the change"""
    with Lab(PADDER) as lab:
        said = lab.ask('edit tile')
        contains(said, 'transpose.cu is your copy', '~/gpulab-work/03-bank-conflicts/transpose.cu was saved',
                 'Compared with the original:', 'change: ', 'shared load wavefronts per request 32 → 1, transpose.cu:', '[WIDTH];', '[WIDTH + 1];',
                 '÷ 32.0')
        check(said.index(' yes') < said.index('change: '), 'the change stands before the row')
        check(re.search(r'[\d.]+(×| %)  yes', said), 'the row is compared with nothing')
        narrow(said)
        check(text_of(lab.copy) == padded(text_of(ORIGINAL)), 'the copy is not what the editor made of it')
        check('[WIDTH];' in text_of(ORIGINAL), 'the original was changed')
        said = lab.ask('run tile')
        contains(said, 'yes', 'Compiled from your copy')
        check('change:' not in said and 'not as the rules say' not in said, said)


def other_steps_use_the_copy():
    """all steps of the file compile the copy, and steps of other files do not"""
    with Lab(PADDER) as lab:
        lab.ask('edit tile')
        contains(lab.ask('run copy padded'), 'Compiled from your copy')
        check('your copy' not in lab.ask('run row'), 'a step of another file is said to be compiled from the copy')


def the_cause_has_the_line_of_the_copy():
    """the first cause names the line as it is numbered now"""
    shift = "#!/bin/sh\nsed -i -e '%s' -e '1i // one line more' \"$1\"\n" % PAD
    with Lab(shift) as lab:
        said = lab.ask('edit tile')
        lines = text_of(lab.copy).splitlines()
        at = [i for i, line in enumerate(lines, 1) if 'tile[threadIdx.x][threadIdx.y + i]' in line]
        check(any('32 → 1, transpose.cu:%d' % i in said for i in at), 'lines %s in %s' % (at, said))
        contains(said, '+    1  // one line more')


def unchanged():
    """an editor that leaves the file as it is, or goes on in the background, is told what happens next"""
    with Lab(IDLE) as lab:
        contains(' '.join(lab.ask('edit tile').split()), 'is unchanged. If your editor is still open, each save runs')
        contains(lab.saved(lambda: write(lab.copy, padded(text_of(lab.copy))), 'change: '), '32 → 1')
    with Lab(IDLE) as lab:
        lab.ask('run tile')
        lab.ask('edit tile')  # the step was run before: nothing has to run, and making the copy is no save
        time.sleep(0.5)
        lab.ask('6 * 7')
        check('was saved' not in plain(lab.terminal.seen), 'it ran again')


def editors_that_fail():
    """an editor that is missing, fails or is killed is named, and the terminal is whole afterwards"""
    with Lab('no-such-editor -w') as lab:
        contains(lab.ask('edit tile'), 'The editor no-such-editor -w cannot be started. Set VISUAL or EDITOR')
    with Lab('#!/bin/sh\nexit 3\n') as lab:
        contains(lab.ask('edit tile'), 'exited with status 3.')
    killed = "#!/bin/sh\nstty raw -echo\nsed -i '%s' \"$1\"\nkill -9 $$\n" % PAD
    with Lab(killed) as lab:
        contains(lab.ask('edit tile'), '(Killed)', 'change: ')
        contains(lab.ask('6 * 7'), '42')


def no_editor():
    """without an editor the message says what to set and which file to open"""
    with Lab(env={'PATH': '/nowhere'}) as lab:
        contains(' '.join(lab.ask('edit tile').split()), 'no editor found', 'set VISUAL or EDITOR',
                 '~/gpulab-work/03-bank-conflicts/transpose.cu')


def ctrl_c_is_the_editors():
    """Ctrl-C in the editor, however often, does not reach the prompt"""
    patient = "#!/bin/sh\ntrap : INT\necho in the editor\nuntil [ -e \"$1.done\" ]; do sleep 0.05; done\nexit 0\n"
    with Lab(patient) as lab:
        lab.terminal.line('edit tile')
        lab.terminal.expect('in the editor')
        for _ in range(6):
            lab.terminal.send(CTRL_C)
            lab.terminal.expect(r'\^C')
        write(lab.copy + '.done', '')
        lab.terminal.expect('is unchanged.*03> $')
        contains(lab.ask('6 * 7'), '42')


def another_size():
    """a window that changed its size while the editor had it"""
    with Lab('#!/bin/sh\nstty cols 40\n') as lab:
        lab.ask('edit tile')
        t = lab.terminal
        t.send('x' * 60)
        t.expect('x' * 60 + '$')
        before = len(t.seen)
        t.send('\x01#')  # to the beginning of the line, which is one row up
        t.expect('#')
        check('\x1b[A' in t.seen[before:], 'the line is taken for one of 80 columns: %r' % t.seen[before:])


def real_editors():
    """vim and ed, where they are there"""
    found = [name for name in ('vim', 'ed') if shutil.which(name)]
    if not found:
        return 'skip: neither vim nor ed is there'
    for name in found:
        command = 'vim -N -u NONE -i NONE' if name == 'vim' else name
        with Lab(command) as lab:
            t = lab.terminal
            t.line('edit tile')
            t.expect(r'VIM|"[^"]*transpose.cu"|\n\d+\n' if name == 'vim' else r'\n\d+\n$')
            if name == 'vim':
                t.send(':%' + PAD + ENTER + ':wq' + ENTER)
            else:
                t.line('g/tile.TILE..WIDTH.;/' + PAD)
                t.line('w')
                t.line('q')
            t.expect(r'32 → 1, transpose.cu:.*03> $')
            contains(lab.ask('6 * 7'), '42')
    return None


def save_while_typing():
    """a save from outside runs the step; the half-typed line is drawn again and works"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        t = lab.terminal
        t.send('6 * ')
        t.expect(r'6 \* $')
        said = lab.saved(lambda: write(lab.copy, padded(text_of(lab.copy))), 'change: ', r'6 \* ')
        contains(said, 'transpose.cu was saved', KIND, '32 → 1')
        check('copy in the tile' not in said, 'more than the changed row was printed')
        narrow(said)
        t.send('7' + ENTER)
        t.expect(r'\n42\n03> $')
        said = lab.saved(lambda: save_beside(lab.copy, text_of(ORIGINAL)), 'change: ')
        contains(said, '1 → 32', '32.0×')


def long_lines_survive():
    """a line longer than the screen, with the cursor in its middle, survives a save"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        t = lab.terminal
        t.send('x = "' + 'ab' * 60 + '"')
        t.expect('ab"$')
        t.send('\x1b[D')  # cursor left
        before = len(plain(t.seen))
        write(lab.copy, padded(text_of(lab.copy)))
        t.expect('change: .*÷ 32.0')
        t.send('z' + ENTER)
        t.expect('03> $')
        contains(lab.ask('#x, x:sub(-1)'), '121', '"z"')
        check(plain(t.seen)[before:].count('was saved') == 1, 'run more than once')


def continuation():
    """a save between the lines of a statement leaves the statement whole"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        t = lab.terminal
        t.line('function twice(x)')
        t.expect('>> $')
        write(lab.copy, padded(text_of(lab.copy)))
        t.expect(r'÷ 32.0.*>> $')
        t.line('return 2 * x end')
        t.expect('03> $')
        contains(lab.ask('twice(21)'), '42')


def broken_save():
    """a save that does not compile shows line and caret and keeps the last good result"""
    with Lab(PADDER) as lab:
        lab.ask('edit tile')
        good = text_of(lab.copy)
        said = lab.saved(lambda: write(lab.copy, broken(text_of(ORIGINAL))), 'is kept: ')
        contains(said, '/gpulab-work/03-bank-conflicts/transpose.cu:', 'error: expected a "]"', '^', 'The last good result is kept')
        check('change:' not in said, said)
        said = lab.saved(lambda: write(lab.copy, good.replace('[WIDTH + 1]', '[WIDTH + 2]')), 'change: ')
        contains(said, '1 → 2', '[WIDTH + 1]', '[WIDTH + 2]')  # against the last good one


def wrong_save():
    """a save that computes something else is told so, with the good result that is kept"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        lab.ask('run tile')
        text = text_of(lab.copy)
        wrong = text.replace('= tile[threadIdx.x][threadIdx.y + i];', '= tile[threadIdx.y + i][threadIdx.x];')
        check(wrong != text, 'there is nothing to get wrong')
        said = lab.saved(lambda: write(lab.copy, wrong), 'is kept: ')
        contains(said, 'wrong result', 'NO')
        row = next(line for line in said.splitlines() if ' NO' in line)
        check(len(re.findall(r'\d+\.\d', row.replace('75.1', ''))) == 0, 'a wrong kernel has a rate on some GPU: ' + row)


def faulting_save():
    """a save that runs out of bounds is told where, and half a run's counters are compared with nothing"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        lab.ask('run tile')
        text = text_of(lab.copy)
        wild = text.replace('= tile[threadIdx.x][threadIdx.y + i];', '= idata[(1 << 28) + x];')
        check(wild != text, 'there is nothing to misplace')
        said = lab.saved(lambda: write(lab.copy, wild), 'is kept: ')
        contains(said, 'out of bounds', 'transpose.cu:')
        check('change: ' not in said, said)


def hanging_save():
    """a save that never ends is stopped by Ctrl-C, and the half-typed line is still there"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        t = lab.terminal
        t.send('6 * 7')
        t.expect(r'6 \* 7$')
        hangs = text_of(lab.copy).replace('__syncthreads();', 'while (true) if (odata[0] == -12345.f) break;')
        write(lab.copy, hangs)
        t.expect('was saved')
        t.computes()
        t.send(CTRL_C)
        t.expect(r'interrupted.*03> 6 \* 7$')
        t.send(ENTER)
        t.expect(r'\n42\n03> $')


def touched():
    """a save that changes nothing runs nothing"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        seen = len(plain(lab.terminal.seen))
        write(lab.copy, text_of(lab.copy))
        os.utime(lab.copy)
        time.sleep(0.5)
        lab.ask('6 * 7')
        check('was saved' not in plain(lab.terminal.seen)[seen:], 'it ran again')


def by_polling():
    """a file that inotify does not tell of is found by looking"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        elsewhere = lab.home + '/elsewhere.cu'
        shutil.copy(lab.copy, elsewhere)
        os.remove(lab.copy)
        os.symlink(elsewhere, lab.copy)
        time.sleep(2.5)
        lab.ask('run tile')
        contains(lab.saved(lambda: write(elsewhere, padded(text_of(elsewhere))), 'change: '), '32 → 1')


def diff_and_reset():
    """diff shows the difference, reset goes back and keeps what was written"""
    with Lab(PADDER) as lab:
        contains(lab.ask('diff tile'), 'there is no copy of transpose.cu', '`edit tile` makes one')
        contains(lab.ask('reset tile'), 'there is no copy of transpose.cu')
        lab.ask('edit tile')
        said = lab.ask('diff tile')
        contains(said, '--- ', '+++ ~/gpulab-work/03-bank-conflicts/transpose.cu', '@@ -', '\n-', '\n+', '[WIDTH + 1]')
        contains(lab.ask('reset'), 'Steps use the original transpose.cu again', 'transpose.cu.~1~')
        check(text_of(lab.copy + '.~1~') == padded(text_of(ORIGINAL)), 'the backup is not what was written')
        check(not os.path.exists(lab.copy), 'the copy is still there')
        said = lab.ask('run tile')
        contains(said, '32-way', '1 → 32')
        check('Compiled from your copy' not in said, said)
        lab.ask('edit tile')
        lab.ask('reset tile')
        check(os.path.exists(lab.copy + '.~2~'), 'the second version was not kept beside the first')


def reset_of_an_unchanged_copy():
    """reset of a copy that does not differ leaves nothing behind"""
    with Lab(IDLE) as lab:
        lab.ask('edit tile')
        contains(lab.ask('diff tile'), 'equals the original')
        contains(lab.ask('reset tile'), 'did not differ')
        check(glob.glob(lab.copy + '*') == [], glob.glob(lab.copy + '*'))


def reopened():
    """a lab that is opened again uses the copy, says so, and sees it saved"""
    with Lab(PADDER) as lab:
        lab.ask('edit tile')
        lab.terminal.send(CTRL_D)
        check(lab.terminal.close() == 0, 'exit status')
        lab.options = ('--set', 'n=64', '--step', 'tile')
        lab.open()
        contains(lab.ask('run tile'), 'Compiled from your copy')
        contains(lab.saved(lambda: save_beside(lab.copy, text_of(ORIGINAL)), 'change: '), '1 → 32')


def in_the_folder_of_copies():
    """gpulab started among the copies still knows the originals"""
    with Lab(PADDER) as lab:
        lab.ask('edit tile')
        lab.terminal.line('quit')
        lab.terminal.close()
        lab.terminal = Terminal([GPULAB, '-n', '-q', '--device', 'emu', '--set', 'n=64', LAB], lab.env,
                                cwd=os.path.dirname(lab.copy))
        lab.terminal.expect('03> $')
        contains(lab.ask('diff tile'), '[WIDTH + 1]')
        contains(lab.ask('reset tile'), 'Your version is saved')


def cannot_be_written():
    """where no copy can be made that is said, with what to do, and the session goes on"""
    for home in ('/dev/null/gpulab', '/proc/gpulab'):
        with Lab(PADDER, env={'GPULAB_HOME': home}) as lab:
            contains(' '.join(lab.ask('edit tile').split()), 'cannot make the folder', 'GPULAB_HOME=FOLDER')
            contains(lab.ask('6 * 7'), '42')
    with Lab(PADDER, env={'GPULAB_HOME': ''}) as lab:
        contains(' '.join(lab.ask('edit tile').split()), 'there is no folder for a copy of the kernel: GPULAB_HOME is empty',
                 'set GPULAB_HOME')
        contains(lab.ask('run tile'), '32-way')


def full_disk():
    """on a full disk no half copy is left"""
    with Lab(PADDER, shell='ulimit -f 1;') as lab:
        contains(' '.join(lab.ask('edit tile').split()), 'cannot write', 'GPULAB_HOME=FOLDER')
        check(glob.glob(lab.home + '/gpulab-work/03-bank-conflicts/*') == [], 'something was left')
        contains(lab.ask('6 * 7'), '42')


def read_only_folder():
    """a folder of copies that became read-only: editing goes on as far as it can, and reset says what is wrong"""
    if os.getuid() == 0:
        return 'skip: nothing is read-only for root'
    with Lab(PADDER) as lab:
        lab.ask('edit tile')
        os.chmod(os.path.dirname(lab.copy), 0o555)
        contains(lab.ask('reset tile'), 'cannot rename')
        contains(lab.ask('6 * 7'), '42')
        os.chmod(os.path.dirname(lab.copy), 0o755)
    return None


def hostile_names():
    """names that a shell or a terminal would take for something else"""
    for name in ("it's $(touch hacked) `touch hacked`; touch hacked #", '-rf', 'é ü %s', 'c\\d', '%d *', 'x\x1b[31m'):
        with Lab(PADDER, before=lambda lab, name=name: lab.env.update(
                GPULAB_HOME=name if name == '-rf' else lab.home + '/' + name)) as lab:
            said = lab.ask('edit tile')
            contains(said, '32 → 1')
            check('x\x1b[31m' not in lab.terminal.seen, 'an escape sequence went to the terminal')
            copy = '%s/%s/03-bank-conflicts/transpose.cu' % (lab.home, name)
            check('[WIDTH + 1]' in text_of(copy), 'no copy')
            contains(lab.ask('diff tile'), '[WIDTH + 1]')
            contains(lab.saved(lambda copy=copy: write(copy, text_of(ORIGINAL)), 'change: '), '1 → 32')
            check('hacked' not in os.listdir(lab.home), 'the name was run')


def names_the_compiler_cannot_stand():
    """a folder whose name cannot stand in a line table is refused before anything is written"""
    for name in ('a "b"', 'a\nb'):
        with Lab(PADDER, before=lambda lab, name=name: lab.env.update(GPULAB_HOME=lab.home + '/' + name)) as lab:
            contains(' '.join(lab.ask('edit tile').split()), 'there is no folder for a copy of the kernel', 'set GPULAB_HOME')
            check(not glob.glob(glob.escape(lab.home + '/' + name) + '/*/'), 'a folder for copies was made all the same')
            contains(lab.ask('6 * 7'), '42')


def odd_files():
    """a folder, a pipe or nonsense where the copy belongs"""
    with Lab(PADDER) as lab:
        os.makedirs(lab.copy)
        contains(lab.ask('edit tile'), 'is not a regular file', 'move it elsewhere')
        contains(lab.ask('run tile'), 'is not a regular file')
        os.rmdir(lab.copy)
        os.mkfifo(lab.copy)
        contains(lab.ask('run tile'), 'is not a regular file')
        contains(lab.ask('reset tile'), 'is not a regular file')
        os.remove(lab.copy)
        contains(lab.ask('run tile'), '32-way')
        lab.ask('edit tile')
        with open(lab.copy, 'wb') as f:
            f.write(b'\x00\x1b[2J\xff\xfe' * 100)
        lab.terminal.expect('was saved.*03> $')
        lab.ask('diff tile')
        check('\x1b[2J\xff' not in lab.terminal.seen, 'an escape sequence went to the terminal')
        write(lab.copy, '')
        lab.terminal.expect('was saved.*03> $')
        contains(lab.ask('6 * 7'), '42')


def words():
    """help, completion of steps, and what was probably meant"""
    with Lab(PADDER) as lab:
        contains(lab.ask('?edit'), 'edit [STEP|EX]', 'compiles your copy.')
        contains(lab.ask('?reset'), 'reset [STEP|EX]')
        contains(lab.ask('edti tile'), 'did you mean edit?')
        contains(lab.ask('edit tiel'), 'did you mean "tile"?')
        contains(lab.ask('edit tile copy'), 'edit takes one step or exercise')
        t = lab.terminal
        t.send('edit ti' + TAB)
        t.expect('edit tile $')
        t.send(ENTER)
        t.expect(r'32 → 1.*03> $')
        t.send('diff pa' + TAB)
        t.expect('diff padded $')
        t.send(CTRL_C)
        t.expect('03> $')


def deleted():
    """a copy that is deleted, and one that comes back"""
    with Lab(PADDER) as lab:
        lab.ask('edit tile')
        text = text_of(lab.copy)
        shutil.rmtree(os.path.dirname(lab.copy))
        contains(lab.ask('run tile'), '32-way', '1 → 32')
        os.makedirs(os.path.dirname(lab.copy))
        contains(lab.saved(lambda: write(lab.copy, text), 'change: '), '32 → 1')


def machine_code():
    """disassemble: a step's PTX under its lines; diff of two steps: kinds of instructions and what differs; what makes no sense"""
    with Lab(env={'GPULAB_DISASSEMBLER': '/nonexistent'}) as lab:
        said = lab.ask('disassemble tile ptx')
        contains(said, 'PTX for sm_', 'transpose_tile<32>', 'tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];',
                 'ld.global.f32', 'st.shared.f32', 'bar.sync')
        narrow(said)
        said = lab.ask('disassemble')
        contains(said, 'PTX for sm_', 'SASS needs', 'GPULAB_DISASSEMBLER')
        said = lab.ask('diff tile padded')
        contains(said, '--- transpose_tile<32>', '+++ transpose_tile<33>', 'instructions', 'shared memory', '\n  all ',
                 '- mul.wide', '+ mul.wide')
        narrow(said)
        contains(lab.ask('diff tile tile'), 'identical except for register')
        contains(lab.ask('disassemble tile sass'), 'SASS needs')
        contains(lab.ask('disassemble tile padded'), 'is not expected')
        contains(lab.ask('disassemble nosuch'), 'nosuch')
        contains(lab.ask('diff tile nosuch'), 'nosuch')
        contains(lab.ask('diff tile padded copy'), 'takes one step')


def headers_are_prepared():
    """while a lab's text is read, the CUDA headers of its kernels are precompiled"""
    fixed = shutil.which('setarch') and subprocess.run(['setarch', '-R', 'true'], check=False).returncode == 0
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        env = {**os.environ, 'HOME': home, 'TERM': 'xterm', 'XDG_CACHE_HOME': home + '/cache', 'XDG_STATE_HOME': home + '/state', 'INPUTRC': '/dev/null'}
        terminal = Terminal([GPULAB, '-n', '-q', '--device', DEVICE, '10'], env, cwd=home)
        try:
            terminal.expect('10> $')
            until(lambda: not fixed or glob.glob(home + '/cache/gpulab/headers/*.sum'), lambda: 'no headers are precompiled')
            terminal.line('print(6 * 7)')
            terminal.expect('42')
        finally:
            terminal.kill()


def main():
    if DEVICE == 'emu':
        return run_tests([*ALL, headers_are_prepared])
    probe = subprocess.run([GPULAB, '--device', DEVICE, '-e', 'print(gpu.device.gpu)'], stdin=subprocess.DEVNULL,
                           capture_output=True, check=False)
    if probe.returncode == 5:
        print('1..0 # SKIP no %s here' % DEVICE)
        return 0
    return run_tests(OF_THE_DEVICE)


OF_THE_DEVICE = [edit_shows_what_changed, editors_that_fail, save_while_typing, broken_save, wrong_save, hanging_save,
                 diff_and_reset]
ALL = [edit_shows_what_changed, other_steps_use_the_copy, the_cause_has_the_line_of_the_copy, unchanged,
       editors_that_fail, no_editor, ctrl_c_is_the_editors, another_size, real_editors, save_while_typing,
       long_lines_survive, continuation, broken_save, wrong_save, faulting_save, hanging_save, touched, by_polling,
       diff_and_reset, reset_of_an_unchanged_copy, reopened, in_the_folder_of_copies, cannot_be_written, full_disk,
       read_only_folder, hostile_names, names_the_compiler_cannot_stand, odd_files, words, deleted,
       machine_code]

sys.exit(main())
