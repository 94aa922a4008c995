"""The programs of programs/mistakes: which there are, what gpulab exec --check all is to say of each, and whether it does."""
import json
import os
import re
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs/mistakes')
MARK = re.compile(r'// <([-~]) ([^:]+): (\w+): (.*?); (.*)$')


def expected():
    """Of each case, by its name: the kind, the line (None: the report has none), the checker, what is said, the advice."""
    found = {}
    for file in sorted(os.listdir(FOLDER)):
        if not file.endswith('.cu'):
            continue
        with open(os.path.join(FOLDER, file), encoding='utf-8') as text:
            for number, line in enumerate(text, 1):
                mark = MARK.search(line.rstrip())
                if mark:
                    at, name, checker, said, advice = mark.groups()
                    found[name] = {'kind': file[:-3], 'file': file, 'at': number, 'line': number if at == '-' else None, 'check': checker,
                                   'said': said, 'advice': advice}
    return found


def names():
    """All cases, in the order of the files."""
    found = []
    for file in sorted(os.listdir(FOLDER)):
        with open(os.path.join(FOLDER, file), encoding='utf-8') as text:
            found += re.findall(r'^CASE\("(.*)"\)', text.read(), re.M)
    return found


def words(kind, *flags):
    """What nvcc is given for the program of a kind, but for the name of what it makes."""
    return ['-std=c++17', '-lineinfo', '-Xcompiler=-g1', *flags, os.path.join(FOLDER, kind + '.cu')]


def build(nvcc, kind, to, *flags):
    """The program of a kind; returns what the compiler said if it did not make it."""
    made = subprocess.run([nvcc, *words(kind, *flags), '-o', to], text=True, capture_output=True, check=False)
    return made.stdout + made.stderr if made.returncode else None


class Seen:
    """What gpulab said of a program."""

    def __init__(self, gpulab, program, name, want, path):
        self.run = subprocess.run([gpulab, 'exec', '--check', 'all', '--json', path, program, name], text=True, capture_output=True, check=False)
        self.text = ' '.join(self.run.stderr.split())
        with open(path, encoding='utf-8') as file:
            self.document = json.load(file)
        self.issues = [issue for issue in self.document['issues'] if issue['check'] == want['check']]
        sites = [site for issue in self.issues for site in issue.get('sites', [])]
        at = [site for site in sites if site.get('line') == want['at'] and os.path.basename(site.get('file', '')) == want['file']]
        self.line = want['line'] is None or bool(at)
        self.cause = bool(self.issues or want['check'] in ('note', 'fault')) and re.search(want['said'], self.text) is not None
        self.advice = re.search(want['advice'], self.text) is not None

    @property
    def status(self):
        return self.run.returncode
