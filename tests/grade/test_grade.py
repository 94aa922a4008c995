"""gpulab grade: a class of submissions in every shape, killed and resumed, in every format.
usage: test_grade.py GPULAB SOURCE_ROOT"""
import csv
import ctypes.util
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import time
import zipfile

import classroom
from grading import (ENV, FOLDER, GPULAB, ROOT, SOLUTION, STARTER, TURN, RESULTS, at, grade, holds, outcomes, results, same, scheme, start,
                     submit)
import own_lab
import published
from terminal import Terminal, check, run_tests, text_of, write


def layouts():
    """folders, archives in a folder, one archive of all, archives in that: the same marks"""
    scheme()
    submit('folders/ann/03-row-sums/row_sums.cu')
    submit('folders/ann/03-swizzle/swizzle.cu', text=TURN)
    submit('folders/bob/deep/row_sums.cu', text=STARTER)
    os.makedirs(at('archives'))
    for name in 'ann', 'bob':
        with tarfile.open(at('archives', name + '.tar.gz'), 'w:gz') as t:
            t.add(at('folders', name), arcname=name)
    shutil.make_archive(at('all'), 'zip', at(), 'folders')
    shutil.make_archive(at('nested'), 'zip', at(), 'archives')
    want = {'ann': {'03-row-sums': 'ok', '03-swizzle': 'ok'}, 'bob': {'03-row-sums': 'gate', '03-swizzle': 'missing'}}
    pages = []
    for i, (path, file) in enumerate((('folders', 'scheme.csv'), ('archives', 'scheme.lua'), ('all.zip', 'scheme.csv'),
                                      ('nested.zip', 'scheme.csv'))):
        grade(path, '--scheme', file, '--out', 'layout%d' % i)
        same(outcomes('layout%d' % i), want)
        pages.append(text_of(at('layout%d' % i, 'grades.csv')))
    same(len(set(pages)), 1)
    holds(pages[0], 'ann,3.5,3.5,', 'bob,0,3.5,', ',passed,passed\n', ',not accepted,missing\n')
    out = grade('folders/ann', '--lab', '3', '--out', 'alone')
    same(list(outcomes('alone')), ['ann'])
    holds(out, '2 of 4 exercises, 2 of 4 points')


def hostile():
    """links, paths out of the archive, bombs, special files: refused by name; nobody else loses a point"""
    scheme()
    submit('class/ann/03-row-sums/row_sums.cu')
    os.makedirs(at('class/eve'))
    os.symlink('/etc/passwd', at('class/eve/row_sums.cu'))
    os.mkfifo(at('class/eve/swizzle.cu'))
    classroom.bomb(at('class/bomb.zip'), 'zeros%02d', bytes(100 << 20), 11)
    with zipfile.ZipFile(at('class/mallory.zip'), 'w') as z:
        z.writestr('../../03-swizzle/swizzle.cu', TURN)
        z.writestr('/tmp/row_sums.cu', SOLUTION)
        link = zipfile.ZipInfo('03-row-sums/row_sums.cu')
        link.external_attr = 0o120777 << 16
        z.writestr(link, '/etc/passwd')
        z.writestr('lab.lua', 'os.exit(0)')
    write(at('class/not.zip'), 'no archive')
    submit('class/trudy/03-row-sums/row_sums.cu', text='#include "/etc/passwd"\n' + SOLUTION)
    submit('class/trudy/03-swizzle/swizzle.cu', text=classroom.hostile('print', TURN))
    submit('class/walter/03-row-sums/row_sums.cu', text=classroom.hostile('loop', SOLUTION))
    submit('class/walter/03-swizzle/swizzle.cu', text='x' * 300000)
    submit('class/zoe/03-swizzle/swizzle.cu', text='\0' + TURN)
    out = grade('class', '--scheme', 'scheme.csv', '--out', 'hostile')
    seen = outcomes('hostile')
    same(sorted(seen), ['ann', 'bomb', 'eve', 'mallory', 'not', 'trudy', 'walter', 'zoe'])
    same(seen['ann']['03-row-sums'], 'ok')
    same(seen['eve'], {'03-row-sums': 'refused', '03-swizzle': 'refused'})
    same(seen['mallory'], {'03-row-sums': 'refused', '03-swizzle': 'refused'})
    same(seen['trudy'], {'03-row-sums': 'compile', '03-swizzle': 'timeout'})
    same(seen['zoe']['03-swizzle'], 'refused')
    same(seen['walter'], {'03-row-sums': 'timeout', '03-swizzle': 'refused'})
    holds(out, 'bomb.zip was refused: it unpacks to more than 1 GB', 'not.zip was refused: it cannot be read as an archive',
          '/tmp/row_sums.cu was refused: its path leads out of the archive')
    everything = ''.join(results('hostile').values())
    check('root:' not in everything and '\x1b' not in everything, 'a file or an escape sequence got out')


def names():
    """dots in names, an archive next to a folder of the same name, long names, submissions without a kernel, too many files"""
    scheme()
    for i, name in enumerate(('j.doe.zip', 'j.smith.zip', 'kim.zip', 'lee.zip', 'long.zip', 'none.zip')):
        os.makedirs(at('names'), exist_ok=True)
        with zipfile.ZipFile(at('names', name), 'w') as z:
            kernel = {'long.zip': '03-swizzle/' + 'a' * 300 + '.cu', 'none.zip': 'swizzle.cpp'}.get(name, 'swizzle.cu')
            z.writestr(kernel, TURN if i != 0 else STARTER)
    submit('lee/row_sums.cu')
    shutil.make_archive(at('names/lee'), 'gztar', at('lee'))
    submit('names/kim/row_sums.cu')
    submit('names/control/03-swizzle/' + '\x07' * 80 + '.cu', text=TURN)
    submit('names/readme/readme.md', text='')
    for i in range(2001):
        submit('names/many/%d.cu' % i, text='')
    out = grade('names', '--scheme', 'scheme.csv', '--out', 'names/grades')
    turn = {name: v['03-swizzle'] for name, v in outcomes('names/grades').items()}
    same(turn, {'j.doe': 'compile', 'j.smith': 'ok', 'kim': 'missing', 'kim.zip': 'ok', 'lee.tar.gz': 'missing', 'lee.zip': 'ok',
                'long': 'ok', 'none': 'missing', 'control': 'ok', 'readme': 'missing', 'many': 'missing'})
    holds(out, 'it has no .cu file', 'everything was refused: it has more than 2000 files')
    grade('names', '--scheme', 'scheme.csv', '--out', 'names/grades')  # its results are no submission
    same({name: v['03-swizzle'] for name, v in outcomes('names/grades').items()}, turn)


def term():
    """the guide's term with a lab of one's own that has an exercise and no step: verify, solve, hand in, grade, export"""
    own_lab.write_lab(at('course'), 30, 'scale', 'return { n = 2 }\n')
    env = {**ENV, 'TERM': 'xterm', 'EDITOR': 'cp ' + at('course/solutions/30-scale/scale.cu')}
    for words, code in (('--verify-labs', 'course/30-course.lua'), 0), (('check', 'course/30-course.lua', 'scale'), 7), (
            ('--batch', 'course/30-course.lua'), 0):
        done = subprocess.run([GPULAB, *words], cwd=FOLDER.name, env=env, capture_output=True, text=True, check=False)
        same((done.returncode, 'traceback' in done.stderr or 'in function' in done.stderr), (code, False))
    prompt = Terminal([GPULAB, '-q', '-i', 'course/30-course.lua'], env, cwd=FOLDER.name)
    for line, answer in (('next', 'has no steps'), ('prev', 'has no steps'), ('why', 'Limiter on the'), ('note mine', 'Saved your note on scale'),
                         ('edit', 'Passed'), ('handin', 'holds 1 kernel')):
        prompt.expect(r'30> |back to the prompt> ')  # a command that is typed between pages runs
        prompt.line(line)
        prompt.expect(answer)
    prompt.line('quit')
    prompt.close()
    os.makedirs(at('term'))
    shutil.copy(at('gpulab/30-course/30-course.zip'), at('term/ann.zip'))
    submit('term/bob/scale.cu', text=own_lab.SLOW)
    write(at('term.csv'), 'lab,exercise,points\ncourse/30-course.lua,scale,2\n')
    write(at('export.csv'), 'student_id,score,comments\nann,,\nbob,,\ncem,,\n')
    grade('term', '--scheme', 'term.csv', '--out', 'term-out', '--roster', 'export.csv', '--id', 'student_id', '--column', 'score')
    same(outcomes('term-out'), {'ann': {'30-scale': 'ok'}, 'bob': {'30-scale': 'gate'}})
    same(text_of(at('term-out/export.csv')), 'student_id,score,comments\nann,2,\nbob,0,\ncem,,\n')


def waits():
    """a kernel that waits for an mbarrier forever is told so"""
    scheme()
    wait = TURN[:TURN.rindex('}')] + '''
	__shared__ unsigned long long bar;
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar), done = 0;
	if (threadIdx.x + threadIdx.y == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 257;" :: "r"(at));
	__syncthreads();
	asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at) : "memory");
	while (!done)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
			: "=r"(done) : "r"(at) : "memory");
}
'''
    submit('waits/ann/03-swizzle/swizzle.cu', text=wait)
    grade('waits', '--scheme', 'scheme.csv', '--out', 'waits-out')
    said = ' '.join(json.loads(text_of(at('waits-out/grades.json')))['submissions'][0]['verdicts'][1]['message'].split())
    holds(said, 'Threads wait at an mbarrier whose phase never ends: 1 of 257 arrivals are missing.')


def resumes():
    """kill -9 at several moments: a later run writes the same bytes, as does one of a single process; nothing is left behind"""
    classroom.main(at('many'), 4, ROOT)
    grade('many', '--scheme', 'many.csv', '--out', 'whole', '--jobs', '1')
    want = results('whole')
    for delay in 0.3, 0.7, 1.1:
        process = start('many', '--scheme', 'many.csv', '--out', 'killed')
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    grade('many', '--scheme', 'many.csv', '--out', 'killed', '--jobs', '3')
    same(results('killed'), want)
    same(sorted(os.listdir(at('killed'))), sorted(['.state', *RESULTS]))
    check(not os.path.exists(at('killed/.state/work')), 'the working files are still there')
    before = os.stat(at('killed/.state')).st_mtime_ns
    grade('many', '--scheme', 'many.csv', '--out', 'killed')  # nothing is checked again
    same(results('killed'), want)
    same(os.stat(at('killed/.state')).st_mtime_ns, before)


def changes():
    """a finished run is taken up again only if nothing a verdict depends on has changed: limits, the lab, its modules, its folders"""
    own_lab.write_lab(at('own'), 30, 'scale', module='return 0.5')
    submit('own/solutions/30-scale/scale.cu', text='#include "x.h"\n' + own_lab.SCALE.replace('2 *', 'FACTOR *'))
    submit('own/solutions/30-scale/x.h', text='#define FACTOR 2\n')
    submit('own-class/ann/scale.cu', text=own_lab.SCALE)
    write(at('own.csv'), 'lab,exercise,points\nown/30-course.lua,scale,2\n')
    words = 'own-class', '--scheme', 'own.csv', '--out', 'own-out'

    def again(*limits, points='2'):
        """Whether another run checks again."""
        state = at('own-out/.state')
        before = os.stat(state).st_mtime_ns if os.path.exists(state) else 0
        done = subprocess.run([GPULAB, *limits, 'grade', *words], cwd=FOLDER.name, env=ENV, capture_output=True, text=True, check=False)
        check(done.returncode == 0, done.stderr)
        same(outcomes('own-out'), {'ann': {'30-scale': 'ok'}})
        holds(text_of(at('own-out/grades.csv')), 'ann,%s,%s,' % (points, points))
        return os.stat(state).st_mtime_ns != before

    same((again(), again()), (True, False))
    lab = text_of(at('own/30-course.lua'))
    for file, text in ('half.lua', 'return 1/2'), ('solutions/30-scale/x.h', '#define FACTOR (2)\n'), ('30-course.lua', '-- x\n' + lab), (
            'exercises/30-scale/scale.cu', '// Task: nothing.\n' + own_lab.SCALE.replace('[i]', '[n - 1 - i]')):
        submit('own', file, text=text)
        same((file, again(), again()), (file, True, False))
    same((again('--limit', 'compile_time=40'), again('--limit', 'compile_time=40'), again()), (True, False, True))
    write(at('own.csv'), 'lab,exercise,points\nown/30-course.lua,scale,3\n')
    same(again(points='3'), False)  # points are given afterwards


def full():
    """no room for results: a message and exit code 5; those of the run before stay as they were, and a later run goes on"""
    scheme()
    submit('room/ann/03-row-sums/row_sums.cu')
    grade('room', '--scheme', 'scheme.csv', '--out', 'room-out')
    before = results('room-out')
    submit('room/bob/03-row-sums/row_sums.cu', text=STARTER)
    words = [GPULAB, 'grade', 'room', '--scheme', 'scheme.csv', '--out', 'room-out']
    for bytes_ in 1, 12000:  # not a verdict; not the page
        limited = subprocess.run(words, cwd=FOLDER.name, env=ENV, capture_output=True, text=True, check=False,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_)))
        same((bytes_, limited.returncode), (bytes_, 5))
        holds(limited.stderr, 'cannot write', 'File too large')
        same(results('room-out'), before)
        same(sorted(os.listdir(at('room-out'))), sorted(['.state', *RESULTS]))
    grade('room', '--scheme', 'scheme.csv', '--out', 'room-out')
    same(outcomes('room-out')['bob']['03-row-sums'], 'gate')
    with open('/dev/full', 'w', encoding='utf-8') as nowhere:
        done = subprocess.run(words, cwd=FOLDER.name, env=ENV, stdout=nowhere, stderr=subprocess.PIPE, text=True, check=False)
    same(done.returncode, 5)
    holds(done.stderr, 'standard output cannot be written')
    os.makedirs(at('small'))
    mount = 'mount -t tmpfs -o size=%dk tmpfs small && "$@"; code=$?; ls -A small small/.state; exit $code'
    may = ['unshare', '-Urm', 'sh', '-c']
    if subprocess.run([*may, 'mount -t tmpfs tmpfs small'], cwd=FOLDER.name, capture_output=True, check=False).returncode != 0:
        return
    for size in 4, 16, 32:
        done = subprocess.run([*may, mount % size, 'sh', *words[:-1], 'small'], cwd=FOLDER.name, env=ENV, capture_output=True, text=True,
                              check=False)
        same((size, done.returncode), (size, 5))
        holds(done.stderr, 'cannot write', 'No space left on device')
        check('grades' not in done.stdout.replace('grades.html and', ''), done.stdout)  # all or none


def alone():
    """a verdict names the same addresses whether or not another exercise was checked before"""
    scheme()
    submit('pair/ann/03-row-sums/row_sums.cu')
    for folder in 'pair', 'single':
        submit(folder + '/ann/03-swizzle/swizzle.cu', text=classroom.in_body(TURN, 'odata[1 << 26] = 1;'))
        grade(folder, '--scheme', 'scheme.csv', '--out', folder + '-out')
    said = []
    for folder in 'pair', 'single':
        with open(at(folder + '-out/grades.json'), encoding='utf-8') as f:
            said.append([v['message'] for v in json.load(f)['submissions'][0]['verdicts'] if v['id'] == '03-swizzle'])
    holds(said[0][0], 'out of bounds', 'at 0x')
    same(said[0], said[1])


def clocks():
    """what a kernel computes from clocks and addresses is the same each time"""
    scheme()
    reads = 'if (blockIdx.x == 0 && threadIdx.x == 0) { unsigned long long t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));' \
        ' printf("%llu %lld %p\\n", t, clock64(), odata); odata[0] = (float)(t % 1000 + clock64() % 1000); }'
    submit('clock/ann/03-swizzle/swizzle.cu', text=classroom.in_body(TURN, reads))
    for out in 'first', 'second':
        grade('clock', '--scheme', 'scheme.csv', '--out', out + '-clock')
    first = text_of(at('first-clock/grades.json'))
    same(first, text_of(at('second-clock/grades.json')))
    check(re.search(r'"printed": "\d+ \d+ 0x', first), first[:3000])


def documents():
    """the table, JUnit and the page say the same; equal kernels are next to each other, and the solution is noticed"""
    scheme()
    submit('docs/ann/row_sums.cu')
    submit('docs/bob/row_sums.cu', text='// mine\n' + SOLUTION.replace('\t', '  '))
    submit('docs/cem/row_sums.cu', text=STARTER)
    submit('docs/d<b>/row_sums.cu', text=SOLUTION.replace('float sum = 0;', 'float sum = 0; // </pre><script>alert(1)</script>'))
    submit('docs/=1+1/row_sums.cu', text=STARTER)
    grade('docs', '--scheme', 'scheme.csv', '--out', 'documents')
    rows = list(csv.DictReader(io.StringIO(text_of(at('documents/grades.csv')))))
    same([(r['student_id'], r['score'], r['03-row-sums']) for r in rows],
         [("'=1+1", '0', 'not accepted'), ('ann', '2', 'passed'), ('bob', '2', 'passed'), ('cem', '0', 'not accepted'), ('d<b>', '2', 'passed')])
    suites = published.junit(text_of(at('documents/grades.xml')))
    same((suites.get('tests'), suites.get('failures'), suites.get('errors')), ('10', '7', '0'))
    same([s.get('name') for s in suites], ['=1+1', 'ann', 'bob', 'cem', 'd<b>'])
    page = text_of(at('documents/grades.html'))
    holds(page, '03-row-sums: ann, bob and d&lt;b&gt; (the same tokens as the reference solution)', '3 of 5', 'not accepted (2)',
          'shared memory wavefronts (2)', '&lt;/pre&gt;&lt;script&gt;')
    same(page.count('<script>'), 1)
    for link in re.findall(r'href="#([^"]+)"', page):
        check('id="%s"' % link in page, 'a link to nothing: ' + link)


def autograders():
    """results.json is there before the first check and after each; result.json has the fields of Classroom 50, with whole scores"""
    scheme()
    submit('ann/03-row-sums/row_sums.cu')
    submit('ann/03-swizzle/swizzle.cu', text=STARTER.replace('row_sums', 'transpose'))
    process = start('ann', '--scheme', 'scheme.csv', '--out', 'auto', '--gradescope', 'results.json', '--classroom', 'result.json',
                    '--about', 'classroom=gpu', '--about', 'usernames=ann,bob', '--about', 'datetime=2026-11-22T10:00:00Z')
    seen = []
    while process.poll() is None:
        if os.path.exists(at('results.json')):
            text = text_of(at('results.json'))
            if text not in seen:
                seen.append(text)
        time.sleep(0.005)
    process.communicate()
    same(process.returncode, 0)
    documents = [published.gradescope(text) for text in [*seen, text_of(at('results.json'))]]  # whole at every moment
    check('has not been checked' in documents[0]['tests'][1]['output'], documents[0])
    same(documents[0]['score'], 0)
    same([(t['score'], t['max_score'], t['status']) for t in documents[-1]['tests']], [(2, 2, 'passed'), (0, 1.5, 'failed')])
    result = published.classroom(text_of(at('result.json')))
    same((result['usernames'], result['score'], result['max-score']), (['ann', 'bob'], 20, 35))
    holds(grade('class', '--lab', '3', '--gradescope', 'x.json', code=64), 'submissions, but --gradescope is about one')


def rosters():
    """one column of an exported table is filled, every other byte stays: Moodle, Canvas, nbgrader, IS MU"""
    scheme()
    submit('roster/Ann Lee_1234_assignsubmission_file/row_sums.cu')
    submit('roster/Bob Ray_123_assignsubmission_file/row_sums.cu', text=STARTER)
    submit('roster/Zed_9_assignsubmission_file/row_sums.cu', text=STARTER)
    cases = (
        ('moodle.csv', '\ufeff"ID number","Full name",Grade,"Last, modified"\r\n1234,"Lee, Ann",,"a ""b"""\r\n0123,None,7,\r\n123,"Ray, Bob","-",x\r\n',
         ('--id', 'ID number', '--column', 'Grade'),
         '\ufeff"ID number","Full name",Grade,"Last, modified"\r\n1234,"Lee, Ann",2,"a ""b"""\r\n0123,None,7,\r\n123,"Ray, Bob","0",x\r\n'),
        ('is.csv', 'x1;Lee;1234:note:\ny2;Ray;123:*1:\n', ('--id', '3', '--column', '4', '--points', '*%g'),
         'x1;Lee;1234:note:\ny2;Ray;123:*1:\n'),  # three columns: there is no fourth
        ('is.tsv', '1234\tLee\t\tend\n123\tRay\t*7\tend', ('--id', '1', '--column', '3', '--points', '*%g'),
         '1234\tLee\t*2\tend\n123\tRay\t*0\tend'),
        ('is.txt', '1234:Lee::end\n123:Ray:*7:end\n', ('--id', '1', '--column', '3', '--points', '*%.1f'),
         '1234:Lee:*2.0:end\n123:Ray:*0.0:end\n'),
        ('worksheet.csv', '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade"\r\n'
         '"Participant 1234","Lee, Ann",ann@x,Submitted,,3.50\r\n"Participant 12","Poe, Eve",eve@x,,,3.50\r\n',
         ('--id', 'Identifier', '--column', 'Grade'),
         '\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade"\r\n'
         '"Participant 1234","Lee, Ann",ann@x,Submitted,2,3.50\r\n"Participant 12","Poe, Eve",eve@x,,,3.50\r\n'),
        ('canvas.csv', 'Student,ID,SIS User ID,SIS Login ID,Section,Lab 3 (1234),Current Score\n    Points Possible,,,,,3.5,(read only)\n'
         '"Lee, Ann",77,1234,ann,Lab A,,\n"Ray, Bob",78,123,bob,Lab A,1.00,\n"Student, Test",79,,,Lab A,,\n',
         ('--id', 'SIS User ID', '--column', 'Lab 3 (1234)'),
         'Student,ID,SIS User ID,SIS Login ID,Section,Lab 3 (1234),Current Score\n    Points Possible,,,,,3.5,(read only)\n'
         '"Lee, Ann",77,1234,ann,Lab A,2,\n"Ray, Bob",78,123,bob,Lab A,0,\n"Student, Test",79,,,Lab A,,\n'),
        ('nbgrader.csv', 'student_id,score,comments\n1234,,\n5,,\n', ('--id', 'student_id', '--column', 'score'),
         'student_id,score,comments\n1234,2,\n5,,\n'))
    for name, before, options, after in cases:
        with open(at(name), 'w', encoding='utf-8', newline='') as f:
            f.write(before)
        out = grade('roster', '--scheme', 'scheme.csv', '--out', 'filled', '--roster', name, *options)
        with open(at('filled', name), encoding='utf-8', newline='') as f:
            got = f.read()
        same(got, after)
        holds(out, 'Zed_9_assignsubmission_file: no line of the roster')
    with open(at('latin2.txt'), 'wb') as f:  # no UTF-8: other bytes stay as well
        f.write('1234:Šťastný, Ťapka::\n123:Ray:*7:\n'.encode('iso8859-2'))
    grade('roster', '--scheme', 'scheme.csv', '--out', 'filled', '--roster', 'latin2.txt', '--id', '1', '--column', '3', '--points', '*%g')
    with open(at('filled/latin2.txt'), 'rb') as f:
        same(f.read(), '1234:Šťastný, Ťapka:*2:\n123:Ray:*0:\n'.encode('iso8859-2'))
    write(at('grades.csv'), 'student_id,score\n1234,\n')  # nbgrader's name, and that of a result
    for roster in 'grades.csv', 'filled/own.csv':
        shutil.copy(at('grades.csv'), at('filled/own.csv'))
        holds(grade('roster', '--scheme', 'scheme.csv', '--out', 'filled', '--roster', roster, '--id', 'student_id', '--column', 'score'),
              'filled/filled-%s: 1 line filled in' % os.path.basename(roster))
        same(text_of(at('filled/filled-' + os.path.basename(roster))), 'student_id,score\n1234,2\n')
    holds(text_of(at('filled/grades.csv')), 'student_id,score,max_score,comments')
    same(text_of(at('filled/own.csv')), 'student_id,score\n1234,\n')
    write(at('open.csv'), 'student_id,score\n1234,"\n123,\n')
    holds(grade('roster', '--lab', '3', '--roster', 'open.csv', '--id', 'student_id', '--column', 'score', code=64),
          'open.csv, row 2', 'a quotation mark that nothing closes')
    holds(grade('roster', '--lab', '3', '--roster', 'moodle.csv', '--id', 'ID', '--column', 'Grade', code=64),
          'the roster has no column "ID"', 'its columns: ID number, Full name, Grade')
    holds(grade('roster', '--lab', '3', '--roster', 'moodle.csv', '--id', 'ID number', '--column', 'Grade', '--points', '%s', code=64),
          'is not a format with one number')


def doubled():
    """two lines of a roster for one student: nothing is graded; a name and a part of it are two students"""
    scheme()
    submit('doubled/Ann Lee/row_sums.cu')
    submit('doubled/Ann/row_sums.cu', text=STARTER)
    submit('doubled/Bo_12_file/row_sums.cu')
    options = '--id', 'name', '--column', 'grade'
    write(at('two.csv'), 'name,grade\nann lee,\nAnn,\n12,\nAnn Lee,7\nZed,\nZed,\n')
    said = grade('doubled', '--scheme', 'scheme.csv', '--out', 'doubled-out', '--roster', 'two.csv', *options, code=64)
    holds(said, 'two.csv', 'the lines 2 and 5 of the roster are both for Ann Lee', 'nothing was graded')
    same(os.listdir(at('doubled-out')), [])
    write(at('two.csv'), 'name,grade\nAnn Lee,\nAnn,\n12,\nZed,1\nZed,2\n')
    grade('doubled', '--scheme', 'scheme.csv', '--out', 'doubled-out', '--roster', 'two.csv', *options)
    same(text_of(at('doubled-out/two.csv')), 'name,grade\nAnn Lee,2\nAnn,0\n12,2\nZed,1\nZed,2\n')
    write(at('two.csv'), 'name,grade\nAnn Lee,\nAnn,\nBo,4\n12,5\n')
    out = grade('doubled', '--scheme', 'scheme.csv', '--out', 'doubled-out', '--roster', 'two.csv', *options)
    holds(out, "Bo_12_file: the lines 4, 5 of the roster may be this student's; none was filled in", '2 lines filled in')
    same(text_of(at('doubled-out/two.csv')), 'name,grade\nAnn Lee,2\nAnn,0\nBo,4\n12,5\n')


def damaged():
    """archives with changed bytes are read or refused; the program goes on, and the next archive is read"""
    choose = random.Random(2)
    os.makedirs(at('damaged/x'))
    submit('damaged/x/row_sums.cu')
    os.makedirs(at('pieces'))
    for kind in 'zip', 'gztar', 'xztar', 'bztar', 'tar':
        path = shutil.make_archive(at('whole-archive'), kind, at('damaged'))
        with open(path, 'rb') as f:
            whole = f.read()
        for i in range(40):
            data = bytearray(whole)
            for _ in range(choose.randrange(1, 6)):
                data[choose.randrange(len(data))] = choose.randrange(256)
            with open(at('pieces', '%s-%02d' % (kind, i)), 'wb') as f:
                f.write(data[:choose.randrange(len(data) + 1)] if i % 4 == 0 else data)
        shutil.move(path, at('pieces', kind + '-whole'))
    write(at('damaged.lua'), '''
local archive, fs, host = require "gpulab.archive", require "gpulab.fs", require "gpulab.host"
local read, refused = 0, 0
for _, name in ipairs(host.list "pieces") do
  local ok, e = pcall(archive.read, fs.read("pieces/" .. name, 1 << 24))
  if ok then read = read + 1 else refused = refused + 1 end
  assert(ok or e.kind == "usage" or e.kind == "setup", e)
  assert(ok or not name:find "whole", name)
end
print(read + refused, read > 5 and refused > 5)''')
    done = subprocess.run([GPULAB, 'damaged.lua'], cwd=FOLDER.name, env=ENV, capture_output=True, text=True, check=False)
    same((done.stdout, done.stderr), ('205\ttrue\n', ''))


def usage():
    """what cannot be graded is refused with a sentence"""
    scheme()
    holds(grade('nowhere', '--lab', '3', code=5), 'there is no file or folder nowhere')
    submit('empty/readme.txt', text='')
    holds(grade('empty', '--lab', '3', code=5), 'there is no submission in empty')
    holds(grade('class', code=64), 'name labs with --lab, or a scheme with --scheme')
    write(at('bad.csv'), 'lab,exercise,points\n3,row-sums,many\n')
    holds(grade('class', '--scheme', 'bad.csv', code=64), 'bad.csv:2', 'not a number of at least 0')
    write(at('bad.csv'), 'lab,exercise\n3,row-sums\n')
    holds(grade('class', '--scheme', 'bad.csv', code=64), 'no column "points"')
    write(at('bad.csv'), 'lab; exercise; points\n3; swizzle; 1.5\n')
    submit('one/ann/swizzle.cu', text=TURN)
    holds(grade('one', '--scheme', 'bad.csv', '--out', 'spaces'), '1.5 of 1.5 points')
    with open(at('bad.csv'), 'wb') as f:
        f.write('lab,exercise,points\n3,swizzle,1\n'.encode('utf-16'))
    holds(grade('class', '--scheme', 'bad.csv', code=64), 'bad.csv is not UTF-8 text')
    for program in 'return {', 'error("bad.lua:1: no")':
        write(at('bad.lua'), program)
        said = grade('class', '--scheme', 'bad.lua', code=64)
        check('bad.lua:1: ' in said and 'traceback' not in said and 'scheme.lua' not in said, said)
    os.mkfifo(at('pipe'))
    holds(grade('one', '--scheme', 'scheme.csv', '--gradescope', 'pipe', code=64), 'pipe is not a regular file')
    check(stat.S_ISFIFO(os.stat(at('pipe')).st_mode), 'a pipe was replaced by a file')
    holds(grade('class', '--lab', '3', '--job', '2', code=64), 'did you mean --jobs?')


if not ctypes.util.find_library('archive'):
    print('1..0 # SKIP libarchive is not installed')
    sys.exit(0)
# Under sanitizers: what runs this program's C code.
run_tests([hostile, names, damaged, usage] if 'archives' in sys.argv else
          [layouts, hostile, names, term, waits, damaged, alone, clocks, resumes, changes, full, documents, autograders, rosters, doubled, usage])
