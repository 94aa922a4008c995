"""The Python package's functions. usage: test_package.py GPULAB SOURCE_ROOT"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
PACKAGE = os.path.join(ROOT, 'contrib/python')
sys.path[:0] = [os.path.join(HERE, '..', 'repl'), PACKAGE]
from terminal import check, run_tests, text_of, write  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-package-')
os.environ.update(GPULAB_PROGRAM=GPULAB, HOME=FOLDER.name, GPULAB_HOME=FOLDER.name + '/gpulab', LANG='C.UTF-8', PYTHONPATH=PACKAGE)
import gpulab  # noqa: E402

FILE = FOLDER.name + '/row_sums.cu'


def starts():
    """The command gpulab is the program, with its arguments and exit code; where there is none it says where it looked"""
    done = subprocess.run([sys.executable, '-m', 'gpulab', '--version'], capture_output=True, text=True)
    check(done.returncode == 0 and done.stdout.startswith('gpulab '), done)
    check(subprocess.run([sys.executable, '-m', 'gpulab', '--wat'], capture_output=True).returncode == 64, 'no usage error')
    done = subprocess.run([sys.executable, '-m', 'gpulab'], capture_output=True, text=True, env={**os.environ, 'GPULAB_PROGRAM': '/nowhere'})
    check(done.returncode != 0 and 'not at /nowhere' in done.stderr, done.stderr)


def runs():
    """gpulab.run returns the document of a run; what cannot be done is an Error with the exit code"""
    document = gpulab.run('3', 'tile', device='emu', parameters={'n': 64}, models=['GTX 280'])
    check([step['id'] for step in document['steps']] == ['tile'] and document['params']['n'] == 64, document['params'])
    try:
        gpulab.run('3', 'nosuch')
    except gpulab.Error as problem:
        check(problem.exit_code == 64 and 'nosuch' in str(problem), (problem.exit_code, problem))
    else:
        check(False, 'a step that there is not was run')


def checks():
    """gpulab.check returns the verdict about a file"""
    write(FILE, text_of(ROOT + '/kernels/solutions/03-row-sums/row_sums.cu'))
    check(gpulab.check('3', 'row-sums', FILE)['passed'], 'the solution is not accepted')
    write(FILE, text_of(ROOT + '/kernels/exercises/03-row-sums/row_sums.cu'))
    verdict = gpulab.check('3', 'row-sums', FILE)
    check(not verdict['passed'] and verdict['stage'] == 'accept', verdict)


sys.exit(run_tests([starts, runs, checks]))
