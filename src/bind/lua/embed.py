"""Has the Lua sources of a folder and its sub-folders compiled into a C table of {name, chunk, bytes}, so that the program
needs no files beside it and a start compiles nothing. claims/03.lua is required as gpulab.claims.03; meta.lua becomes
gpulab.base.api, the help of what it documents; the glossary becomes gpulab.base.terms, and the schema of the service
gpulab.base.requests, a text.

usage: embed.py PRECOMPILE OUTPUT.c DEPFILE FOLDER GLOSSARY.md SCHEMA.json
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import api
import glossary

precompile, output, depfile, folder, terms, schema = sys.argv[1:]
folders = sorted(at for at, _, _ in os.walk(folder))
files = sorted(os.path.relpath(os.path.join(at, f), folder) for at in folders for f in os.listdir(at)
               if f.endswith('.lua') and f != 'meta.lua')

command = [precompile]
for name in files:
    command += ['gpulab.' + name[:-4].replace(os.sep, '.'), os.path.join(folder, name)]
meta = os.path.join(folder, 'meta.lua')
with open(schema, encoding='utf-8') as file:
    requests = 'return [==[%s]==]\n' % file.read()
for name, made in (('api', api.lua(meta)), ('terms', glossary.lua(terms)), ('requests', requests)):
    path = '%s.%s.lua' % (output[:-2], name)
    with open(path, 'w', encoding='utf-8') as out:
        out.write(made)
    command += ['gpulab.base.' + name, path]
with open(output, 'w', encoding='ascii') as out:
    status = subprocess.run(command, stdout=out, check=False).returncode
if status:
    os.remove(output)
    sys.exit(status)

with open(depfile, 'w', encoding='utf-8') as deps:
    paths = folders + [os.path.join(folder, f) for f in files] + [meta, api.__file__, terms, schema, glossary.__file__]
    deps.write('%s: %s\n' % (output, ' '.join(p.replace(' ', '\\ ') for p in paths)))
