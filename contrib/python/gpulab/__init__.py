"""gpulab from Python: run steps, check exercises, start the program."""
from .program import Error, Run, Verdict, check, main, path, run

__all__ = ["Error", "Run", "Verdict", "check", "main", "path", "run"]
