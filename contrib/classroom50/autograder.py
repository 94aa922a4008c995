#!/usr/bin/env python3
"""The autograder of a Classroom 50 assignment: autograders/ASSIGNMENT/autograder.py, with scheme.csv next to it.

Classroom 50 runs it in the student's checkout and reads ./result.json. The exit status is 0 if the grader ran, whatever the
marks are. `runtime` of the assignment names an image in which gpulab is installed; no GPU is needed."""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# A field of result.json, and the environment variable that has it.
FIELDS = {'classroom': 'CLASSROOM', 'assignment': 'ASSIGNMENT', 'submission': 'SUBMISSION_TAG', 'commit': 'COMMIT_URL',
          'release': 'RELEASE_URL', 'review': 'REVIEW_URL'}


def committed():
    """The time of the graded commit: it stays the same when it is graded again. None without git or a repository."""
    try:
        done = subprocess.run(['git', 'log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%dT%H:%M:%SZ'],
                              env={**os.environ, 'TZ': 'UTC'}, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() or None


def main():
    about = {field: os.environ.get(name) for field, name in FIELDS.items()}
    about['review'] = about['review'] or about['commit']
    about['datetime'] = committed()
    with tempfile.TemporaryDirectory() as grades:
        command = [os.environ.get('GPULAB', 'gpulab'), 'grade', '.', '--scheme', str(HERE / 'scheme.csv'), '--out', grades,
                   '--name', os.environ.get('OWNER') or os.environ.get('USERNAME') or 'submission', '--classroom', 'result.json']
        for field, value in about.items():
            if value:
                command += ['--about', '%s=%s' % (field, value)]
        return subprocess.run(command, check=False).returncode


sys.exit(main())
