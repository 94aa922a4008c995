#!/usr/bin/env python3
"""gpulab exec --check all beside the four tools of compute-sanitizer, on programs with one mistake each (tests/exec/programs/mistakes).

    sanitizer.py GPULAB FOLDER [--seen FOLDER/seen.tsv]

Needs nvcc, and without --seen a GPU of cc 9.0 or newer and compute-sanitizer. FOLDER gets seen.tsv, what the tools said first and at which lines;
output.txt, what they and gpulab printed; and page.md, the table of docs/records/sanitizer.md. --seen: the tools' part is a file of an earlier run.
Ends with 1 if a mistake that the tools find is not found by gpulab, with 77 if something is missing."""
import concurrent.futures
import csv
import os
import re
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'exec'))
import mistakes  # noqa: E402  (a module of the tests of gpulab exec)

TOOLS = {'memcheck': ['--leak-check', 'full', '--track-stream-ordered-races', 'all'], 'racecheck': [], 'initcheck': [], 'synccheck': []}
SECONDS = 4  # for a program under a tool: threads that wait for ever do so under a tool, too
AT_ONCE = 8
NOT_SAID = re.compile(r'COMPUTE-SANITIZER|\w+ SUMMARY|Target application|Error: process|Error: No attachable|This tool|$')
KINDS = {'shared': 'races in shared memory', 'barriers': 'barriers, masks, shuffles', 'bounds': 'addresses', 'unwritten': 'memory that nothing wrote',
         'calls': 'calls that fail, refused launches', 'streams': 'order of streams and the host', 'global': 'global memory, locks, tiles, copies',
         'host': 'calls that succeed, sizes, pointers, handles'}
FLAGS = ['-gencode=arch=compute_90,code=[sm_90,compute_90]']


def tool_path(name):
    for path in shutil.which(name), f'/usr/local/cuda/bin/{name}', f'/usr/local/cuda/compute-sanitizer/{name}':
        if path and os.path.exists(path):
            return path
    print(f'skipped: there is no {name}')
    sys.exit(77)


def headlines(text, name):
    """What a tool reports, each once: the first lines of its messages. What was not freed counts for the program that forgets that."""
    found = []
    for line in text.splitlines():
        said = re.match(r'========= (\S.*)$', line)
        if not said or NOT_SAID.match(said[1]) or (said[1].startswith('Leaked') and name != 'never freed'):
            continue
        short = re.sub(r' at (host access )?(0x|\w[\w:]*[(<]).*| to 0x\w+', '', said[1]).strip()
        if short not in found:
            found.append(short)
    return found


def under_tools(programs, cases, output):
    """{(case, tool): (headline, lines)}, '' where a tool said nothing."""
    sanitizer = tool_path('compute-sanitizer')

    def ask(name, tool):
        words = [sanitizer, '--tool', tool, *TOOLS[tool], programs[cases[name]['kind']], name]
        run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', start_new_session=True)
        try:
            text = run.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            text = run.communicate()[0] + '\n(ended by the time limit)\n'
        said = headlines(text, name)
        lines = sorted({int(n) for n in re.findall(re.escape(cases[name]['file']) + r':(\d+)', text)})
        return name, tool, said[0] if said else '', lines, text

    seen = {}
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for name, tool, said, lines, text in pool.map(lambda pair: ask(*pair), [(name, tool) for name in cases for tool in TOOLS]):
            seen[name, tool] = (said, lines)
            print(f'--- {name}: {tool}', *text.splitlines()[:60], sep='\n', file=output)
    return seen


def write_seen(seen, path):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        table = csv.writer(file, delimiter='\t')
        for (name, tool), (said, lines) in seen.items():
            if said:
                table.writerow([name, tool, said, ' '.join(map(str, lines))])


def read_seen(path):
    with open(path, encoding='utf-8', newline='') as file:
        return {(name, tool): (said, [int(n) for n in lines.split()]) for name, tool, said, lines in csv.reader(file, delimiter='\t')}


class Row:
    """A program: what each side found."""

    def __init__(self, name, want, seen, own):
        tools = [(tool, *seen[name, tool]) for tool in TOOLS if seen.get((name, tool), ('',))[0]]
        self.name, self.kind, self.own = name, want['kind'], own
        self.tools = bool(tools)
        self.tools_line = any(want['at'] in lines for _, _, lines in tools)
        self.tools_said = '; '.join(f'{tool}: {said}' for tool, said, _ in tools[:2]).replace('|', '\\|') or '–'
        self.found = own.cause
        self.found_line = own.cause and own.line
        self.own_said = want['check'] if own.cause else '–'


def page(rows):
    said = ['| kind | programs | compute-sanitizer | at the line | gpulab | at the line | only gpulab | only compute-sanitizer |',
            '|---|---:|---:|---:|---:|---:|---:|---:|']

    def line(title, chosen):
        counts = [len(chosen), sum(r.tools for r in chosen), sum(r.tools_line for r in chosen), sum(r.found for r in chosen), sum(r.found_line for r in chosen),
                  sum(r.found and not r.tools for r in chosen), sum(r.tools and not r.found for r in chosen)]
        said.append('| ' + ' | '.join([title, *map(str, counts)]) + ' |')

    for kind, title in KINDS.items():
        line(title, [r for r in rows if r.kind == kind])
    line('all', rows)
    said += ['', '| program | compute-sanitizer | gpulab |', '|---|---|---|']
    for kind in KINDS:
        said += [f'| {kind}: {r.name} | {r.tools_said} | {r.own_said} |' for r in rows if r.kind == kind]
    return '\n'.join(said) + '\n'


def main():
    gpulab, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    nvcc, cases = tool_path('nvcc'), mistakes.expected()
    os.makedirs(folder, exist_ok=True)
    programs = {kind: os.path.join(folder, kind + '.program') for kind in KINDS}
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for failure in pool.map(lambda kind: mistakes.build(nvcc, kind, programs[kind], *FLAGS), programs):
            if failure:
                sys.exit(failure)
    with open(os.path.join(folder, 'output.txt'), 'w', encoding='utf-8') as output:
        if '--seen' in sys.argv:
            seen = read_seen(sys.argv[sys.argv.index('--seen') + 1])
        else:
            seen = under_tools(programs, cases, output)
            write_seen(seen, os.path.join(folder, 'seen.tsv'))
        rows = []
        for name, want in cases.items():
            own = mistakes.Seen(gpulab, programs[want['kind']], name, want, os.path.join(folder, 'issues.json'))
            print(f'--- {name}: gpulab, status {own.status}', own.run.stderr, sep='\n', file=output)
            rows.append(Row(name, want, seen, own))
    text = page(rows)
    with open(os.path.join(folder, 'page.md'), 'w', encoding='utf-8') as file:
        file.write(text)
    print(text)
    for path in [*programs.values(), os.path.join(folder, 'issues.json')]:
        os.remove(path)
    missed = [r.name for r in rows if r.tools and not r.found]
    if missed:
        sys.exit('not found by gpulab: ' + ', '.join(missed))


if __name__ == '__main__':
    main()
