"""A lesson as it stays on the screen: rows of earlier steps, bars, predictions. usage: test_lesson.py GPULAB SOURCE_ROOT"""
import re
import sys

from lab import Lab, contains
from terminal import check, run_tests

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
        contains(flat(lab.ask('predict stride2 3')), 'was already shown')
        contains(flat(lab.ask('predict')), '1 of 1 prediction right', 'stride8')


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
        lab.ask('predict off')
        lab.reopen(1)
        contains(lab.ask('run in8'), 'verified')
        lab.ask('predict on')
        lab.reopen(3)
        lab.ask('run stride8', QUESTION)
        lab.ask('')


TESTS = [rows_of_a_group_stay, bars, an_answer_to_a_skipped_question, a_late_prediction, drawn_once, off_lasts]

if __name__ == '__main__':
    sys.exit(run_tests(TESTS))
