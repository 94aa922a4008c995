"""contrib/: the autograders as their systems run them, within their limits. usage: test_contrib.py GPULAB SOURCE_ROOT"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
import published  # noqa: E402
from container import MEMORY, Container, descendants, proportional_bytes  # noqa: E402
from terminal import check, run_tests, text_of, write  # noqa: E402

GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-contrib-')


def at(*path):
    return os.path.join(FOLDER.name, *path)


ENV = {**os.environ, 'HOME': at(), 'TMPDIR': at('tmp'), 'GPULAB': GPULAB, 'PATH': at('bin') + ':' + os.environ['PATH']}


def submit(folder, greedy='memory'):
    for exercise, text in ('row-sums', None), ('swizzle', 'for (;;)'), ('histogram', greedy):
        file = exercise.replace('-', '_') + '.cu'
        source = text_of(os.path.join(ROOT, 'kernels/solutions/03-' + exercise, file))
        if text == 'for (;;)':
            source = source.replace('{', '{ for (;;) __syncthreads();', 1)
        elif text == 'syntax':
            source += 'nonsense\n'
        elif text == 'memory':
            end = source.rindex('}')
            source = source[:end] + 'for (;;) { char *p = (char *)malloc(1 << 20); if (p) p[7] = 1; } }\n'
        os.makedirs(at(folder, '03-' + exercise))
        write(at(folder, '03-' + exercise, file), source)


CONTAINER = Container()


def run(*argv, cwd='', env=None, watch=None):
    process = subprocess.Popen(argv, cwd=at(cwd), env={**ENV, **(env or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, preexec_fn=CONTAINER.enter)
    while process.poll() is None:
        if watch:
            watch(process.pid)
        time.sleep(0.05)
    return process.returncode, process.stdout.read()


def same(got, want):
    check(got == want, ('got %r' % (got,))[:800] + ', wanted %r' % (want,))


def gradescope():
    """run_autograder writes results.json, with 768 MB, one processor, and without a GPU, also for kernels that want it all"""
    submit('autograder/submission')
    os.makedirs(at('autograder/source'))
    shutil.copy(os.path.join(ROOT, 'contrib/gradescope/scheme.csv'), at('autograder/source'))
    most = [0]

    def watch(pid):
        most[0] = max(most[0], proportional_bytes(descendants(pid)))
    code, said = run(os.path.join(ROOT, 'contrib/gradescope/run_autograder'), env={'GRADESCOPE_ROOT': at('autograder')}, watch=watch)
    same(code, 0)
    results = published.gradescope(text_of(at('autograder/results/results.json')))
    same([(t['name'].split(':')[0], t['score'], t['max_score']) for t in results['tests']],
         [('03-row-sums', 2, 2), ('03-swizzle', 0, 2), ('03-histogram', 0, 3)])
    same(results['score'], 2)
    check('did not end within' in results['tests'][1]['output'], said)
    print('# limited by %s; all processes together took at most %d MB' % (', '.join(CONTAINER.held) or 'rlimits', most[0] >> 20))
    check(most[0] < MEMORY, '%d MB' % (most[0] >> 20))


def gitlab():
    """the job's script grades the repository; its JUnit report is where the job says"""
    with open(os.path.join(ROOT, 'contrib/gitlab/gitlab-ci.yml'), encoding='utf-8') as f:
        job = f.read()
    script = re.search(r'\n  script:\n((?:    - .*\n)+)', job).group(1)
    lines = [line[6:] for line in script.splitlines()]
    submit('repository', 'syntax')
    shutil.copy(os.path.join(ROOT, 'contrib/gradescope/scheme.csv'), at('repository'))
    os.makedirs(at('bin'))
    os.symlink(GPULAB, at('bin/gpulab'))
    code, said = run('bash', '-euc', '\n'.join(lines), cwd='repository', env={'CI_PROJECT_NAME': 'ann/lab-3'})
    check(code == 0, said)
    report = re.search(r'junit: (\S+)', job).group(1)
    suite = published.junit(text_of(at('repository', report)))[0]
    same([suite.get(name) for name in ('name', 'tests', 'failures', 'errors')], ['ann/lab-3', '3', '2', '0'])


def classroom50():
    """result.json has the marks and what is known of the submission"""
    if not shutil.which('git'):
        return 'skip: git is not installed'
    submit('work', 'syntax')
    git = ['git', '-c', 'user.name=ann', '-c', 'user.email=ann@localhost', '-C', at('work')]
    for command in ['init', '-q'], ['add', '.'], ['commit', '-q', '-m', 'lab 3', '--date', '2026-11-22T10:00:00+0100']:
        subprocess.run(git + command, check=True, env={**os.environ, 'GIT_COMMITTER_DATE': '2026-11-22T10:00:00+0100'})
    os.makedirs(at('autograders/lab-3'))
    shutil.copy(os.path.join(ROOT, 'contrib/gradescope/scheme.csv'), at('autograders/lab-3'))
    shutil.copy(os.path.join(ROOT, 'contrib/classroom50/autograder.py'), at('autograders/lab-3'))
    env = {'CLASSROOM': 'gpu', 'ASSIGNMENT': 'lab-3', 'OWNER': 'ann', 'SUBMISSION_TAG': 'submit/7', 'COMMIT_URL': 'https://x/commit/c0ffee',
           'RELEASE_URL': 'https://x/releases/tag/submit%2F7'}
    code, said = run(sys.executable, at('autograders/lab-3/autograder.py'), cwd='work', env=env)
    check(code == 0, said)
    result = published.classroom(text_of(at('work/result.json')))
    same({name: result[name] for name in result if name != 'tests'},
         {'schema': 'classroom50/result/v1', 'classroom': 'gpu', 'assignment': 'lab-3', 'submission': 'submit/7',
          'commit': 'https://x/commit/c0ffee', 'release': 'https://x/releases/tag/submit%2F7', 'review': 'https://x/commit/c0ffee',
          'datetime': '2026-11-22T09:00:00Z', 'score': 2, 'max-score': 7})
    same(sorted(os.listdir(at('work'))), ['.git', '03-histogram', '03-row-sums', '03-swizzle', 'result.json'])


def scripts():
    """the scripts are valid, and setup.sh calls what bootstrap has"""
    for name in 'gradescope/setup.sh', 'gradescope/run_autograder':
        path = os.path.join(ROOT, 'contrib', name)
        same(subprocess.run(['bash', '-n', path], check=False).returncode, 0)
        check(os.access(path, os.X_OK), name + ' cannot be executed')


os.makedirs(at('tmp'))
try:
    run_tests([gradescope, gitlab, classroom50, scripts])
finally:
    CONTAINER.close()
