"""A student's session on lab 3, from opening it to opening it again. usage: test_student.py GPULAB SOURCE_ROOT [DEVICE]

Every key goes through a pseudo-terminal, the editor is a process of its own (ed where it is there), and what is kept is looked for
after quitting and after kill -9. With GPULAB_TRANSCRIPT=FILE the whole session is written down there."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile

from terminal import CTRL_C, CTRL_D, ENTER, TAB, Terminal, check, plain, run_tests, shown, text_of, write

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
DEVICE = sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] != 'sanitized' else 'emu'
LAB = os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')
STARTER = os.path.join(ROOT, 'kernels', 'exercises', '03-row-sums', 'row_sums.cu')
SMALL = ('--set', 'n=64', '--set', 'blocks=8') if DEVICE == 'emu' else ()
GUESS = r'your prediction \(Enter skips\)> $'

# As a student's hands would: ed pads the step's tile, and leaves the exercise's file as it is.
EDITOR = r'''#!/bin/sh
case $1 in
*transpose.cu)
	if command -v ed >/dev/null; then
		printf 'g/tile.TILE..WIDTH.;/s/WIDTH/WIDTH + 1/\nw\nq\n' | ed -s "$1"
	else
		sed -i 's/tile\[TILE\]\[WIDTH\];/tile[TILE][WIDTH + 1];/' "$1"
	fi ;;
esac
'''


def line_of(path, part):
    return next(number for number, line in enumerate(text_of(path).splitlines(), 1) if part in line)


# Constants that no compiler comes to the end of.
ENDLESS = '''
template <int D, int N> struct F { static constexpr long v = F<D - 1, 2 * N>::v + F<D - 1, 2 * N + 1>::v; };
template <int N> struct F<0, N> { static constexpr long v = N; };
'''


def replace(path, text):
    """As most editors write: nobody sees a file that is empty or half there."""
    write(path + '~', text)
    os.replace(path + '~', path)


class Student:
    """A home of one's own, and lab 3 at a prompt in it."""

    def __init__(self, transcript=False):
        self.transcript, self.options = transcript, ()
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        self.home = self.folder.name
        self.copies = self.home + '/gpulab-work/03-bank-conflicts/'
        self.env = {**os.environ, 'HOME': self.home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'NO_COLOR': '1',
                    'INPUTRC': '/dev/null', 'XDG_STATE_HOME': self.home + '/state', 'PAGER': 'cat'}
        for name in ('GPULAB_HOME', 'VISUAL'):
            self.env.pop(name, None)
        write(self.home + '/editor', EDITOR)
        os.chmod(self.home + '/editor', 0o755)
        self.env['EDITOR'] = self.home + '/editor'
        self.terminal = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.terminal:
            self.terminal.kill()
        self.folder.cleanup()

    def open(self, *options):
        """What is printed before the prompt."""
        self.options = options
        self.terminal = Terminal([GPULAB, '-n', '--device', DEVICE, *options, LAB], self.env, cwd=self.home)
        self.terminal.expect('03> $')
        return plain(self.terminal.seen)

    def ask(self, line, *parts, until='03> $'):
        """Types the line; what it prints holds the parts, white space counted as one blank, in 80 columns."""
        before = len(self.terminal.seen)
        self.terminal.line(line)
        self.terminal.expect(until)
        return self.holds(shown(self.terminal.seen[before:]), *parts)

    @staticmethod
    def holds(said, *parts):
        for line in said.splitlines():
            exempt = ': error: ' in line or line.startswith('//') or 'solutions/' in line  # a compiler's place, source text
            check(len(line) <= 80 or exempt, 'wider than 80 columns: %r' % line)
        flat = ' '.join(said.split())
        for part in parts:
            check(part in flat, '%r is not in %r' % (part, flat))
        return said

    def saved(self, name, text, *parts):
        """Saves a copy from outside; what is printed beside the prompt holds the parts."""
        before = len(self.terminal.seen)
        write(self.copies + name, text)
        self.terminal.expect(r'was saved.*03> $')
        return self.holds(shown(self.terminal.seen[before:]), *parts)

    def quit(self):
        self.terminal.line('quit')
        check(self.terminal.close() == 0, 'exit status')
        self.write_down()

    def write_down(self):
        """Appends what was on the screen to the transcript, if one is wanted."""
        path = os.environ.get('GPULAB_TRANSCRIPT')
        if path and self.transcript:
            with open(path, 'a', encoding='utf-8') as f:
                screen = plain(self.terminal.seen).replace(self.home, '~').rstrip()
                f.write('$ gpulab %s\n%s\n\n' % (' '.join(self.options + ('3',)), screen))


def a_whole_session():
    """open, predict, run, why, edit, see the change, fail a check, hint, pass, debrief, report, quit, reopen"""
    with Student(transcript=True) as s:
        said = s.open(*SMALL)
        s.holds(said, 'Lab 3 · Shared memory banks', 'Exercises: 0 of 4 passed')
        check('left off' not in said, 'it was left nowhere yet')

        # predict, run, why
        s.ask('next', '1/16', 's[tid]')
        asked = s.ask('run stride8', 'Every eighth word', 'How many wavefronts', until=GUESS)
        check(asked.index('Every eighth word') < asked.index('How many wavefronts'), 'the question stands before the text')
        s.ask('many', 'Type one number', until=GUESS)
        s.ask('4', 'Your prediction for stride8: 4 wavefronts. Actual: 8 wavefronts. 2.0× too low.')
        s.ask('run tile', until=GUESS)
        s.ask('', '32-way bank conflict')  # Enter skips
        s.ask('why tile', '32 wavefronts for 1 request', 'all read bank 0', 'lane', 'bank')

        # edit, see the change
        s.ask('edit tile', 'is your copy', 'change: ', '32 → 1, transpose.cu:', '[WIDTH + 1];')
        s.ask('note tile one padding word per row, that is all', 'Saved your note on tile')

        # an exercise: fail, hint, save something that does not compile, something wrong, the answer
        s.ask('exercises', 'row-sums', 'not started')
        s.ask('check row-sums', 'compiles yes', 'result right', 'checkers no issues', 'acceptance check', 'not met:',
              'Next: 63 488 wavefronts due to bank conflicts', 'the reference solution has none', 'row_sums.cu:%d' % line_of(STARTER, 'sum += tile'),
              '`edit row-sums`')
        s.ask('hint', 'Hint 1 of 3 for row-sums')
        s.ask('solution row-sums', 'row-sums is not passed yet', 'solution row-sums --anyway')
        s.ask('edit row-sums', 'A warp sums the 32 rows', 'row_sums.cu is your copy', 'is unchanged')
        starter = text_of(s.copies + 'row_sums.cu')
        check(starter == text_of(STARTER), 'the copy is not the starter')
        right = starter.replace('tile[ROW][ROW];', 'tile[ROW][ROW + 1];')
        check(right != starter, 'there is nothing to mend')
        s.saved('row_sums.cu', starter.replace('tile[ROW][ROW];', 'tile[ROW][ROW;'), 'error: ', 'compiles NO', 'Next: ')
        s.saved('row_sums.cu', starter.replace('sum += ', 'sum -= '), 'differ from the reference', 'result WRONG')
        s.saved('row_sums.cu', right.replace('__syncthreads();', ''), 'race', 'checkers 1 ISSUE', 'Next: Fix the')
        s.saved('row_sums.cu', right, 'checkers no issues', 'Passed.', 'There are two solutions', '1 of 4 exercises passed')
        s.ask('solution', 'tile[ROW][ROW + 1]', 'There are two solutions')
        s.ask('exercises', 'passed, 1 of 3 hints seen')
        s.ask('history row-sums', 'does not compile', 'wrong result', 'checker issue')
        s.ask('predict', 'stride8 4 wavefronts 8 wavefronts', '0 of 1 prediction right')
        s.ask('report', 'Wrote the report')
        for ending in ('html', 'json', 'csv'):
            check(os.path.getsize(s.copies + 'report.' + ending) > 0, 'report.%s is empty' % ending)
        s.quit()

        # where it was left
        said = s.open()
        s.holds(said, 'Exercises: 1 of 4 passed', 'You left off at step tile (15 of 16)', 'This lab uses your copy ~/gpulab-work/03-bank-')
        if SMALL:
            s.holds(said, 'blocks = 8 and n = 64')
        s.ask('notes', 'one padding word per row, that is all')
        s.ask('predict', 'stride8 4 wavefronts 8 wavefronts')
        s.ask('check row-sums', 'Passed.')
        s.ask('next', '16/16', '0 of 1 prediction right')  # the end of the lab: the guesses are drawn
        os.kill(s.terminal.pid, signal.SIGKILL)
        s.terminal.close()
        s.write_down()
        s.terminal = None
        s.holds(s.open(), 'You left off at step padded (16 of 16)')
        s.quit()


def handed_in():
    """handin writes one zip file that grade takes as it is: kernels, report, environment; the same kernels, the same file"""
    with Student() as s:
        s.open(*SMALL)
        s.ask('handin', 'you have not started an exercise')
        os.makedirs(s.copies)
        shutil.copy(os.path.join(ROOT, 'kernels', 'solutions', '03-swizzle', 'swizzle.cu'), s.copies)
        s.ask('handin', '03-bank-conflicts.zip holds 1 kernel, the report', 'Not started: row-sums, histogram, aos.')
        s.ask('handin work.txt', 'the name of the file ends in .zip')
        s.quit()
        with zipfile.ZipFile(s.copies + '03-bank-conflicts.zip') as z:
            check(z.testzip() is None, 'the zip file is damaged')
            check(z.namelist() == ['03-swizzle/swizzle.cu', 'report.html', 'environment.json'], z.namelist())
            check(z.read('03-swizzle/swizzle.cu').decode() == text_of(s.copies + 'swizzle.cu'), 'another kernel')
            environment = json.loads(z.read('environment.json'))
            check(environment['lab']['id'] == 'bank-conflicts' and environment['device']['backend'], environment)
        if DEVICE == 'emu':
            argv = [GPULAB, 'grade', s.copies + '03-bank-conflicts.zip', '--lab', '3']
            said = subprocess.run(argv, env=s.env, cwd=s.home, capture_output=True, check=True).stdout.decode()
            s.holds(said, '03-bank-conflicts: 1 of 4 exercises, 1 of 4 points')


def in_the_list():
    """gpulab --list shows what was passed, and makes no journal where there is none"""
    with Student() as s:
        argv = [GPULAB, '--list']
        said = subprocess.run(argv, env=s.env, capture_output=True, check=True).stdout.decode()
        s.holds(said, '3 bank-conflicts Shared memory banks 0 of 4 passed')
        check(not os.path.exists(s.home + '/gpulab-work'), 'a list made a folder')
        s.open(*SMALL)
        os.makedirs(s.copies)
        shutil.copy(os.path.join(ROOT, 'kernels', 'solutions', '03-swizzle', 'swizzle.cu'), s.copies)
        s.ask('check swizzle', 'Passed.', 'It works because', '1 of 4 exercises passed. Next exercise: `edit histogram`')
        s.quit()
        said = subprocess.run(argv, env=s.env, capture_output=True, check=True).stdout.decode()
        s.holds(said, '3 bank-conflicts Shared memory banks 1 of 4 passed')


def two_prompts():
    """what one prompt is told the other knows"""
    with Student() as one, Student() as two:
        two.env, two.home, two.copies = one.env, one.home, one.copies
        one.open(*SMALL)
        two.open(*SMALL)
        one.ask('hint swizzle', 'Hint 1 of 3')
        two.ask('hint swizzle', 'Hint 2 of 3')
        two.ask('note swizzle xor', 'Saved your note')
        one.ask('notes', 'xor')
        one.quit()
        two.quit()


def without_a_journal():
    """where nothing can be kept it is said once, and the session goes on and remembers"""
    for home in ('', '/dev/null/nothing'):
        with Student() as s:
            s.env['GPULAB_HOME'] = home
            s.open(*SMALL)
            said = s.ask('hint swizzle', 'Hint 1 of 3')
            check(('cannot make the folder' in said) == bool(home), said)
            said = s.ask('hint swizzle', 'Hint 2 of 3')
            check('cannot make the folder' not in said, 'it was said twice')
            s.ask('run stride2', until=GUESS)
            s.ask('2', 'Your prediction for stride2: 2 wavefronts. Actual: 2 wavefronts. Right.')
            s.ask('exercises', '2 of 3 hints seen')
            s.quit()


def an_exercise_that_hangs():
    """Ctrl-C ends the check of a copy that never ends, and nothing is recorded of it"""
    with Student() as s:
        s.open(*SMALL)
        s.ask('edit row-sums', 'is unchanged')
        copy = text_of(s.copies + 'row_sums.cu')
        replace(s.copies + 'row_sums.cu', copy.replace('float sum = 0;', 'float sum = 0;\n\twhile (in[0] != -1.f) sum += in[first];'))
        s.terminal.expect('was saved')
        s.terminal.computes()
        s.terminal.send(CTRL_C)
        s.terminal.expect('interrupted.*03> $')
        s.ask('history row-sums', 'The journal has no run of row-sums yet: `check row-sums` records one.')
        s.saved('row_sums.cu', copy, 'acceptance check', 'not met:')
        s.quit()


def a_save_that_compiles_endlessly():
    """Ctrl-C ends the compilation that a save starts before anything is said of it; saves are still noticed afterwards"""
    with Student() as s:
        s.open(*SMALL)
        s.ask('edit row-sums', 'is unchanged')
        copy = text_of(s.copies + 'row_sums.cu')
        before = len(plain(s.terminal.seen))
        replace(s.copies + 'row_sums.cu', ENDLESS + copy.replace('float sum = 0;', 'float sum = F<40, 1>::v;'))
        s.terminal.computes()
        check('saved' not in plain(s.terminal.seen)[before:], 'it was said before it compiled')
        s.terminal.send(CTRL_C)
        s.terminal.expect('interrupted.*03> $')
        s.ask('1 + 1', '2')
        s.saved('row_sums.cu', copy, 'acceptance check', 'not met:')
        s.quit()


def keys_at_the_question():
    """Ctrl-C and Ctrl-D at a question, a question switched off, names completed"""
    with Student() as s:
        s.open(*SMALL)
        t = s.terminal
        s.ask('run stride2', until=GUESS)
        t.send(CTRL_C)
        t.expect('interrupted.*03> $')
        s.ask('run stride2', until=GUESS)
        before = len(t.seen)
        t.send(CTRL_D)
        t.expect('verified.*03> $')
        s.holds(shown(t.seen[before:]), '2-way bank conflict')
        s.ask('run stride33', until=GUESS)
        s.ask('off', 'verified')
        check('guess' not in s.ask('run stride3', 'verified'), 'asked although switched off')
        for typed, wanted in (('check ao', 'check aos $'), ('edit row-', 'edit row-sums $'), ('predict pa', 'predict pairs $')):
            t.send(typed + TAB)
            t.expect(wanted)
            t.send(CTRL_C)
            t.expect('03> $')
        t.send('??ti' + TAB)
        t.expect(r'\?\?tile$')
        t.send(ENTER)
        t.expect(r'__global__ void transpose_tile.*03> $')
        s.quit()


def lua_at_the_prompt():
    """commands are functions, ans is the last value, unknown words are answered"""
    with Student() as s:
        s.open(*SMALL)
        s.ask('for c = 2, 3 do command.set { c = c } command.run("own") end', 'own: s[tid * 2]', 'own: s[tid * 3]')
        s.ask('?', 'Commands: help', 'Anything else is Lua')
        s.ask('6 * 7', '42')
        s.ask('ans + 1', '43')
        s.ask('check("swizzle")', 'acceptance check', 'not met:')
        s.ask('hnit swizzle', 'did you mean hint?')
        s.ask('set n=100', 'n = 100 is not a multiple of 32: the kernels move whole tiles')  # in 80 columns
        s.ask('edit swizle', 'did you mean "swizzle"?')
        s.ask('??nothing', 'there is no source for nothing')
        s.quit()


def main():
    if 'sanitized' in sys.argv:  # what reads files, waits for saves, and is interrupted; the rest is Lua
        return run_tests([handed_in, without_a_journal, an_exercise_that_hangs, a_save_that_compiles_endlessly])
    if DEVICE == 'emu':
        return run_tests([a_whole_session, handed_in, in_the_list, two_prompts, without_a_journal, an_exercise_that_hangs,
                          a_save_that_compiles_endlessly, keys_at_the_question, lua_at_the_prompt])
    probe = subprocess.run([GPULAB, '--device', DEVICE, '-e', 'print(gpu.device.gpu)'], stdin=subprocess.DEVNULL,
                           capture_output=True, check=False)
    if probe.returncode == 5:
        print('1..0 # SKIP no %s here' % DEVICE)
        return 0
    return run_tests([a_whole_session])


sys.exit(main())
