"""gpulab from Python: run steps, check exercises, start the program. In a notebook: %load_ext gpulab."""
from __future__ import annotations

from typing import Any

from .program import Error, check, main, path, run

__all__ = ["Error", "check", "main", "path", "run", "load_ipython_extension"]


def load_ipython_extension(shell: Any) -> None:
    """%load_ext gpulab: the magics %gpulab and %%gpulab."""
    from .magics import GpulabMagics

    shell.register_magics(GpulabMagics)
