#!/usr/bin/env python3
"""The program with --check: what it prints, what it writes as JSON, how it ends."""
import json
import os
import subprocess
import sys
import tempfile

GPULAB, LAB = sys.argv[1], os.path.join(os.path.dirname(os.path.abspath(__file__)), "lab", "reverse.lua")
results = []


def run(*args):
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, XDG_DATA_HOME=home, XDG_STATE_HOME=home, NO_COLOR="1")
        return subprocess.run([GPULAB, "--device", "emu", "--batch", *args], capture_output=True, text=True, env=env,
                              check=False)


def check(name, ok, told=""):
    results.append(ok)
    print(("ok" if ok else "not ok"), len(results), name)
    if not ok:
        print("\n".join("# " + line for line in str(told).splitlines()))


if subprocess.run([GPULAB, "-n", "-e", "assert(gpu.device.nvrtc)", "/dev/null"], capture_output=True,
                  check=False).returncode != 0:
    print("1..0 # SKIP there is no NVRTC")
    sys.exit(0)

plain = run(LAB)
check("without --check nothing is looked for", plain.returncode == 0, plain.stdout + plain.stderr)

found = run("--check", "race", LAB)
check("a finding is exit code 6", found.returncode == 6, found.returncode)
check("the table names the lines", "race at reverse.cu:5 and reverse.cu:4" in found.stdout, found.stdout)
check("the whole sentence is on standard error", "nothing orders the two" in found.stderr, found.stderr)

document = run("--json", "-", "--check", "all", LAB)
steps = {step["id"]: step for step in json.loads(document.stdout)["steps"]}
check("the racy step ends as a finding", steps["racy"]["outcome"] == "finding", steps["racy"]["outcome"])
finding = steps["racy"]["findings"][0]
check("with both sites", [site["line"] for site in finding["sites"]] in ([4, 5], [5, 4]), finding)
check("and its count", finding["check"] == "race" and finding["count"] > 0, finding)
check("the other step is in order", steps["ordered"]["outcome"] == "ok" and steps["ordered"]["findings"] == [], steps)

order = run("--check", "race", os.path.join(os.path.dirname(LAB), "message.lua"))
check("a race that the default order hides is found in another one", order.returncode == 6 and "in order" in order.stdout,
      order.stdout + order.stderr)

wrong = run("--check", "rice", LAB)
check("an unknown check is bad usage", wrong.returncode == 64 and "did you mean race?" in wrong.stderr, wrong.stderr)

late = run(LAB, "--check=sync,unused")
check("other checkers find nothing in it", late.returncode == 0, late.stdout + late.stderr)

print("1..%d" % len(results))
sys.exit(0 if all(results) else 1)
