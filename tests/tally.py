#!/usr/bin/env python3
"""Counts what the tests reported and prints the one line CI reads.

    tests/tally.py CHECKS TESTLOG.json...
    tests/tally.py --again TESTLOG.json

CHECKS holds "ok<tab>name", "not ok<tab>name", "skipped<tab>name" and "used<tab>name<tab>core-seconds" lines. A test log is what `meson test` leaves: one JSON object a line, with the
test's result and its output. Where the output is TAP each of its points counts as a test; a program that ends badly
without a failed point (it crashed, or ran too long) counts as one more failure, and so does a log that is missing or without any test. Of a
program that stands in a log twice, which was run again, the second time counts.

Above it are the core-seconds of the parts of the run, and the five programs that used most, by what tests/guard.py says of each.

--again prints the programs to run again: those of which there is nothing to say because the leak checker, which looks at a
process that has ended its work, crashed itself ("Tracer caught signal 11"; seen once in some thousand runs with gcc 12).
"""
import json
import os
import re
import sys

POINT = re.compile(r"^\s*(not )?ok\b\s*\d*\s*-?\s*(.*)$")
NOTHING = re.compile(r"^1\.\.0\s*#\s*skip\S*(.*)$", re.IGNORECASE | re.MULTILINE)
USED = re.compile(r"^guard: ([\d.]+) s of processor time", re.MULTILINE)
SKIP = re.compile(r"#\s*skip\S*\s*(.*)$", re.IGNORECASE)


def with_reason(name, reason):
    return f"{name} ({reason})" if name and reason else name or reason


def points(output):
    """(status, name) for each TAP point of a program's output; status is passed, failed or skipped."""
    for line in output.splitlines():
        point = POINT.match(line)
        if not point:
            continue
        skip = SKIP.search(point.group(2))
        if skip:
            yield "skipped", with_reason(point.group(2)[: skip.start()].strip(), skip.group(1).strip())
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
        reason = NOTHING.search(test.get("stdout") or "")
        return found or [("skipped", with_reason(name, reason.group(1).strip() if reason else ""))]
    if result == "FAIL" and test.get("returncode") == 0 and told and not failed:
        return found  # cmocka writes "not ok 3 # SKIP", which meson takes for a failure and TAP does not
    if not failed:
        found.append(("failed", f"{name}: {result.lower()}, exit status {test.get('returncode')}"))
    return found


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as lines:
        tests = [json.loads(line) for line in lines if line.strip()]
    return list({test["name"]: test for test in tests}.values())


def leak_checker_died(test):
    told = (test.get("stdout") or "") + (test.get("stderr") or "")
    if test["result"] in ("OK", "SKIP") or "LeakSanitizer has encountered a fatal error" not in told:
        return False
    found_something = "ERROR: AddressSanitizer" in told or "ERROR: LeakSanitizer" in told or "runtime error:" in told
    return not found_something and all(status != "failed" for status, _ in points(test.get("stdout") or ""))


def log(path):
    suite = os.path.splitext(os.path.basename(path))[0]
    tests = read(path)
    if not tests:
        return [("failed", f"{suite}: no test ran")]
    return [(status, f"{suite}: {name}") for test in tests for status, name in program(test)]


def costs(path, paths):
    """At most twelve lines: core-seconds of the costliest parts, and of the five costliest programs of all logs."""
    parts, programs = {}, []
    for name, seconds in (row[1:] for row in rows(path) if row[0] == "used"):
        parts[name] = parts.get(name, 0) + float(seconds)
    for log_path in paths:
        suite = os.path.splitext(os.path.basename(log_path))[0]
        for test in read(log_path):
            seconds = USED.search(test.get("stderr") or "")
            if seconds:
                programs.append((float(seconds.group(1)), f"{suite}: {test['name'].split(' / ')[-1]}"))
    if not parts:
        return []
    whole, most = sum(parts.values()), sorted(((seconds, name) for name, seconds in parts.items()), reverse=True)[:5]
    most.append((whole - sum(seconds for seconds, _ in most), "everything else"))
    lines = [f"  {seconds:6.1f}  {name}" for seconds, name in most] + [f"    {seconds:6.1f}  {name}" for seconds, name in sorted(programs, reverse=True)[:5]]
    return [f"core-seconds, {whole:.0f} in all; below them the costliest test programs:", *lines]


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def checks(path):
    for status, name, *_ in rows(path):
        if status != "used":
            yield {"ok": "passed", "skipped": "skipped"}.get(status, "failed"), name


def main(arguments):
    if arguments[0] == "--again":
        print(*(test["name"].split(" / ")[-1] for test in read(arguments[1]) if leak_checker_died(test)), sep="\n", end="")
        return 0
    found = list(checks(arguments[0]))
    for path in arguments[1:]:
        found += log(path)
    count = {status: sum(1 for s, _ in found if s == status) for status in ("passed", "failed", "skipped")}
    print(*costs(arguments[0], arguments[1:]), "", sep="\n")
    for status in ("skipped", "failed"):
        for s, name in found:
            if s == status:
                print(f"{status}: {name}")
    print(f"gpulab: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped", flush=True)
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
