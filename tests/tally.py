#!/usr/bin/env python3
"""Counts what the tests reported and prints the one line CI reads.

    tests/tally.py CHECKS TESTLOG.json...

CHECKS holds "ok<tab>name" or "not ok<tab>name" lines. A test log is what `meson test` leaves: one JSON object a line, with the
test's result and its output. Where the output is TAP each of its points counts as a test; a program that ends badly
without a failed point (it crashed, or ran too long) counts as one more failure, and so does a log without any test.
"""
import json
import os
import re
import sys

POINT = re.compile(r"^\s*(not )?ok\b\s*\d*\s*-?\s*(.*)$")
SKIP = re.compile(r"#\s*skip\S*\s*(.*)$", re.IGNORECASE)


def points(output):
    """(status, name) for each TAP point of a program's output; status is passed, failed or skipped."""
    for line in output.splitlines():
        point = POINT.match(line)
        if not point:
            continue
        skip = SKIP.search(point.group(2))
        if skip:
            yield "skipped", (point.group(2)[: skip.start()].strip() or skip.group(1)).strip()
        else:
            yield ("failed" if point.group(1) else "passed"), point.group(2).strip()


def program(test):
    """(status, name) for everything one program reported."""
    name, result = test["name"], test["result"]
    told = list(points(test.get("stdout") or ""))
    found = [(status, f"{name}: {point}" if point else name) for status, point in told]
    failed = any(status == "failed" for status, _ in told)
    if result in ("OK", "EXPECTEDFAIL"):
        return found or [("passed", name)]
    if result == "SKIP":
        return found or [("skipped", name)]
    if result == "FAIL" and test.get("returncode") == 0 and told and not failed:
        return found  # cmocka writes "not ok 3 # SKIP", which meson takes for a failure and TAP does not
    if not failed:
        found.append(("failed", f"{name}: {result.lower()}, exit status {test.get('returncode')}"))
    return found


def log(path):
    suite = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8", errors="replace") as lines:
        tests = [json.loads(line) for line in lines if line.strip()]
    if not tests:
        return [("failed", f"{suite}: no test ran")]
    return [(status, f"{suite}: {name}") for test in tests for status, name in program(test)]


def checks(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            status, _, name = line.rstrip("\n").partition("\t")
            yield ("passed" if status == "ok" else "failed"), name


def main(arguments):
    found = list(checks(arguments[0]))
    logs = [path for path in arguments[1:] if os.path.exists(path)]
    for path in logs:
        found += log(path)
    if len(logs) < 2:
        found.append(("failed", f"{2 - len(logs)} of 2 builds left no test log"))
    count = {status: sum(1 for s, _ in found if s == status) for status in ("passed", "failed", "skipped")}
    print()
    for status in ("skipped", "failed"):
        for s, name in found:
            if s == status:
                print(f"{status}: {name}")
    print(f"gpulab: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped", flush=True)
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
