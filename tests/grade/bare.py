#!/usr/bin/env python3
"""contrib/ in a bare root. As Gradescope builds and runs it: setup.sh installs and builds with a network, then run_autograder grades a
submission in a container of 768 MB and half a processor. Then the GitLab job's script and the autograder of Classroom 50 grade the same
submission with what setup.sh has built.

    tests/grade/bare.py RELEASE FOLDER      RELEASE as debootstrap knows it; FOLDER keeps the bare root (tests/fresh/run makes it)

Needs root's rights, debootstrap, git, and a network; takes minutes. What it prints is kept in docs/records/trials.md."""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

import container

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
ENTER = os.path.join(SOURCE, 'tests/fresh/enter')


def fresh():
    """tests/fresh/run as a module."""
    loader = importlib.machinery.SourceFileLoader('fresh', os.path.join(SOURCE, 'tests/fresh/run'))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('fresh', loader))
    loader.exec_module(module)
    return module


def upload(folder):
    """What a lecturer uploads."""
    os.makedirs(folder)
    for name in 'setup.sh', 'run_autograder', 'scheme.csv':
        shutil.copy(os.path.join(SOURCE, 'contrib/gradescope', name), folder)
    subprocess.run(['git', 'archive', '--format=tar.gz', '--prefix=gpulab/', '-o', os.path.join(folder, 'gpulab.tar.gz'), 'HEAD'],
                   cwd=SOURCE, check=True)


def submit(folder):
    for exercise in 'row-sums', 'swizzle':
        shutil.copytree(os.path.join(SOURCE, 'kernels/solutions/03-' + exercise), os.path.join(folder, '03-' + exercise))
    os.makedirs(os.path.join(folder, '03-histogram'))
    with open(os.path.join(folder, '03-histogram/histogram.cu'), 'w', encoding='utf-8') as f:
        f.write('__global__ void histogram(unsigned *counts, const unsigned *numbers) { for (;;) __syncthreads(); }\n')


def gitlab(root, env):
    """The job's script in a repository; what its JUnit report says."""
    with open(os.path.join(SOURCE, 'contrib/gitlab/gitlab-ci.yml'), encoding='utf-8') as f:
        job = f.read()
    lines = [line[6:] for line in re.search(r'\n  script:\n((?:    - .*\n)+)', job).group(1).splitlines()]
    submit(root + '/repository')
    shutil.copy(os.path.join(SOURCE, 'contrib/gradescope/scheme.csv'), root + '/repository')
    status, seconds = timed([ENTER, root, '--', 'bash', '-euc', '\n'.join(['cd /repository', *lines])],
                            env={**env, 'CI_PROJECT_NAME': 'ann'}, stdout=subprocess.DEVNULL)
    suite = xml.etree.ElementTree.parse(root + '/repository/' + re.search(r'junit: (\S+)', job).group(1)).getroot()[0]
    got = [suite.get(name) for name in ('name', 'tests', 'failures', 'errors')]
    print('the GitLab job: exit code %d, %.0f s; %s' % (status, seconds, got), flush=True)
    return status == 0 and got == ['ann', '3', '1', '0']


def classroom(root, env):
    """The autograder of Classroom 50 in the same repository; the scores of result.json."""
    folder = root + '/bundle/autograders/lab-3'
    os.makedirs(folder)
    for path in 'gradescope/scheme.csv', 'classroom50/autograder.py':
        shutil.copy(os.path.join(SOURCE, 'contrib', path), folder)
    shutil.rmtree(root + '/repository/grades')
    status, seconds = timed([ENTER, root, '--', 'sh', '-c', 'cd /repository && python3 /bundle/autograders/lab-3/autograder.py'],
                            env={**env, 'CLASSROOM': 'gpu', 'ASSIGNMENT': 'lab-3', 'OWNER': 'ann'}, stdout=subprocess.DEVNULL)
    with open(root + '/repository/result.json', encoding='utf-8') as f:
        result = json.load(f)
    print('the autograder of Classroom 50: exit code %d, %.0f s; score %d of %d' % (
        status, seconds, result['score'], result['max-score']), flush=True)
    return status == 0 and [test['passed'] for test in result['tests']] == [True, True, False]


def timed(command, **more):
    began = time.monotonic()
    status = subprocess.run(command, check=False, **more).returncode
    return status, time.monotonic() - began


def main(release, folder):
    module = fresh()
    os.makedirs(folder, exist_ok=True)
    bare = module.bare_root(release, argparse.Namespace(roots=os.path.abspath(folder), mirror=None))
    root = bare + '.used'
    module.remove(root)
    subprocess.run(['cp', '-a', bare, root], check=True)
    env = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root', **module.connect(root)}
    upload(root + '/autograder/source')
    submit(root + '/autograder/submission')
    with open(os.path.join(folder, 'setup.log'), 'wb') as log:
        status, seconds = timed([ENTER, root, '--', 'bash', '/autograder/source/setup.sh'], env=env, stdout=log, stderr=log)
    print('setup.sh on %s: exit code %d, %.0f s' % (release, status, seconds), flush=True)
    if status:
        return 1
    box = container.Container()
    try:
        status, seconds = timed([ENTER, root, '--', '/autograder/source/run_autograder'], env=env, preexec_fn=box.enter)
        print('run_autograder, limited by %s: exit code %d, %.0f s' % (', '.join(box.held) or 'rlimits', status, seconds))
    finally:
        box.close()
    with open(root + '/autograder/results/results.json', encoding='utf-8') as f:
        results = json.load(f)
    got = [(test['number'], test['score'], test['status']) for test in results['tests']]
    print('results.json: score %g; %s' % (results['score'], got))
    os.symlink('/opt/gpulab/build/src/gpulab', root + '/usr/local/bin/gpulab')
    others = gitlab(root, env) and classroom(root, env)
    module.remove(root)
    return 0 if others and got == [('1', 2, 'passed'), ('2', 2, 'passed'), ('3', 0, 'failed')] else 1


sys.exit(main(*sys.argv[1:3]))
