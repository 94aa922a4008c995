"""A lesson as it stays on the screen: rows of earlier steps, bars, predictions. usage: test_lesson.py GPULAB SOURCE_ROOT"""
import os
import re
import sys

from lab import SMALL, Lab, contains
from terminal import CTRL_C, check, run_tests, shown, text_of, write

ROOT = os.path.abspath(sys.argv[2])
QUESTION = r'your prediction \(Enter skips\)> $'
FEW = ('--set', 'blocks=8')


def flat(text):
    return ' '.join(text.split())


def rows_of_a_group_stay():
    """a step's table has the rows of its group that were run before, and a mark at the new one"""
    with Lab(1, options=FEW) as lab:
        lab.ask('run one')
        lab.ask('run in4')
        said = lab.ask('run in2')
        rows = [line for line in said.splitlines() if ' yes' in line]
        check([row[:2] for row in rows] == ['  ', '> ', '  '], said)
        check('one path' in rows[0] and '2-way' in rows[1] and '4-way' in rows[2], said)
        said = lab.ask('run block32x8')
        check('one path' not in said and '\n> ' not in said, said)


def bars():
    """a row has a bar as long as its rate: characters, or ASCII where color is off; none in a narrow table"""
    for env, cell in (({'NO_COLOR': '1'}, '#'), ({'NO_COLOR': '', 'TERM': 'xterm-256color'}, '█')):
        with Lab(1, options=FEW, env=lambda lab: env) as lab:
            lab.ask('run one')
            rows = [line for line in lab.ask('run in32').splitlines() if ' yes' in line]
            lengths = [len(re.findall('[%s▏▎▍▌▋▊▉]' % cell, row)) for row in rows]
            check(lengths[0] == 10 and 0 < lengths[1] < 5, (env, rows))


def an_answer_to_a_skipped_question():
    """a question that was skipped gets its answer after the row, once"""
    with Lab(3, questions=True) as lab:
        lab.ask('run stride8', QUESTION)
        said = lab.ask('')
        contains(flat(said), 'verified', 'Answer for stride8: 8 wavefronts.')
        check('Answer' not in lab.ask('run stride8'), 'answered twice')


def a_look_at_a_question():
    """what only shows what is known is answered, and the question is still open"""
    with Lab(3, questions=True) as lab:
        lab.ask('run stride8', QUESTION)
        contains(lab.ask('set', QUESTION), 'blocks')
        contains(flat(lab.ask('?wavefront', QUESTION)), 'wavefront')
        for _ in range(3):  # does not count as a wrong answer
            contains(lab.ask('?none of these', QUESTION), 'no help')
        contains(flat(lab.ask('8')), 'Your prediction for stride8: 8 wavefronts. Actual: 8')


def a_measured_order_is_of_these_parameters():
    """with another stride a step is not the one that was measured in another order"""
    with Lab(2, options=()) as lab:
        lab.ask('set stride=32')
        said = flat(lab.ask('run stride8 strided'))
        check('x[i * 32]' in said and 'order is another one' not in said, said)


def no_negative_prediction():
    """a number that no step can have is asked for again"""
    with Lab(3, questions=True) as lab:
        lab.ask('run stride8', QUESTION)
        contains(lab.ask('-5', QUESTION), 'No step has a negative number')
        contains(flat(lab.ask('8')), 'Your prediction for stride8: 8 wavefronts. Actual: 8 wavefronts.')


def a_late_prediction():
    """a prediction after the number was shown is compared, and does not count"""
    with Lab(3, questions=True) as lab:
        lab.ask('run stride8', QUESTION)
        lab.ask('')
        said = flat(lab.ask('predict stride8 4'))
        contains(said, 'Your prediction for stride8: 4 wavefronts. Actual: 8 wavefronts.', 'does not count')
        said = lab.ask('predict')
        contains(said, 'low, late')
        check('right.' not in said, said)
        contains(lab.ask('predict stride2 2'), 'Saved')
        lab.ask('run stride2')
        contains(flat(lab.ask('predict stride2 3')), 'has your prediction')
        contains(flat(lab.ask('predict')), '1 of 1 prediction right', 'stride8')


def late_in_a_later_session():
    """a step whose number was seen before the lab was opened again does not count as predicted"""
    with Lab(3, questions=True) as lab:
        lab.ask('run stride8', QUESTION)
        lab.ask('')
        lab.reopen(3, options=SMALL)
        contains(flat(lab.ask('predict stride8 8')), 'does not count', '`run stride8`')
        contains(flat(lab.ask('run stride8')), 'Your prediction for stride8: 8 wavefronts. Actual: 8')
        said = lab.ask('predict')
        contains(said, 'right, late')
        check('1 prediction right' not in said, said)


def looking_does_not_move():
    """views of other steps leave the position where it is; next continues from there, here and when reopened"""
    with Lab(3) as lab:
        lab.ask('run tile')
        shown_next = flat(lab.ask('show tile')).split()[0]
        for line in ('history copy', 'disassemble copy', 'counters copy', 'compare copy naive', 'predict stride2 2', 'debug copy'):
            lab.ask(line, r'> $')
        lab.ask('kill')
        contains(lab.ask('lines'), 'copy')
        contains(lab.ask('show'), shown_next)
        lab.ask('show 2')  # a text that is read again
        lab.reopen(3, options=SMALL)
        contains(flat(lab.intro), 'You left off at step tile')
        contains(flat(lab.ask('steps')), 'last run 1', ' ok > 15 tile')


def drawn_once():
    """the predictions are drawn at the end of the lab if they are not on the screen yet"""
    with Lab(3, questions=True) as lab:
        last = lab.ask('steps').splitlines()[-1].split()[1]
        lab.ask('predict stride2 2')
        contains(lab.ask('run stride2 ' + last), '1 of 1 prediction right')
        check('right.' not in lab.ask('run stride2 ' + last), 'drawn again')


def off_lasts():
    """predict off lasts until predict on, in another session and another lab, too"""
    with Lab(3, questions=True) as lab:
        lab.ask('run stride8', QUESTION)
        contains(flat(lab.ask('off')), 'without questions, in later sessions, too; `predict on` turns questions on')
        check('not shown' not in lab.ask('set n=96'), 'stride8 uses no n')
        lab.reopen(1)
        contains(lab.ask('run in8'), 'verified')
        lab.ask('predict on')
        lab.reopen(3)
        lab.ask('run stride8', QUESTION)
        lab.ask('')


def compare_says_the_same_later():
    """compare evaluates the models of the lab and of `model`, whether the steps have run before, and for which GPUs"""
    with Lab(4, options=('--set', 'n=256', '--set', 'large=256')) as lab:
        first = lab.ask('compare camp512 diag512')
        contains(flat(first), 'On the GTX 280 (')
        check(lab.ask('compare camp512 diag512') == first, 'another answer to the same question')
        lab.ask('model GTX 480')
        said = lab.ask('compare camp512 diag512')
        contains(flat(said), 'On the GTX 280 (', 'On the GTX 480 (')
        contains(flat(lab.ask('why camp512')), 'GTX 480: ')
        contains(flat(lab.ask('why camp512 GTX 680')), '`model GTX 680` adds predictions for this GPU')


def terms():
    """?word and help word explain the terms of the glossary, in other forms of the word, too"""
    with Lab() as lab:
        contains(lab.ask('?warp'), 'Thirty-two threads', '?warp vote')
        contains(lab.ask('help bank'), 'One of the parallel parts of shared memory', '?bank conflict')
        contains(lab.ask('?bank conflict'), 'Two or more lanes access different words of one bank')
        for word, term in (('wavefronts', 'wavefront (shared wavefront)'), ('coalescing', 'coalesced access'), ('serialization', 'serialized'),
                           ('camping', 'partition camping (one partition at a time)'), ('cold', 'hot and cold'), ('row miss', 'DRAM page (page) (row miss)'),
                           ('issue slots', 'issue (issue slot)')):
            check(lab.ask('?' + word).startswith(term + '\n'), word)
        check(lab.ask('?cc').startswith('compute capability (cc)\n'), 'a term comes before fields of Lua')
        contains(flat(lab.ask('?roofline')), 'draw operations per byte', 'the slowest resource sets the time')
        contains(lab.ask('?wrap'), 'did you mean ?warp?')


def a_library_is_not_stepped():
    """`debug` of a step that calls a library says why it does not step, and a launch that is stepped stays"""
    with Lab(7, options=('--set', 'n=128')) as lab:
        lab.ask('debug sharedshared', until='debug> $')
        contains(flat(lab.ask('debug library', until='debug> $')), 'library calls a library: there is no kernel of the lab')


def each_name_is_explained():
    """? knows the limiters and stall reasons that the program prints, the words of its tables, and the steps of the open lab"""
    limits = re.findall(r'X\(\w+, "(.*?)"\)', text_of(ROOT + '/src/model/model.h'))
    reasons = re.findall(r'^  (\w+) = "', text_of(ROOT + '/lua/gpulab/show/stalls.lua'), re.M)
    check(len(limits) > 12 and len(reasons) > 12, (limits, reasons))
    columns = re.findall(r'header = \{ "([\w. ]+)"', text_of(ROOT + '/lua/gpulab/show/report.lua'))
    check('lecture' in columns and 'verified' in columns, columns)
    with Lab() as lab:
        for name in limits + reasons + columns + ['measured', 'predicted', 'relative error', 'DRAM pages, one partition at a time',
                                                  'L2 bandwidth (stores)', 'latency at 12 warps', 'speedup', 'cache line', 'busiest loads',
                                                  'warp instructions', 'shared load requests', 'idle warps']:
            said = lab.ask('?' + name)
            check('there is no help' not in said and said.strip(), (name, said))
        contains(flat(lab.ask('?stride8')), 'The step “s[tid * 8]” of this lab. `show stride8` shows its text')
        contains(flat(lab.ask('?tile')), 'The elements that a thread block works on', 'The step “tile 32×32” of this lab')
        contains(flat(lab.ask('help row-sums')), 'The exercise “', '??row-sums')
        contains(flat(lab.ask('?offset0')), 'there is no help for offset0')


def a_pasted_session():
    """pasted lines run one by one; a command ends the Lua before it; a statement over several lines is one"""
    with Lab() as lab:
        before = len(lab.terminal.seen)
        lab.terminal.send('\x1b[200~show tile\nx = 5\nfor i = 1, 2 do\n  print(i * x)\nend\nprint(\nset\n6 * 7\x1b[201~\r')
        lab.terminal.expect(r'\n42\n03> $')
        contains(flat(shown(lab.terminal.seen[before:])), 'Each warp now writes', '5 10', "near <eof>", ' n 64 ', '42')


def semicolons():
    """; ends a command"""
    with Lab() as lab:
        contains(lab.ask('show tile; 6 * 7'), '15/16', '\n42')
        contains(lab.ask('a = 1; show tile'), '15/16')
        contains(lab.ask('run stride2;'), ' yes')
        contains(lab.ask('set n=96; set'), '96')
        contains(lab.ask('b = 2; print(";", a + b)'), '3')


def another_lab():
    """labs lists them, lab opens another one, whose commands and copies are then the prompt's; clear clears, list lists"""
    with Lab() as lab:
        contains(lab.ask('labs'), '4  transpose')
        contains(lab.ask('list'), 'stride2')
        contains(lab.ask('lab nothing'), 'there is no lab')
        contains(lab.ask('lab transpos'), 'did you mean transpose?')
        lab.prompt = '04> $'
        contains(lab.ask('lab 4'), 'Lab 4')
        lab.ask('set n=64')
        contains(lab.ask('run padded'), ' yes')
        contains(lab.ask('steps'), 'diagonal')
        lab.env['EDITOR'] = 'true'
        lab.prompt = '03> $'
        lab.ask('lab 3')
        contains(lab.ask('run stride2'), 'stride')
        before = len(lab.terminal.seen)
        lab.ask('clear')
        contains(lab.terminal.seen[before:], '\x1b[2J')


def run_all():
    """run all runs every step"""
    with Lab(8, options=('--set', 'blocks=8', '--set', 'repeats=64')) as lab:
        contains(lab.ask('run all'), 'FP64 rate by compute capability', 'sinf(x + b)')


def help_while_stepping():
    """the commands of stepping come first, and gdb's x has a counterpart"""
    with Lab() as lab:
        lab.prompt = '03 debug> $'
        lab.ask('debug tile')
        said = lab.ask('help')
        check(said.index('While a launch is stepped') < said.index('Commands:'), said)
        contains(lab.ask('x/4 tile'), '`print tile`')
        contains(lab.ask('lab 4'), '`kill` ends stepping')


def pages():
    """a long text ends each page with a question: Enter goes on, q leaves, a command runs; nothing stops for a few lines"""
    def without_pager(lab):
        del lab.env['PAGER']
        return {}
    more = r'Enter: more, q: back to the prompt> $'
    with Lab(8, options=(), env=without_pager) as lab:
        lab.ask('steps', more)
        contains(lab.ask('', more + '|' + lab.prompt), '16')
        lab.ask('q')
        lab.ask('help', more)
        contains(lab.ask('6 * 7'), '42')
        lab.ask('help', more)
        lab.terminal.send(CTRL_C)
        lab.terminal.expect(lab.prompt)
        contains(lab.ask('?run'), 'run steps')
    with Lab(4, options=(), env=without_pager) as lab:
        contains(lab.ask('steps'), 'memcpy')  # 26 lines where 24 fit
        lab.ask('why', more)  # 33 lines
        lab.ask('q')
    with Lab(6, options=(), env=without_pager) as lab:
        said = lab.ask('next 3', more)
        contains(said, '3/7')
        check(len(said.splitlines()) <= 24, said)  # the heading is on the screen
        lab.ask('q')
        said = lab.ask('??tiled', more + '|' + lab.prompt)
        check(max(map(len, said.splitlines())) <= 80, said)


def what_why_shows():
    """why says how the parts make the time, and draws the banks or the sectors of the access"""
    with Lab(3, options=('--set', 'n=256', '--set', 'blocks=8')) as lab:
        said = lab.ask('why tile')
        contains(said, '\n  banks  #.......')
        contains(flat(said), 'By itself it takes', 'These overlap. An empty launch takes')
        contains(flat(lab.ask('run tile')), 'Known error of the models (RMS), by the busiest resource', 'latency or block launches')
    with Lab(7, options=('--model', 'A100')) as lab:
        contains(flat(lab.ask('run library-large')), 'No prediction for the A100: its model describes kernels, and none was counted.')
        contains(flat(lab.ask('generations library')), 'library calls a library, which no model describes')
        contains(flat(lab.ask('edit block-order')), 'no step or exercise "block-order"', 'its steps: sharedshared', 'its exercises: padding')
    with Lab(1, options=('--set', 'side=256')) as lab:
        contains(lab.ask('why block4x64'), '####....|####....|####....|####....')
        contains(lab.ask('why block32x8'), '  ######## ######## ######## ########\n')


def the_source_in_lines():
    """lines keeps the indentation of the source, and shows a line above its numbers where both do not fit"""
    with Lab(3) as lab:
        rows = lab.ask('lines tile').splitlines()
        place = next(i for i, row in enumerate(rows) if 'odata[x +' in row)
        check(rows[place].startswith('    72          odata[x') and rows[place + 1].split()[0].isdigit(), rows)
    with Lab(3, columns=140) as lab:
        row = next(row for row in lab.ask('lines tile').splitlines() if 'odata[x +' in row)
        check(row.startswith('    72 ') and row.endswith('        odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];'), row)


def what_runs():
    """what takes longer says what runs, for how long, and that Ctrl-C stops it; an endless loop is reported once, with its line"""
    with Lab(3, options=(*SMALL, '--limit', 'emulator_time=2')) as lab:
        lab.env['EDITOR'] = 'true'
        lab.reopen(3, (*SMALL, '--limit', 'emulator_time=2'))
        lab.ask('edit tile')
        path = lab.home + '/gpulab-work/03-bank-conflicts/transpose.cu'
        source, before = text_of(path), len(lab.terminal.seen)
        write(path, source.replace('i += ROWS', 'i += 0'))
        lab.terminal.expect(r'tile 32×32 \.\.\. Ctrl-C stops it 1 s')
        lab.terminal.expect('03> $')
        said = shown(lab.terminal.seen[before:])
        check(flat(said).count('Does a loop never end?') == 1, said)
        contains(said, 'timed out: at transpose.cu:', 'was at transpose.cu:', '~/gpulab-work/03-bank-conflicts/transpose.cu')
        check(lab.home not in said, said)


def messages_that_fit():
    """no message breaks a quotation or a word at 60, 80 and 160 columns"""
    for columns in (60, 80, 160):
        with Lab(3, columns=columns) as lab:
            for line in ('run nothing', 'set n=33', 'device H20000', 'predict copy 3', 'lab 99', 'edit tile padded', 'why tile tile', 'solution row-sums',
                         'gpu.buffer("flaot", 5)', 'gpu.buffer("float", -1)', 'diff tile nothing'):
                said = lab.ask(line)
                wide = [row for row in said.splitlines() if len(row) > columns]
                check(not wide, (columns, wide))
                for row in said.splitlines():
                    check(row.count('`') % 2 == 0, (columns, said))


def gauges():
    """a condition that is not met is a bar with a mark at its bound: characters, ASCII in a plain terminal, none in a narrow one"""
    for columns, env, bar in ((80, {'NO_COLOR': '', 'TERM': 'xterm-256color'}, '  █┃█████████'), (80, {'TERM': 'dumb'}, '  #|#########'),
                              (60, {}, '')):
        with Lab(3, columns=columns, options=('--set', 'n=512'), env=lambda lab, env=env: env) as lab:
            said = lab.ask('check row-sums')
            row = next(row for row in said.splitlines() if row.startswith(20 * ' ' + 'wavefronts '))
            contains(flat(said), '2 of 18 conditions not met: bank conflicts 63 488 at most 0 ')
            check(re.fullmatch(r' +wavefronts +[\d.]+×  at most [\d.]+×' + re.escape(bar), row), row)
            contains(flat(said), '1.0× is the value of the reference solution. `?')
            name = re.search(r'`\?([\w ]+)` explains that row', flat(said))[1]
            check('no help' not in lab.ask('?' + name), name)
            contains(lab.ask('?wavefronts'), 'wavefront')


def names_of_the_student():
    """messages about a copy name it by one path and buffers by the kernel's parameters, and fit 60 and 80 columns"""
    head = '// a copy\n__global__ void row_sums(float *to, const float *from)\n{\n'
    for columns in (60, 80):
        with Lab(3, columns=columns) as lab:
            folder = lab.home + '/gpulab-work/03-bank-conflicts'
            os.makedirs(folder)
            path = '~/gpulab-work/03-bank-conflicts/row_sums.cu:'
            for body, parts in (
                    ('a_name_nobody_knows_from_this_file = from[0] + from[1] + from[2] + from[3] + from[4];\n}\n',
                     (path + '4:', 'error: identifier "a_name_nobody_knows_from_this_file" is undefined')),
                    ('to[0] = from[1 << 20];\n}\n', (path + '4', 'past the end of from (', 'element from[1048576] (float)')),
                    ('to[0] = 1;\n}\n', ('elements of `to` differ',))):
                write(folder + '/row_sums.cu', head + body)
                said = lab.ask('check row-sums')
                contains(flat(said), *parts)
                check(lab.home not in said and "lab's buffer" not in said and all(len(row) <= columns for row in said.splitlines()), said)


VOTE = '''// a vote that one lane of a warp executes
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = __popc(__ballot_sync(0xffffffff, data[i] > 0));
}
'''


def what_is_wrong_and_what_helps():
    """a wrong step and a wrong exercise get their likely cause; after a pass the solution needs no --anyway"""
    with Lab(3, options=('--set', 'n=128')) as lab:
        folder = lab.home + '/gpulab-work/03-bank-conflicts'
        os.makedirs(folder)
        source = text_of(ROOT + '/kernels/transpose.cu')
        tile = source.index('void transpose_tile(')
        write(folder + '/transpose.cu', source[:tile] + source[tile:].replace('__syncthreads();', '', 1))
        contains(flat(lab.ask('run tile')), 'wrong result', 'Likely cause: ', ' at transpose.cu:')
        contains(flat(lab.ask('why tile')), 'Its result is wrong, from your copy of the kernel')
        write(folder + '/row_sums.cu', text_of(ROOT + '/kernels/solutions/03-row-sums/row_sums.cu'))
        contains(lab.ask('check row-sums'), 'Passed.')
        hints = flat(''.join(lab.ask('hint row-sums') for _ in range(4)))
        contains(hints, 'These were all hints. `solution row-sums` shows the solution.')
    with Lab(1, options=FEW) as lab:
        contains(flat(lab.ask('run inner-loop')), 'race, as intended', 'C[0] (global memory)')
        os.makedirs(lab.home + '/gpulab-work/01-simt')
        write(lab.home + '/gpulab-work/01-simt/count.cu', VOTE)
        contains(flat(lab.ask('check count')), "Likely cause: barrier error at count.cu:6: This instruction's mask names 32 lanes",
                 'move it out of the condition')


TESTS = [rows_of_a_group_stay, bars, compare_says_the_same_later, an_answer_to_a_skipped_question,
         a_look_at_a_question, a_measured_order_is_of_these_parameters, no_negative_prediction, a_late_prediction, late_in_a_later_session, looking_does_not_move, drawn_once, off_lasts, terms,
         a_pasted_session, semicolons, another_lab, run_all, help_while_stepping, each_name_is_explained, a_library_is_not_stepped, pages, what_why_shows,
         the_source_in_lines, what_runs, messages_that_fit, gauges, names_of_the_student,
         what_is_wrong_and_what_helps]

if __name__ == '__main__':
    sys.exit(run_tests(TESTS))
