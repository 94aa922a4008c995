"""The program gpulab: where it is, and what it answers."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Mapping, NoReturn, Optional, Sequence


class Error(Exception):
    """gpulab could not do what was asked. `exit_code` is the program's (5: something needed is missing, 64: bad usage)."""

    def __init__(self, message: str, exit_code: int = 5, category: str = "setup"):
        super().__init__(message)
        self.exit_code = exit_code
        self.category = category

    def _render_traceback_(self) -> List[str]:  # in a notebook: the message alone
        return [f"gpulab: {self}"]


def path() -> str:
    """The program's file: GPULAB_PROGRAM, or the one in this package."""
    own = Path(__file__).with_name("program") / "bin" / "gpulab"
    found = os.environ.get("GPULAB_PROGRAM") or str(own)
    if not os.access(found, os.X_OK):
        raise Error(f"gpulab's program is not at {found}; set GPULAB_PROGRAM to its file")
    return found


def main(arguments: Optional[Sequence[str]] = None) -> NoReturn:
    """Becomes gpulab with these arguments, by default those of this process."""
    program = path()
    sys.stdout.flush()
    os.execv(program, ["gpulab", *(sys.argv[1:] if arguments is None else arguments)])


def _document(arguments: Sequence[str]) -> Dict[str, Any]:
    done = subprocess.run([path(), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if not done.stdout.strip():
        raise Error(done.stderr.strip() or "gpulab answered nothing", done.returncode)
    return json.loads(done.stdout)


def run(lab: str, step: Optional[str] = None, *, device: Optional[str] = None, models: Sequence[str] = (),
        parameters: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    """Runs a step of a lab, or all of them: the document that docs/reference/json.md describes. The lab is a number
    ("3"), a name ("bank-conflicts"), or a file."""
    words = ["--batch", "--json", "-"]
    words += ["--step", step] if step else []
    words += ["--device", device] if device else []
    for model in models:
        words += ["--model", model]
    for name, value in (parameters or {}).items():
        words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    return _document([*words, str(lab)])


def check(lab: str, exercise: str, file: Optional[str] = None, *, device: Optional[str] = None) -> Dict[str, Any]:
    """Checks a file, by default your copy of the exercise: the verdict as docs/reference/json.md describes it."""
    words = ["--device", device] if device else []
    words += ["check", "--json", "-", str(lab), exercise]
    return _document([*words, file] if file else words)
