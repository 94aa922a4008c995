#!/usr/bin/env python3
"""No module's files depend on each other in a circle: cycles.py BUILD SOURCE MODULE...   as TAP

Calls are read off the object files: a file that uses a symbol depends on the file that defines it. Includes are read off the sources.
The first test plants a circle that has to be found, so that this one cannot pass by reading nothing."""
import os
import re
import subprocess
import sys


def circles(graph):
    """Strongly connected components of more than one node (Tarjan), each sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def symbols(paths):
    """What each object file defines for others, and what it takes from them: [(defined, used)]. One nm reads them all."""
    found = {path: (set(), set()) for path in paths}
    for line in subprocess.run(['nm', '-A', *paths], capture_output=True, text=True, check=True).stdout.splitlines():
        path, _, rest = line.partition(':')
        parts = rest.split()
        if len(parts) == 3 and parts[1] in 'TDBRVWC':
            found[path][0].add(parts[2])
        elif len(parts) == 2 and parts[0] == 'U':
            found[path][1].add(parts[1])
    return [found[path] for path in paths]


def objects(build, module):
    """Of all static libraries of the module, by name; of a file that is compiled for several instruction sets the last."""
    root = os.path.join(build, 'src', module)
    folders = sorted(f for f in os.listdir(root) if f.startswith('lib') and f.endswith('.a.p'))
    return {name: os.path.join(root, f, name) for f in folders for name in sorted(os.listdir(os.path.join(root, f)))
            if name.endswith('.o')}


def calls(build, module):
    there = objects(build, module)
    read = dict(zip(there, symbols(there.values())))
    owner = {symbol: name for name, (defined, _) in read.items() for symbol in defined}
    return {name: {owner[s] for s in used if s in owner} - {name} for name, (_, used) in read.items()}


def includes(source, module):
    graph = {}
    for folder, _, names in os.walk(os.path.join(source, 'src', module)):
        for name in names:
            if not name.endswith(('.h', '.c', '.def')):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as file:
                found = re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(), re.M)
            graph[os.path.relpath(path, os.path.join(source, 'src'))] = set(found)
    return graph


def main():
    build, source, modules = sys.argv[1], sys.argv[2], sys.argv[3:]
    failed = done = 0

    def report(good, name, why=()):
        nonlocal failed, done
        done += 1
        failed += not good
        print(f'{"ok" if good else "not ok"} {done} - {name}')
        for line in why:
            print('# ' + ' -> '.join(line))

    report(circles({'a': {'b'}, 'b': {'c'}, 'c': {'a'}, 'd': {'a'}}) == [['a', 'b', 'c']], 'a planted circle is found')
    for module in modules:
        graph = calls(build, module)
        report(bool(graph) and not circles(graph), f'{module}: no circle of calls', circles(graph))
        graph = includes(source, module)
        report(bool(graph) and not circles(graph), f'{module}: no circle of includes', circles(graph))
    print(f'1..{done}')
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
