"""Turns the Lua sources of a folder and its sub-folders into a C table of {name, text, bytes}, so that the program needs
no files beside it. claims/03.lua is required as gpulab.claims.03.

usage: embed.py OUTPUT.c DEPFILE FOLDER
"""
import os
import sys

output, depfile, folder = sys.argv[1:]
folders = sorted(at for at, _, _ in os.walk(folder))
files = sorted(os.path.relpath(os.path.join(at, f), folder) for at in folders for f in os.listdir(at)
               if f.endswith('.lua') and f != 'meta.lua')

with open(output, 'w', encoding='ascii') as out:
    out.write('#include "bind/embed.h"\n\n')
    for number, name in enumerate(files):
        data = open(os.path.join(folder, name), 'rb').read()
        out.write('static const unsigned char text_%d[] = {' % number)
        for at in range(0, len(data), 24):
            out.write('\n' + ''.join('%d,' % byte for byte in data[at:at + 24]))
        out.write('\n0};\n')
    out.write('\nconst EmbeddedLua embedded_lua[] = {\n')
    for number, name in enumerate(files):
        out.write('\t{"gpulab.%s", text_%d, sizeof text_%d - 1},\n' % (name[:-4].replace(os.sep, '.'), number, number))
    out.write('\t{0, 0, 0}};\n')

with open(depfile, 'w', encoding='utf-8') as deps:
    paths = folders + [os.path.join(folder, f) for f in files]
    deps.write('%s: %s\n' % (output, ' '.join(p.replace(' ', '\\ ') for p in paths)))
