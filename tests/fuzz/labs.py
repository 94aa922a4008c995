#!/usr/bin/env python3
"""Every lab with one field of its definition replaced by something hostile, through the whole program: it says what is wrong with
the lab, in terms of the lab, and never shows what happened inside gpulab.
usage: labs.py GPULAB ROOT SECONDS [SEED]      SECONDS 0: a fixed slice"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from terminal import processor_time  # noqa: E402  pylint: disable=wrong-import-position

GPULAB, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECONDS, SEED = float(sys.argv[3]), int((sys.argv + ['1'])[4])
SLICE = 60  # runs without a limit of time
# Seconds of processor time after which a run is interrupted, and after which it did not listen. Few runs of the slice take longer than
# one, and those compute for ever or check whole labs.
LONG, DEAF = 4.0 if SECONDS else 1.0, 20.0

VALUES = '''nil; false; true; 0; -1; 1; 3; 2^31; 1 << 53; math.mininteger; 0/0; 1/0; -1/0; 1e300; 0.5; ""; "x"; ("x"):rep(100000); "\\0"; "\\xff"
"\\27[2Jforged"; "a\\nb"; "../../../etc/passwd"; "%s%d%n"; {}; {1}; {x = 1}; {{}}; {0, -1, 1/0}; {"a", "b"}; {[1] = 1, [3] = 3}; hostile; cycle
length; print; function() end; function() error("raised") end; function() error({}) end; function() error() end
function() error(setmetatable({}, {__tostring = function() error("again") end})) end; function() return 0 end; function() return -1 end
function() return "" end; function() return "\\27[2Jforged" end; function() return {} end; function() return 0/0 end; function() return 1e300 end
function() return cycle end; function() return hostile end; function() coroutine.yield() end; function() return print end
function() while true do end end; coroutine.create(print); io.stdout; gpu; gpu.array("int", 3)'''.replace('\n', '; ').split('; ')

MUTANT = '''local lab = require "gpulab.lab"
local hostile = setmetatable({}, { __index = function() error("index") end, __pairs = function() error("pairs") end })
local length = setmetatable({}, { __len = function() return 1 << 40 end, __call = function() return 1 end })
local cycle = {} cycle[1] = cycle cycle.x = cycle
local define = lab.define
lab.define = function(t)
  lab.define = define
  local at, path = t, { %s }
  for i = 1, #path - 1 do at = at[path[i]] end
  at[path[#path]] = %s
  return define(t)
end
return dofile(%s)
'''

PATHS = '''local lab = require "gpulab.lab"
local function walk(t, path, seen)
  if seen[t] then return end
  seen[t] = true
  for k, v in pairs(t) do
    local here = path .. (math.type(k) and ("%d"):format(k) or ("%q"):format(k)) .. ","
    print(here)
    if type(v) == "table" and not getmetatable(v) and select(2, here:gsub(",", "")) < 5 then walk(v, here, seen) end
  end
end
lab.define = function(t) walk(t, "", {}) os.exit(0) end
dofile(arg[1])
'''

INTERNAL = re.compile(r'lua/gpulab/|stack traceback|mistake in gpulab|\[C\]:|PANIC|Sanitizer')
UNSAID = re.compile(r'^(?!.*\.lua:\d+:).*\b(bad argument #|attempt to (index|call|compare|perform|concatenate|get))', re.M)
OBEYED = re.compile('[\0-\x08\x0b-\x1f\x7f]|[\x80-\x9f\u202a-\u202e\u2066-\u2069]')
CODES = {0, 1, 2, 3, 4, 5, 6, 7, 64, 130}


class Place:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-fuzz-')
        self.name = self.folder.name
        os.mkdir(self.name + '/labs')
        os.symlink(ROOT + '/kernels', self.name + '/kernels')
        self.env = {**os.environ, 'HOME': self.name, 'XDG_STATE_HOME': self.name + '/state', 'XDG_CONFIG_HOME': self.name + '/config',
                    'GPULAB_HOME': self.name + '/own', 'LANG': 'C.UTF-8', 'NO_COLOR': '1', 'GPULAB_LABS': self.name + '/labs'}

    def run(self, *args):
        """Exit code, output, and whether it had to be interrupted."""
        with subprocess.Popen([GPULAB, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=self.env, cwd=self.name) as p:
            interrupted = deaf = False
            out = None
            while out is None:
                try:
                    out, _ = p.communicate(timeout=0.2)
                except subprocess.TimeoutExpired:
                    used = processor_time(p.pid)
                    if used > LONG and not interrupted:
                        interrupted = True
                        p.send_signal(signal.SIGINT)
                    if used > LONG + DEAF:
                        deaf = True
                        p.kill()
            return None if deaf else p.returncode, out.decode('utf-8', 'backslashreplace'), interrupted


def paths_of(place, lab):
    with open(place.name + '/paths.lua', 'w', encoding='utf-8') as f:
        f.write(PATHS)
    _, out, _ = place.run('--device', 'emu', 'paths.lua', lab)
    found = sorted({line for line in out.split('\n') if line.endswith(',')})
    if len(found) < 20:
        raise RuntimeError('the fields of %s cannot be listed: %s' % (lab, out))
    return found


def commands(lab, path, ids, rng):
    """What is done with the lab: its step or the first, and what else reads a definition."""
    keys = [k.strip('"') for k in path.split(',')]
    step = keys[1] if keys[0] == 'steps' and len(keys) > 1 else '1'
    named = ids[(int(step) - 1) % len(ids)] if step.isdigit() else ids[0]
    run = ['--device', 'emu', '--batch', '--step', named]
    file = 'labs/%s' % os.path.basename(lab)
    return rng.choice([[*run, file], [*run, file], [*run, '--json', '-', file], [*run, '--csv', '-', file], [*run, '--html', '-', file],
                       [*run, '--check', 'all', file], ['--list'], ['--device', 'emu', '--verify-labs', re.match(r'\d+', os.path.basename(lab))[0]],
                       ['--device', 'emu', '--batch', '--plot', 'all', file]])


def judged(code, out, interrupted, value):
    """What is wrong with a run, or None."""
    if code is None:
        return 'deaf to Ctrl-C'
    if code not in CODES:
        return 'ended with %d' % code
    if interrupted and code != 130 and not out:  # what had written its document was done
        return 'interrupted, but ended with %d' % code
    found = INTERNAL.search(out) or UNSAID.search(out)
    if found:
        return 'shows what happened inside: %r' % out[max(0, found.start() - 60):found.end() + 120]
    found = OBEYED.search(out.replace('\r', ''))
    if found:
        return 'a control character: %r' % out[max(0, found.start() - 60):found.end() + 20]
    if code == 0 and 'raised' in value and 'raised' in out:
        return 'an error and 0'
    return None


def main():
    rng, place = random.Random(SEED), Place()
    labs = sorted(os.path.join(ROOT, 'labs', name) for name in os.listdir(ROOT + '/labs') if re.match(r'\d+-.*\.lua$', name))
    known, failures, codes, runs = {}, {}, {}, 0
    begun = time.monotonic()
    while runs < SLICE if SECONDS == 0 else time.monotonic() - begun < SECONDS:
        lab = rng.choice(labs)
        if lab not in known:
            paths = paths_of(place, lab)
            ids = re.findall(r'^step\t(\S+)$', place.run('--device', 'emu', '-e', IDS % lab)[1], re.M)
            known[lab] = paths, ids or ['x']
        paths, ids = known[lab]
        path, value = rng.choice(paths), rng.choice(VALUES)
        with open(place.name + '/labs/' + os.path.basename(lab), 'w', encoding='utf-8') as f:
            f.write(MUTANT % (path, value, '"%s"' % lab))
        args = commands(lab, path, ids, rng)
        code, out, interrupted = place.run(*args)
        os.remove(place.name + '/labs/' + os.path.basename(lab))
        runs += 1
        codes[code] = codes.get(code, 0) + 1
        wrong = judged(code, out, interrupted, value)
        if wrong:
            key = re.sub(r'\d+', 'N', wrong)[-160:]
            failures[key] = failures.get(key, 0) + 1
            if failures[key] == 1:
                print('# %s  %s= %s  %s\n#   %s' % (os.path.basename(lab), path, value, ' '.join(args), wrong), flush=True)
    print('# seed %d: %d runs in %.0f s, exit codes %s' % (SEED, runs, time.monotonic() - begun,
                                                       ' '.join('%s:%d' % item for item in sorted(codes.items(), key=str))))
    print('1..1\n%s 1 - hostile definitions of labs: %d findings of %d kinds' % ('not ok' if failures else 'ok', sum(failures.values()),
                                                                            len(failures)))
    return 1 if failures else 0


IDS = 'for _, s in ipairs(dofile("%s").steps) do print("step", s.id) end'

if __name__ == '__main__':
    sys.exit(main())
