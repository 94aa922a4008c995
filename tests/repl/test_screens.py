"""What the prompt shows and where: steps by number, baselines, questions, editors at their line, names by prefix, progress, widths,
pages. usage: test_screens.py GPULAB SOURCE_ROOT"""
import os
import re
import sys

from lab import SMALL, Lab, contains
from terminal import check, plain, run_tests, text_of

ROOT = os.path.abspath(sys.argv[2])
QUESTION = r'your prediction \(Enter skips\)> $'


def steps_by_number():
    """run, show and next take the numbers that steps displays"""
    with Lab() as lab:
        listed = lab.ask('steps').splitlines()
        third = next(line.split() for line in listed if line.split()[:1] == ['3'])[1]
        contains(lab.ask('run 3'), '3/16', '(%s)' % third)
        contains(lab.ask('show 5'), '5/16')
        contains(lab.ask('next 2'), '2/16', 'verified')
        contains(lab.ask('next'), '3/16')
        contains(lab.ask('run 99'), 'no step "99"')


def a_baseline_runs_by_itself():
    """run tile alone compares with its baseline, which is above it; a baseline that asks for a prediction is not"""
    with Lab() as lab:
        said = lab.ask('run tile')
        rows = [line for line in said.splitlines() if ' yes' in line]
        check([row[:2] for row in rows] == ['  ', '> '] and '100 %' in rows[0] and ' %' in rows[1], said)
        check('needs the baseline' not in said, said)
    with Lab(4, options=('--set', 'n=64')) as lab:
        said = lab.ask('run padded')
        check('vs.' in said and 'naive, strided' not in said, said)


def questions_follow_the_text():
    """a prediction is asked after the text of its step"""
    with Lab(questions=True) as lab:
        asked = plain(lab.ask('run tile', until=QUESTION))
        contains(asked, '15/16')
        check(asked.index('15/16') < asked.rindex('?'), asked)
        lab.ask('', until='03> $')


def a_lone_plot():
    """plot draws the only plot of a lab"""
    with Lab(options=()) as lab:
        contains(lab.ask('plot'), '└', '│')


def names_by_prefix():
    """model h2, device GTX 280 and --model a100 find the GPU; those that have no rules of their own, too"""
    with Lab(options=(*SMALL, '--model', 'rtx 40')) as lab:
        contains(lab.ask('model'), 'RTX 4090')
        lab.ask('model h100')
        contains(lab.ask('model'), 'H100 SXM')
        lab.ask('model b200')
        contains(lab.ask('model'), 'B200')
        contains(lab.ask('device GTX 280'), 'emulator, by the rules of the GTX 280')
        contains(lab.ask('device gtx 48'), 'emulator, by the rules of the GTX 480')
        contains(lab.ask('device rtx'), 'ambiguous', 'RTX 2080 Ti, RTX 3090')
        contains(lab.ask('device cuda:77'), 'cuda')
    with Lab(device='c20') as lab:
        contains(lab.ask('device'), 'Tesla C2050')


RECORDER = '#!/bin/sh\nprintf "%s|" "$@" > "$HOME/arguments"\n'


def kernel_line(path, name):
    return next(i for i, line in enumerate(text_of(path).splitlines(), 1) if '__global__' in line and name + '(' in line)


def editors_open_at_the_kernel():
    """edit opens vi, nano, emacs and VS Code at the kernel, and nothing runs before"""
    path = '/gpulab-work/03-bank-conflicts/transpose.cu'
    at = kernel_line(ROOT + '/kernels/transpose.cu', 'transpose_tile')
    cases = (('vi', '', '+%d|%s|'), ('nano', ' -w', '-w|+%d|%s|'), ('emacs', ' -nw', '-nw|+%d|%s|'), ('ed', '', '%s|'),
             ('code', ' --wait', '--wait|-g|%s:%d|'))
    for name, options, wanted in cases:
        with Lab(env=lambda lab: {'EDITOR': lab.script(name, RECORDER) + options}) as lab:
            said = lab.ask('edit tile')
            check('yes' not in said and 'predicted' not in said, 'a step ran before the editor: %s' % said)
            copy = lab.home + path
            expected = wanted % {'vi': (at, copy), 'nano': (at, copy), 'emacs': (at, copy), 'ed': copy, 'code': (copy, at)}[name]
            check(text_of(lab.home + '/arguments') == expected, '%r, not %r' % (text_of(lab.home + '/arguments'), expected))


def in_the_terminal_of_vs_code():
    """without VISUAL and EDITOR, VS Code's terminal opens VS Code; an exercise opens at its kernel too"""
    def env(lab):
        lab.script('code', RECORDER)
        return {'TERM_PROGRAM': 'vscode', 'PATH': lab.home + ':' + os.environ['PATH']}
    with Lab(env=env) as lab:
        lab.ask('edit row-sums')
        found = text_of(lab.home + '/arguments')
        copy = found.split('|')[1].rsplit(':', 1)[0]
        check(found == '-g|%s:%d|' % (copy, kernel_line(copy, 'row_sums')), found)


def progress_and_keys():
    """what takes longer than a moment says so, and keys typed ahead wait for the prompt"""
    with Lab(options=()) as lab:
        t = lab.terminal
        before = len(t.seen)
        t.line('run own tile padded')
        t.expect(r' \.\.\.')
        t.line('6 * 7')
        t.expect('yes.*03> 6 \\* 7.*42.*03> $')
        said = t.seen[before:]
        line = said[said.index('\r\x1b[K'):]
        line = line[:line.index('vs.')]
        check('6 * 7' not in line, 'the keys are in the progress line: %r' % line)
        check(re.search(r'\.\.\.( \(about [^\r]* left\))?( \d+ s)?\r\x1b\[K  ', line), 'the line was not erased: %r' % line)
        contains(lab.ask('os.execute "stty -a | grep -c [^-]echo\\\\ "'), '1')


def widths():
    """from 60 to 160 columns no line is wider than the terminal, nothing is cut, and text uses the width"""
    for columns in (60, 80, 120, 160):
        with Lab(columns=columns) as lab:
            said = lab.intro + '\n'.join(lab.ask(line) for line in ('run', 'steps', 'lines tile', 'why tile', 'why row', 'resources tile',
                                                                   'generations tile', 'history tile', 'model', '?', 'exercises'))
            cut = [line for line in said.splitlines() if '…' in line]
            check(not cut, '%d columns: cut: %s' % (columns, cut))
            contains(said, 'Array of structures in shared' if columns == 60 else 'Array of structures in shared memory')
            for line in said.splitlines():
                check(len(line) <= columns or '://' in line or re.search(r'(^|[\s"(])[~/]', line), '%d columns: %r' % (columns, line))
            prose = max(len(line) for line in lab.ask('show tile').splitlines())
            check(columns - 20 < prose <= columns, 'the text has %d of %d columns' % (prose, columns))
            check(re.search(r'^  long_scoreboard +\d+ %.* global or local memory, textures$', said, re.M), 'no stall reason')
        with Lab(2, columns=columns, options=('--set', 'n=4096')) as lab:
            for line in ('devices', 'disassemble permuted', 'partitions permuted', 'plot', 'history caches', 'report ' + lab.home + '/r.html',
                         'help gpu.count', 'help compare', 'solution bytes --anyway', 'why permuted', 'counters permuted', 'roofline'):
                wide = [row for row in lab.ask(line).splitlines() if len(row) > columns and lab.home not in row and ROOT not in row]
                check(not wide, '%d columns, %s: %s' % (columns, line, wide))
        with Lab(1, columns=columns, options=('--set', 'blocks=8')) as lab:
            said = '\n'.join(lab.ask(line) for line in ('why in2', 'run one-loop atomic', 'exercises'))
            check('…' not in said and all(len(line) <= columns for line in said.splitlines()), '%d columns: %s' % (columns, said))
            contains(' '.join(said.split()), 'if (path == PATHS - 1)', 'branches divergent')
    with Lab(columns=60, device='emu:Tesla C2050') as lab:
        banner = lab.intro.splitlines()[:2]
        check(max(map(len, banner)) <= 60 and 'emu:Tesla C2050' in banner[1] and banner[1].endswith('type ? for help'), banner)


def models_once():
    """a model that has a column has no table of its own"""
    with Lab(2, options=('--set', 'n=4096')) as lab:
        lab.ask('model 8800 GTX')
        check('model, GB/s' not in lab.ask('run offset8'), 'the model is shown twice')
        lab.ask('model H100')
        said = lab.ask('run offset8')
        contains(said, 'model, GB/s', 'H100 SXM')
        check('8800 GTX' not in said[said.index('model, GB/s'):].split('\n\n')[0], said)


def words_that_are_no_commands():
    """a word that is no command gets its counterpart, or says where the commands are listed; also while stepping"""
    with Lab() as lab:
        contains(lab.ask('explain row-sums'), 'there is no command explain', '`why STEP` explains a step')
        contains(lab.ask('debrief'), '`check EXERCISE` shows the debrief')
        contains(lab.ask('foo bar'), 'there is no command foo, and this is not Lua', '`help` lists the commands')
        contains(lab.ask('hand-in'), 'there is no command hand')
        contains(lab.ask('x = 1 2'), 'unexpected symbol')
        stepping = '03 debug> $'
        lab.ask('debug tile', until=stepping)
        contains(lab.ask('up', until=stepping), '`list` shows the source')
        contains(lab.ask('run tile', until=stepping), '`kill` ends stepping; then run tile')
        names = re.findall(r'^  (\S+)', lab.ask('help', until=stepping), re.M)
        check(len(names) == len(set(names)), 'help lists a command twice: %s' % names)
        contains(lab.ask('q'), 'The stepped launch has ended')


def a_command_at_a_question():
    """a command that was typed ahead of a question skips it and runs after the step"""
    with Lab(questions=True) as lab:
        lab.terminal.send('run tile\rwhy padded\r')
        said = lab.ask('show 3', until='3/16.*03> $')
        contains(said, 'Skipped the question. Your command runs after the step.', '03> why padded', 'tile 32×33 (padded)')
        check('Type one number' not in said, said)


def views_that_texts_promise():
    """the commands that the text of a lab with steps gives for the warp view stop where the text says: at an access, a barrier, a branch"""
    promise = re.compile(r'`debug\s([^`]*)`,\s+((?:`[^`]*`,?\s+)+)and\s+`view`')
    files = sorted(name for name in os.listdir(ROOT + '/labs') if name.endswith('.lua'))
    for number, name in enumerate(files, 1):
        text = text_of('%s/labs/%s' % (ROOT, name))
        if re.search(r'\bsteps = {},', text):  # nothing to debug
            continue
        found = promise.search(text)
        check(found, '%s names no commands for the warp view' % name)
        with Lab(number, options=()) as lab:
            lab.ask('debug ' + found.group(1), until=r'debug> $')
            said = ''.join(lab.ask(line, until=r'debug> $') for line in re.findall(r'`([^`]*)`', found.group(2)))
            check(re.search(r'\n?\d+ +.*(\[|__syncthreads)|  waits ', said), '%s: %s' % (found.group(), said))
            line = re.search(r'until (\d+)', found.group(2))
            check(not line or re.search(r'^%s  ' % line.group(1), said, re.M), said)


PAGES = '#!/bin/sh\nwc -l > "$HOME/paged"\ncat >/dev/null\necho one page\n'


def long_output_pages():
    """output longer than the screen goes through PAGER"""
    with Lab(rows=12, env=lambda lab: {'PAGER': lab.script('pager', PAGES)}) as lab:
        for line in ('steps', 'lines tile', 'generations tile', '?'):
            contains(lab.ask(line), 'one page')
        check('one page' not in lab.ask('model none'), 'a short output was paged')


sys.exit(run_tests([models_once, words_that_are_no_commands, a_command_at_a_question, progress_and_keys, widths, views_that_texts_promise, long_output_pages, editors_open_at_the_kernel, in_the_terminal_of_vs_code, steps_by_number, a_baseline_runs_by_itself, questions_follow_the_text, a_lone_plot, names_by_prefix]))
