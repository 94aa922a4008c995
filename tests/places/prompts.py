#!/usr/bin/env python3
"""The tests of the prompt with the emulator at the other end of ssh, from a real sshd on loopback. By hand:

    prompts.py GPULAB SOURCE_ROOT [NAME...]     NAME: prompt, student, workbook, faults, demo, interrupt, journal

A program in place of gpulab starts it with --device ssh:HOST/emu wherever a test says --device emu. Prints a table: how many points of
each test pass, and which do not."""
import os
import re
import subprocess
import sys
import tempfile

from servers import Missing, Sshd, lua_list, write

NAMES = ['prompt', 'student', 'faults', 'interrupt', 'journal', 'workbook', 'demo', 'attacks', 'stepping', 'screens', 'trust', 'signals', 'cuda_file',
         'command_line', 'report', 'play']
STAND_IN = '''#!/bin/bash
export GPULAB_SITE=%s GPULAB_WORKER=%s
case " $* " in *" check "*|*" grade "*) exec %s "$@" ;; esac # verdicts are made here, whatever the device
words=()
for word; do
  case $last-$word in
  --device-emu) words+=(ssh:%s/emu) ;;
  --device-emu:*) words+=("ssh:%s/$word") ;;
  *) words+=("$word") ;;
  esac
  last=$word
done
exec %s "${words[@]}"
'''


def main():
    gpulab, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    tests = os.path.join(root, 'tests/repl')
    with tempfile.TemporaryDirectory(prefix='gpulab-prompts-') as folder:
        try:
            server = Sshd(os.path.join(folder, 'sshd'))
        except Missing as e:
            print('cannot run: %s' % e)
            return 5
        site, program = os.path.join(folder, 'site.lua'), os.path.join(folder, 'gpulab')
        write(site, 'return { ssh = { gpulab = "%s", options = %s } }\n' % (gpulab, lua_list(server.options())))
        write(program, STAND_IN % (site, gpulab, gpulab, server.host(), server.host(), gpulab))
        os.chmod(program, 0o755)
        print('| test | points | pass | fail | skipped |\n|---|---|---|---|---|')
        missed = []
        try:
            for name in sys.argv[3:] or NAMES:
                words = ['ssh:%s/emu' % server.host()] if name in ('faults', 'prompt') else [root]
                done = subprocess.run([sys.executable, os.path.join(tests, 'test_%s.py' % name), program, *words], capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL)
                points = re.findall(r'^(ok|not ok) \d+ - (.*)\n?((?:#.*\n)*)', done.stdout, re.M)
                skipped = sum('# SKIP' in what for _, what, _ in points)
                failed = [(name, what, why) for verdict, what, why in points if verdict != 'ok']
                print('| %s | %d | %d | %d | %d |' % (name, len(points), len(points) - len(failed) - skipped, len(failed), skipped), flush=True)
                missed += failed
        finally:
            server.close()
    for name, what, why in missed:
        print('\n%s: %s\n%s' % (name, what, why[:1500]))
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
