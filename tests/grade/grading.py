"""What the tests of gpulab grade share: a folder of their own, submissions in it, the command, and its results. Imported by
a test whose arguments are GPULAB SOURCE_ROOT."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'repl'))
from terminal import check, text_of, write  # noqa: E402

GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-grade-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'GPULAB_HOME': FOLDER.name + '/gpulab', 'NO_COLOR': '1', 'LANG': 'C.UTF-8'}
SOLUTION = text_of(os.path.join(ROOT, 'kernels/solutions/03-row-sums/row_sums.cu'))
STARTER = text_of(os.path.join(ROOT, 'kernels/exercises/03-row-sums/row_sums.cu'))
TURN = text_of(os.path.join(ROOT, 'kernels/solutions/03-swizzle/swizzle.cu'))
RESULTS = 'grades.csv', 'grades.json', 'grades.xml', 'grades.html'


def at(*path):
    return os.path.join(FOLDER.name, *path)


def start(*args):
    return subprocess.Popen([GPULAB, 'grade', *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, cwd=FOLDER.name, env=ENV)


def grade(*args, code=0):
    process = start(*args)
    out, err = process.communicate()
    check(process.returncode == code, 'exit code %d: %s%s' % (process.returncode, out, err))
    return out if code == 0 else err


def submit(*path, text=SOLUTION):
    os.makedirs(os.path.dirname(at(*path)), exist_ok=True)
    write(at(*path), text)


def outcomes(out):
    """{submission: {exercise: outcome}} of a results folder."""
    with open(at(out, 'grades.json'), encoding='utf-8') as f:
        document = json.load(f)
    return {s['name']: {v['id']: v['outcome'] for v in s['verdicts']} for s in document['submissions']}


def same(got, want):
    check(got == want, ('got %r' % (got,))[:600] + (', wanted %r' % (want,))[:600])


def holds(text, *parts):
    for part in parts:
        check(part in text, '%r is not in %r' % (part, text[-1500:]))


def results(out):
    return {name: text_of(at(out, name)) for name in RESULTS}


def scheme():
    write(at('scheme.csv'), 'lab,exercise,points\n3,row-sums,2\nbank-conflicts,swizzle,1.5\n')
    write(at('scheme.lua'), 'return { { lab = 3, exercise = "row-sums", points = 2 }, { lab = 3, exercise = "swizzle", points = 1.5 } }\n')
