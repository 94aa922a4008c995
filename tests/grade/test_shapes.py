"""gpulab grade: how submissions come. Archives and folders of every shape, loose files, one student or a class, and what each
was taken for. usage: test_shapes.py GPULAB SOURCE_ROOT"""
import ctypes.util
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import unicodedata
import zipfile

from grading import ENV, FOLDER, GPULAB, SOLUTION, STARTER, TURN, at, grade, holds, outcomes, same, submit
from terminal import check, run_tests, write

OK, MISSING = {'03-row-sums': 'ok'}, {'03-row-sums': 'missing'}
NAME = 'Šťastný Ďáblík'
APART = unicodedata.normalize('NFD', NAME)


def scheme():
    write(at('one.csv'), 'lab,exercise,points\n3,row-sums,2\n')
    write(at('two.csv'), 'lab,exercise,points\n3,row-sums,2\n3,swizzle,2\n')


def tar(path, files):
    os.makedirs(os.path.dirname(at(path)), exist_ok=True)
    with tarfile.open(at(path), 'w:gz') as t:
        for name, text in files:
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            t.addfile(info, io.BytesIO(text.encode()))


def pack(path, files):
    os.makedirs(os.path.dirname(at(path)), exist_ok=True)
    with zipfile.ZipFile(at(path), 'w') as z:
        for name, text in files:
            z.writestr(zipfile.ZipInfo(name), text)


def forms(out):
    with open(at(out, 'grades.json'), encoding='utf-8') as f:
        return {s['name']: s['form'] for s in json.load(f)['submissions']}


# Ways to write the same path.
SHAPES = {'plain': '%s', 'dot': './%s', 'top': 'top/%s', 'deep': './home/course/top/%s', 'doubled': './/top//./%s'}
LITTER = ['__MACOSX/%s/._row_sums.cu', '%s/.DS_Store', '%s/Thumbs.db', '%s/desktop.ini', '%s/.git/objects/x.cu', '%s/row_sums.cu~']


def shapes():
    """Tar and zip files with "./", with folders around, with backslashes, with litter: of one student and of a class"""
    scheme()
    student, class_ = [], {}
    for shape, path in SHAPES.items():
        files = [(path % (name % 'ann'), 'x') for name in LITTER] + [(path % 'ann/row_sums.cu', SOLUTION)]
        files += [(path % (APART + '/ROW_SUMS.CU'), SOLUTION), (path % 'bob/report.pdf', 'x')]
        for kind, make in ('.tar.gz', tar), ('.zip', pack):
            for windows in False, True:
                name = shape + ('-windows' if windows else '') + ('-tar' if make is tar else '')
                turned = [(entry.replace('/', '\\') if windows else entry, text) for entry, text in files]
                make('students/' + name + kind, [(e, t) for e, t in turned if 'ROW_SUMS' not in e and 'bob' not in e])
                make('classes/' + name + kind, turned)
                student.append(name)
                class_[name] = at('classes', name + kind)
    out = grade('students', '--scheme', 'one.csv', '--out', 'students-out')
    same(outcomes('students-out'), {name: OK for name in student})
    check('was refused' not in out and 'no exercise' not in out, out)
    for name, path in class_.items():
        out = grade(path, '--scheme', 'one.csv', '--out', 'class-out')
        same((name, outcomes('class-out')), (name, {'ann': OK, 'bob': MISSING, NAME: OK}))
        holds(out, ': 3 submissions\n  ann: folder\n  bob: folder\n  %s: folder\n' % NAME, 'it has no .cu file')
        check('was refused' not in out, out)
    out = grade('students/dot.zip', '--scheme', 'one.csv', '--out', 'alone')
    same(outcomes('alone'), {'ann': OK})
    tar('home.tar.gz', [('./row_sums.cu', SOLUTION)])
    grade('home.tar.gz', '--scheme', 'one.csv', '--out', 'alone')
    same((outcomes('alone'), forms('alone')), ({'home': OK}, {'home': 'archive'}))


def outside():
    """Entries that lead out of an archive are refused one by one and shown, also those that are no student's"""
    scheme()
    out = ['/tmp/row_sums.cu', '../../row_sums.cu', 'C:\\row_sums.cu', '..\\row_sums.cu']
    files = [('wrap/ann/row_sums.cu', SOLUTION), ('wrap/bob/../../row_sums.cu', SOLUTION), ('wrap/bob/x.pdf', '')]
    for path, make in ('out.tar.gz', tar), ('out.zip', pack):
        make(path, [(name, SOLUTION) for name in out] + files)
        said = grade(path, '--scheme', 'one.csv', '--out', 'outside')
        same(outcomes('outside'), {'ann': OK, 'bob': {'03-row-sums': 'refused'}})
        for name in out:
            holds(said, name.replace('\\', '/') + ' was refused: its path leads out of the archive')
    pack('students-out.zip', [(name, SOLUTION) for name in out])
    said = grade('students-out.zip', '--scheme', 'one.csv', '--out', 'outside', '--name', 'eve')
    same(outcomes('outside'), {'eve': {'03-row-sums': 'refused'}})
    holds(grade('students-out.zip', '--scheme', 'one.csv', '--out', 'outside', code=5), 'there is no submission in')
    pack('many.zip', [('../%d.cu' % i, '') for i in range(12)] + [('ann/row_sums.cu', SOLUTION), ('bob/x', '')])
    holds(grade('many.zip', '--scheme', 'one.csv', '--out', 'outside'), '  and 2 more\n')


def loose():
    """Loose files next to folders and archives, as Moodle and Canvas deliver them: each is its student's"""
    scheme()
    moodle = '_assignsubmission_file_'
    for place in 'mixed', 'mixed.zip':
        files = [('ann/row_sums.cu', SOLUTION), ('bob/row_sums.cu', SOLUTION),
                 ('Cid Dee_1234' + moodle + 'row_sums.cu', SOLUTION), (APART + '_7' + moodle + 'row_sums.CU', SOLUTION),
                 ('Eve_9' + moodle + 'row_sums.cu', SOLUTION), ('Eve_9' + moodle + 'swizzle.cu', TURN),
                 ('leeann_123_4567_row_sums-1.cu', SOLUTION), ('raybob_LATE_124_4568_swizzle.cu', TURN),
                 ('fay-row_sums.cu', SOLUTION), ('gus.cu', SOLUTION), ('readme.txt', 'x')]
        if place == 'mixed':
            for name, text in files:
                submit(place, name, text=text)
            pack('mixed/Kim_5' + moodle + 'lab.zip', [('lab/row_sums.cu', SOLUTION), ('lab/swizzle.cu', TURN)])
            os.symlink('/etc', at('mixed/link'))
            write(at('mixed/broken.zip'), 'x')
        else:
            pack(place, files)
        out = grade(place, '--scheme', 'two.csv', '--out', 'mixed-out')
        seen, kinds = outcomes('mixed-out'), forms('mixed-out')
        if place == 'mixed':
            same([seen.pop(name)['03-swizzle'] for name in ('link', 'broken', 'Kim_5_assignsubmission_file')], ['missing', 'missing', 'ok'])
            same([kinds.pop(name) for name in ('link', 'broken', 'Kim_5_assignsubmission_file')], ['link', 'archive', 'archive'])
            holds(out, 'link was refused: it is a link', 'broken.zip was refused: it cannot be read as an archive')
        both = {name: (v['03-row-sums'], v['03-swizzle'], kinds[name]) for name, v in seen.items()}
        same(both, {'ann': ('ok', 'missing', 'folder'), 'bob': ('ok', 'missing', 'folder'), 'gus': ('missing', 'missing', 'loose file'),
                    'Cid Dee_1234_assignsubmission_file': ('ok', 'missing', 'loose file'), 'fay': ('ok', 'missing', 'loose file'),
                    NAME + '_7_assignsubmission_file': ('ok', 'missing', 'loose file'),
                    'Eve_9_assignsubmission_file': ('ok', 'ok', 'loose file'), 'leeann_123_4567': ('ok', 'missing', 'loose file'),
                    'raybob_LATE_124_4568': ('missing', 'ok', 'loose file')})
        holds(out, '  Cid Dee_1234_assignsubmission_file: loose file\n', 'gus.cu is for no exercise that is graded')
    write(at('mixed.csv'), 'ID number,Grade\n1234,\n5,\n')
    grade('mixed', '--scheme', 'two.csv', '--out', 'mixed-out', '--roster', 'mixed.csv', '--id', 'ID number', '--column', 'Grade')
    with open(at('mixed-out/mixed.csv'), encoding='utf-8') as f:
        same(f.read(), 'ID number,Grade\n1234,2\n5,4\n')


def many():
    """A class of loose files is never one submission, whatever they are called; one student's files are"""
    scheme()
    cases = ([['%s_%d_assignsubmission_file_x.cu' % (n, i) for i, n in enumerate('abc')], 3], [['a.cu', 'b.cu', 'c.cu'], 3],
             [['a_row_sums.cu', 'b_row_sums.cu'], 2], [['row_sums.cu', 'a/row_sums.cu', 'b/row_sums.cu'], 3],
             [['row_sums.cu', 'a/x.cu', 'b/y.cu'], 3], [['row_sums.cu', 'Ann_1_assignsubmission_file/x.cu'], 2],
             [['row_sums.cu', 'notes.cu'], 1], [['row_sums.cu', 'old/notes.cu'], 1], [['03-row-sums/x.cu', 'old/notes.cu'], 1],
             [['03-BANK-CONFLICTS/row_sums.cu'], 1], [['mine.cu'], 1], [['Ann_1_assignsubmission_file_x.cu'], 1])
    for i, (names, n) in enumerate(cases):
        shutil.rmtree(at('many'), ignore_errors=True)
        for name in names:
            submit('many', name, text='x')
        out = grade('many', '--scheme', 'one.csv', '--out', 'many-out', '--jobs', '4')
        holds(out, 'many: %d submission%s\n' % (n, '' if n == 1 else 's'))
        if n == 1:
            check(MISSING not in outcomes('many-out').values(), '%d: %s' % (i, out))


def pairs():
    """The only file counts for the only exercise; a name of exercises in two labs needs a folder; names in two forms are one"""
    scheme()
    submit('only/ann/my kernel.cu')
    submit('only/bob/my kernel.cu')
    submit('only/bob/helper.cu')
    submit('only/%s_1_assignsubmission_file/swizzle.cu' % NAME, text=TURN)
    submit('only/%s_1_assignsubmission_file_row_sums.cu' % APART)
    out = grade('only', '--scheme', 'one.csv', '--out', 'only-out')
    same(outcomes('only-out'), {'ann': OK, 'bob': MISSING, NAME + '_1_assignsubmission_file': OK})
    holds(out, 'helper.cu is for no exercise that is graded')
    write(at('only.csv'), 'name,grade\n%s,\n' % APART)
    grade('only', '--scheme', 'one.csv', '--out', 'only-out', '--roster', 'only.csv', '--id', 'name', '--column', 'grade')
    with open(at('only-out/only.csv'), encoding='utf-8') as f:
        same(f.read(), 'name,grade\n%s,2\n' % APART)


def notebooks():
    """A notebook is an archive of its cells: the last one for an exercise counts, and its lab is what it opens"""
    scheme()

    def notebook(*sources, **metadata):
        cells = [{'cell_type': 'code', 'source': source.splitlines(True)} for source in sources]
        return json.dumps({'cells': cells + [{'cell_type': 'markdown', 'source': '%%gpulab check swizzle\nx'}], 'metadata': metadata})

    check_row = '%%gpulab check row-sums\n'
    submit('nb/ann/work.ipynb', text=notebook('%load_ext gpulab', '%gpulab --device emu 3', check_row + 'no kernel', check_row + SOLUTION))
    submit('nb/bob.ipynb', text=notebook(check_row + SOLUTION, gpulab={'lab': 3}))
    submit('nb/cid.ipynb', text=notebook('%gpulab 4', check_row + SOLUTION))
    submit('nb/dan.ipynb', text='{"cells": 1}')
    pack('nb/eva.zip', [('eva/work.ipynb', notebook('%gpulab 3', '\n%%gpulab check 03-row-sums\n' + SOLUTION))])
    out = grade('nb', '--scheme', 'two.csv', '--out', 'nb-out')
    of = {'ann': 'ok', 'bob': 'ok', 'cid': 'missing', 'dan': 'missing', 'eva': 'ok'}
    same(outcomes('nb-out'), {name: {'03-row-sums': row, '03-swizzle': 'missing'} for name, row in of.items()})
    holds(out, '04-row-sums.cu is for no exercise', 'dan.ipynb was refused: it is no notebook')


def prompt():
    """--prompt: each submission is a record, which every view takes; its verdict is not checked again"""
    scheme()
    submit('asked/ann/03-row-sums/row_sums.cu')
    submit('asked/ann/03-swizzle/swizzle.cu', text=TURN)
    submit('asked/bob/row_sums.cu', text=STARTER)
    submit('asked/cid/row_sums.cu', text='no kernel\n')
    grade('asked', '--scheme', 'two.csv', '--out', 'asked-out')
    lines = ['launches', 'why ann/03-swizzle', 'lines 1', 'counters bob', 'resources 3', 'roofline 1', 'generations 2', 'schedules 3',
             'disassemble 1', 'compare 1 3', 'debug bob', 'finish', 'why 4', 'lines dave']
    done = subprocess.run([GPULAB, 'grade', 'asked', '--scheme', 'two.csv', '--out', 'asked-out', '--prompt'], input='\n'.join(lines),
                          capture_output=True, text=True, cwd=FOLDER.name, env=ENV)
    holds(done.stdout, '#3  bob/03-row-sums', 'not accepted', 'ann/03-swizzle (#2), counted by the rules', 'swizzle.cu:',
          'row_sums.cu:', 'shared_load_wavefronts', '32 per request', 'registers', 'Roofline', 'ann/03-swizzle on every GPU',
          'so nothing was counted')
    holds(done.stderr, 'there is no launch of "dave"')
    check(not os.path.exists(at('asked-out/.state/prompt')), 'the files are still there')


if not ctypes.util.find_library('archive'):
    print('1..0 # SKIP libarchive is not installed')
    sys.exit(0)
run_tests([shapes, outside, loose, many, pairs, notebooks, prompt])
