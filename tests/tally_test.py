#!/usr/bin/env python3
"""tests/tally.py counts right, also when programs crash, skip, or print nothing; as TAP."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
count = 0
bad = 0


def check(name, condition):
    global count, bad
    count += 1
    bad += not condition
    print(f"{'ok' if condition else 'not ok'} {count} - {name}")


def tally(checks, *logs):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, "checks")]
        with open(paths[0], "w", encoding="utf-8") as out:
            out.write(checks)
        for number, tests in enumerate(logs):
            paths.append(os.path.join(folder, f"log{number}.json"))
            if tests is None:
                continue
            with open(paths[-1], "w", encoding="utf-8") as out:
                out.writelines(json.dumps(test) + "\n" for test in tests)
        run = subprocess.run([sys.executable, os.path.join(HERE, "tally.py"), *paths], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout.splitlines()


def test(result, stdout="", name="a program"):
    return {"name": name, "result": result, "returncode": 0 if result == "OK" else 139, "stdout": stdout}


good = test("OK", "1..2\nok 1 - one\nok 2 - two\n")

status, lines = tally("ok\tlayout\n", [good], [good])
check("points and checks add up", (status, lines[-1]) == (0, "gpulab: 5 passed, 0 failed, 0 skipped"))

status, lines = tally("", [good], [test("FAIL", "1..2\nok 1 - one\nnot ok 2 - two\n")])
check("a failed point fails the run", (status, lines[-1]) == (1, "gpulab: 3 passed, 1 failed, 0 skipped"))
check("and is named", "failed: log1: a program: two" in lines)

status, lines = tally("", [good], [test("ERROR", "1..2\nok 1 - one\n")])
check("a crash after good points is a failure", (status, lines[-1]) == (1, "gpulab: 3 passed, 1 failed, 0 skipped"))

status, lines = tally("", [good], [test("TIMEOUT")])
check("so is a time-out", (status, lines[-1]) == (1, "gpulab: 2 passed, 1 failed, 0 skipped"))

status, lines = tally("", [good], [test("OK", "1..2\nok 1 - one\nok 2 - on a GPU # SKIP no GPU here\n"), test("SKIP", name="gpu")])
check("skipped tests count apart", (status, lines[-1]) == (0, "gpulab: 3 passed, 0 failed, 2 skipped"))
check("and are named above the last line", "skipped: log1: a program: on a GPU (no GPU here)" in lines[:-1] and "skipped: log1: gpu" in lines[:-1])

status, lines = tally("", [good], [test("OK", "ok 3 # SKIP needs_a_gpu\n")])
check("cmocka's way to skip too", "skipped: log1: a program: needs_a_gpu" in lines)


def again(*tests):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.json")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(t) + "\n" for t in tests)
        run = subprocess.run([sys.executable, os.path.join(HERE, "tally.py"), "--again", path], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout


fatal = "Tracer caught signal 11: addr=0xc90\n==7==LeakSanitizer has encountered a fatal error.\n"
died = {**test("ERROR", "1..1\nok 1 - one\n", "p:s / a program"), "stderr": fatal}
good_one = test("OK", "1..1\nok 1 - one\n", "p:s / another")
check("a program whose leak checker crashed runs again", again(good_one, died) == (0, "a program"))
check("not one that failed as well", again({**died, "stdout": "not ok 1 - one\n"}) == (0, ""))
check("nor one in which an error was found", again({**died, "stderr": "ERROR: AddressSanitizer: x\n" + fatal}) == (0, ""))
check("nor one that crashed of itself", again(test("ERROR", "1..1\nok 1 - one\n")) == (0, ""))
status, lines = tally("", [good], [died, good_one, {**good_one, "name": died["name"]}])
check("and the second time counts", (status, lines[-1]) == (0, "gpulab: 4 passed, 0 failed, 0 skipped"))
status, lines = tally("", [good], [died, good_one, died])
check("also if it was as bad as the first", (status, lines[-1]) == (1, "gpulab: 4 passed, 1 failed, 0 skipped"))

cmocka = {"name": "a program", "result": "FAIL", "returncode": 0, "stdout": "1..2\nok 1 - one\nnot ok 2 # SKIP needs_a_gpu\n"}
status, lines = tally("", [good], [cmocka])
check("also where meson calls that a failure", (status, lines[-1]) == (0, "gpulab: 3 passed, 0 failed, 1 skipped"))

status, lines = tally("not ok\tlayout\n", [good], [good])
check("a failed check fails the run", (status, lines[-1]) == (1, "gpulab: 4 passed, 1 failed, 0 skipped"))

nothing = test("SKIP", "1..0 # SKIP luaunit is not installed\n", "lua arrays")
status, lines = tally("skipped\tsanitizers: there are none\n", [good, nothing])
check("what is skipped gives its reason", "skipped: log0: lua arrays (luaunit is not installed)" in lines)
check("a check too", (status, lines[-1], lines[1]) == (0, "gpulab: 2 passed, 0 failed, 2 skipped", "skipped: sanitizers: there are none"))

used = [{**test("OK", name=f"p:s / program {number}"), "stderr": f"guard: {number}.50 s of processor time\n"} for number in range(9)]
status, lines = tally("".join(f"used\tpart {number}\t{number}.25\n" for number in range(9)) + "used\tpart 8\t40\n", used, used)
check("core-seconds of parts and programs are at most twelve lines, and no tests", (status, lines[-1]) == (0, "gpulab: 18 passed, 0 failed, 0 skipped") and
      lines[0].startswith("core-seconds, 78 in all") and lines[1:7] == ["    48.2  part 8", "     7.2  part 7", "     6.2  part 6", "     5.2  part 5", "     4.2  part 4",
      "     7.0  everything else"] and lines[7] == "       8.5  log1: program 8" and len(lines) == 14)

status, lines = tally("", [good], None)
check("a build without a log is a failure", (status, lines[-1]) == (1, "gpulab: 2 passed, 1 failed, 0 skipped"))

status, lines = tally("", [good], [])
check("so is a log without tests", (status, lines[-1]) == (1, "gpulab: 2 passed, 1 failed, 0 skipped"))

print(f"1..{count}")
sys.exit(bad > 0)
