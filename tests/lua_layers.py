#!/usr/bin/env python3
"""The layers of lua/gpulab (docs/development/architecture.md): a module requires its own layer and lower ones, never higher, and no modules
require each other in a circle. Labs and kernels' tools require public modules only.

    lua_layers.py SOURCE          as TAP
    lua_layers.py --dot SOURCE    the graph of modules, for Graphviz

The first tests plant what has to be found, so that this one cannot pass by reading nothing."""
import os
import re
import sys

from cycles import circles

# Lowest first. A folder is a layer; modules that are in no folder are listed by name.
LAYERS = ('base', 'lab', 'run', 'record', 'show', 'warp', 'prompt', 'exec', 'grade', 'serve', 'author', 'app')
ALONE = {'check': 'lab', 'lab': 'lab', 'lecture': 'lab', 'inputs': 'lab', 'operands': 'lab', 'claims': 'lab', 'app': 'app', 'meta': 'base', 'types': 'base'}
PUBLIC = {'lab', 'lecture', 'inputs', 'operands', 'check'}
IN_C = {'gpu', 'host', 'jobs', 'archive', 'store', 'fs', 'source', 'line', 'keys', 'ticker', 'frames', 'exec', 'base.terms', 'base.requests'}
FOLDER = re.compile(r'''commands\.of\s*\(?\s*["']gpulab\.([\w.]+)["']''')  # requires the modules in a folder
REQUIRE = re.compile(r'''(?:require|lazy)\s*\(?\s*["']gpulab\.([\w.]+)["']|package\.loaded\s*\[["']gpulab\.([\w.]+)["']\]''')


def layer(module):
    first = module.split('.')[0]
    known = first if '.' in module and first in LAYERS else ALONE.get(first)
    return LAYERS.index(known) if known else None


def required(text, modules=()):
    text = re.sub(r'--\[(=*)\[.*?\]\1\]', '', text, flags=re.S)
    text = re.sub(r'--[^\n]*', '', text)
    found = {m for folder in FOLDER.findall(text) for m in modules if m.rpartition('.')[0] == folder}
    return found | {a or b for a, b in REQUIRE.findall(text)} - IN_C


def read(folder):
    """{module: modules it requires}"""
    texts = {}
    for at, _, names in os.walk(folder):
        for name in names:
            if name.endswith('.lua'):
                path = os.path.join(at, name)
                with open(path, encoding='utf-8') as file:
                    texts[os.path.relpath(path, folder)[:-4].replace(os.sep, '.')] = file.read()
    return {module: required(text, texts) for module, text in texts.items()}


def upward(graph):
    """What breaks the rule, in words."""
    found = []
    for module in sorted(graph):
        if layer(module) is None:
            found.append(f'{module} is in no layer')
            continue
        for other in sorted(graph[module]):
            if other not in graph:
                found.append(f'{module} requires {other}, which does not exist')
            elif layer(other) is not None and layer(other) > layer(module):
                found.append(f'{module} requires {other} of a higher layer')
    return found


def dot(graph):
    print('digraph lua {\n  rankdir=BT; node [shape=box];')
    for name in LAYERS:
        members = [m for m in sorted(graph) if layer(m) is not None and LAYERS[layer(m)] == name]
        print(f'  subgraph cluster_{name} {{ label="{name}"; ' + ' '.join(f'"{m}";' for m in members) + ' }')
    for module in sorted(graph):
        for other in sorted(graph[module]):
            print(f'  "{module}" -> "{other}";')
    print('}')


def unless(good):
    return [] if good else ['not found']


def tests(source):
    graph = read(os.path.join(source, 'lua', 'gpulab'))
    private = []
    for name in sorted(os.listdir(os.path.join(source, 'labs'))):
        with open(os.path.join(source, 'labs', name), encoding='utf-8') as file:
            private += [f'{name} requires {m}' for m in sorted(required(file.read()) - PUBLIC)]
    planted = {'base.text': {'run.runner'}, 'run.runner': {'base.text', 'base.gone'}, 'stray.module': set()}
    yield 'planted: a higher layer', unless('base.text requires run.runner of a higher layer' in upward(planted))
    yield 'planted: a module that does not exist', unless('run.runner requires base.gone, which does not exist' in upward(planted))
    yield 'planted: a module in no layer', unless('stray.module is in no layer' in upward(planted))
    yield 'planted: a lazy require', unless(required('  local x = require("gpulab.show.why").of -- require "gpulab.app"') == {'show.why'})
    yield 'planted: a module loaded later', unless(required('local why = lazy "gpulab.show.why"') == {'show.why'})
    yield 'planted: a folder of commands', unless(required('l:add(commands.of "gpulab.warp.command", s)', ['warp.command.view', 'warp.view'])
                                                  == {'warp.command.view'})
    yield 'there are modules to read', unless(len(graph) >= 50)
    yield 'no module requires a higher layer', upward(graph)
    yield 'no modules require each other in a circle', [' -> '.join(c) for c in circles(graph)]
    yield 'labs require public modules only', private


def main():
    if sys.argv[1] == '--dot':
        return dot(read(os.path.join(sys.argv[2], 'lua', 'gpulab')))
    failed = done = 0
    for name, why in tests(sys.argv[1]):
        done += 1
        failed += bool(why)
        print(f'{"not ok" if why else "ok"} {done} - {name}')
        for line in why:
            print(f'# {line}')
    print(f'1..{done}')
    return failed != 0


sys.exit(main())
