#!/usr/bin/env python3
"""What the program has is in the reference: commands, options, variables, counters, fields of JSON and CSV, exit codes.
TAP on standard output.

    names.py GPULAB SOURCE_ROOT              compares
    names.py GPULAB SOURCE_ROOT --write      writes the commands of the prompt into docs/reference/commands.md"""
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

GPULAB, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HOME = tempfile.TemporaryDirectory(prefix='gpulab-docs-')
FIXTURES = os.path.join(ROOT, 'tests', 'labs', 'fixtures')
COUNTS = 'counters', 'lines'


def run(*args):
    env = {**os.environ, 'GPULAB_HOME': HOME.name, 'HOME': HOME.name, 'NO_COLOR': '1', 'PAGER': 'cat'}
    return subprocess.run([GPULAB, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=env).stdout


def read(*path):
    with open(os.path.join(ROOT, *path), encoding='utf-8') as f:
        return f.read()


def commands_of_the_prompt(page):
    """The part of commands.md that the program writes: as it is, and as it has to be."""
    marks = '<!-- commands -->\n\n', '<!-- end of commands -->'
    lines = 'dofile(%s).lines()' % json.dumps(os.path.join(ROOT, 'tests', 'docs', 'commands.lua'), ensure_ascii=False)
    now = run('-q', '-n', '-e', 'print(table.concat(%s, "\\n"))' % lines, '-')
    start, end = page.index(marks[0]) + len(marks[0]), page.index(marks[1])
    return page[start:end], now, page[:start] + now + page[end:]


def write_commands():
    path = os.path.join(ROOT, 'docs', 'reference', 'commands.md')
    renewed = commands_of_the_prompt(read('docs', 'reference', 'commands.md'))[2]
    with open(path, 'w', encoding='utf-8') as file:
        file.write(renewed)
    return 0


def coded(page):
    """Every word inside backticks of a page of the reference."""
    return set(re.findall(r'[\w.-]+', ' '.join(re.findall(r'`([^`]+)`', read('docs', 'reference', page)))))


def sources(folder, pattern):
    found = set()
    for where, _, names in os.walk(os.path.join(ROOT, folder)):
        for name in names:
            with open(os.path.join(where, name), encoding='utf-8') as f:
                found |= set(re.findall(pattern, f.read()))
    return found


def keys(value):
    """The names of all fields below, but for those that are parameters or counters."""
    if isinstance(value, list):
        return set().union(*map(keys, value))
    if not isinstance(value, dict):
        return set()
    inner = [keys(one) for name, one in value.items() if name not in ('params', *COUNTS)]
    return set(value).union(*inner)


def main():
    if '--write' in sys.argv[3:]:
        return write_commands()
    results = []

    def check(missing, enough, name):
        results.append(not missing and enough)
        print('%s %d - %s' % ('ok' if results[-1] else 'not ok', len(results), name))
        for line in sorted(missing) if isinstance(missing, set) else missing or ([] if enough else ['there was nothing to look for']):
            print('#   ' + line)

    commands, said = coded('commands.md'), run('--help')
    quoted, now, _ = commands_of_the_prompt(read('docs', 'reference', 'commands.md'))
    changed = difflib.unified_diff(quoted.splitlines(), now.splitlines(), 'commands.md', 'the program', lineterm='', n=0)
    check(list(changed) + ['tests/docs/names.py BUILD/src/gpulab . --write writes it'] if quoted != now else [], now.count('\n- `') > 60,
          'commands.md has the commands of the prompt')
    options = set(re.findall(r'^  (--?[\w-]+)', said, re.M)) | set(re.findall(r', (--[\w-]+)', said))
    check(options - commands, len(options) > 20, 'every option is in commands.md')
    variables = sources('src', r'(?:getenv\(|LIMIT\([^)]*)"(GPULAB_[A-Z_]+)"') - {'GPULAB_WORKER'}
    check(variables - commands - coded('exit-codes.md'), len(variables) > 5, 'every variable is in commands.md or exit-codes.md')
    codes = set(re.findall(r'^\tERR_\w+ = ([1-9]\d*)', read('src', 'base', 'err.h'), re.M))
    listed = set(re.findall(r'^\| (\d+) \|', read('docs', 'reference', 'exit-codes.md'), re.M))
    check(codes ^ (listed - {'0'}), len(codes) > 7, 'exit-codes.md has every exit code, and no other')
    documents = []
    for lab, steps in (('3', ['--step', 'tile']), (os.path.join(FIXTURES, 'mistakes.lua'), ['--step', 'past,wrong']),
                       (os.path.join(FIXTURES, 'kinds.lua'), [])):
        documents.append(json.loads(run('--device', 'emu', '--check', 'race', '--batch', '--json', '-', *steps, lab) or '{}'))
    fields = keys(documents)
    check(fields - coded('json.md'), len(fields) > 40, 'every field of JSON is in json.md')
    counters = {name for step in documents[0].get('steps', []) for name in step.get('counters', {})}
    check(counters - coded('counters.md'), len(counters) > 20, 'every counter is in counters.md')
    columns = set(run('--device', 'emu', '--batch', '--step', 'tile', '--csv', '-', '3').split('\n', maxsplit=1)[0].split(','))
    columns = {name for name in columns - counters if not name.startswith('model ')}
    check(columns - coded('json.md'), len(columns) > 15, 'every column of CSV is in json.md')
    terms = re.findall(r'^\*\*([^*]+)\*\*', read('docs', 'guide', 'glossary.md'), re.M)
    check(set() if terms == sorted(terms, key=str.lower) else {'sorted: ' + ', '.join(sorted(terms, key=str.lower))}, len(terms) > 40,
          'the glossary is in alphabetical order')
    print('1..%d' % len(results))
    return 0 if all(results) else 1


sys.exit(main())
