"""The help of the API, which the prompt's ?name shows, as a Lua module: {["gpu.buffer"] = {usage=, help=}, ...}. It is made of
lua/gpulab/meta.lua: a comment that begins with a usage in backquotes is the help of the class or function behind it, up
to the first annotation; of such a class the fields are documented, too.
"""
import json
import re

METHODS = '-- The following act on gpu.device'  # those below it are methods of a Device, too


def read(path):
    told, owner, usage, text, words, methods = {}, 'gpu', None, [], [], False
    for line in open(path, encoding='utf-8').read().splitlines():
        methods = (methods or line.startswith(METHODS)) and not line.startswith('---@class Device')
        a_class, field = re.match(r'---@class (\w+)(?:: (\w+))?', line), re.match(r'---@field (\w+) \S+ (.*)', line)
        function = re.match(r'function (\w+)([.:])(\w+)\(', line)
        if line.startswith('---`'):
            usage, text = line[4:-1], []
            words = text
        elif a_class:
            owner = a_class[1].lower() if usage or a_class[1] == 'gpu' else None
            if usage:
                told[owner] = [usage, text]
            for key in [key for key in told if a_class[2] and key.startswith(a_class[2].lower() + ':')]:
                told[owner + key[key.index(':'):]] = [owner[0] + told[key][0][1:], told[key][1]]
            usage = None
        elif field and owner:
            key, words = owner + ('.' if owner == 'gpu' else ':') + field[1], [field[2]]
            told[key] = [key if owner == 'gpu' else owner[0] + '.' + field[1], words]
        elif function and usage:
            key = function[1].lower() + function[2] + function[3]
            told[key] = [usage, text]
            if methods and function[1] == 'gpu':
                told['device:' + function[3]] = ['d:' + usage[4:], ['As %s, on this device.' % key]]
            usage = None
        elif line.startswith('---') and line[3:4] != '@':
            words.append(line[3:].strip())
        else:
            words = []
    return {key: (usage, ' '.join(text)) for key, (usage, text) in told.items()}


def lua(path):
    def quoted(text):
        return json.dumps(text, ensure_ascii=False)
    rows = ['[%s] = { usage = %s, help = %s },\n' % (quoted(key), quoted(usage), quoted(said))
            for key, (usage, said) in sorted(read(path).items())]
    return 'return {\n' + ''.join(rows) + '}\n'
