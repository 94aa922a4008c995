"""%gpulab and %%gpulab in IPython, and kernels of a cell as Python functions."""
from __future__ import annotations

import base64
import math
from types import SimpleNamespace
from typing import Any, Dict, List, Optional

import numpy
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand

from .front import Front, Screen
from .program import Error


def packed(argument: Any) -> Any:
    """A number as it is, or by the name of one that JSON has not; an array with its type and bytes."""
    if isinstance(argument, numpy.generic):
        argument = argument.item()
    if isinstance(argument, float) and not math.isfinite(argument):
        return str(argument)
    if isinstance(argument, (int, float)):
        return argument
    if not isinstance(argument, numpy.ndarray):
        raise TypeError(f"a kernel's argument is a number or a numpy array, not {type(argument).__name__}")
    values = numpy.ascontiguousarray(argument, dtype=argument.dtype.newbyteorder("<"))
    return {"dtype": argument.dtype.name, "data": base64.b64encode(values.tobytes()).decode()}


def place_of(argument: Any) -> Any:
    """What two views of the same elements have in common; of anything else, itself."""
    if not isinstance(argument, numpy.ndarray):
        return object()
    return tuple(str(argument.__array_interface__[key]) for key in ("data", "shape", "strides", "typestr"))


class Kernel:
    """A compiled kernel: kernel[grid, block](arguments), as in kernel[64, 256](a, b, n). numpy arrays that the kernel
    writes are written in place."""

    def __init__(self, front: Front, name: str, signature: str):
        self._front, self.name, self.signature = front, name, signature

    def __repr__(self) -> str:
        return self.signature

    def __getitem__(self, shape: Any) -> Any:
        if not isinstance(shape, tuple) or not 2 <= len(shape) <= 3:
            raise TypeError("a launch is k[grid, block](...) or k[grid, block, shared_bytes](...)")

        def launch(*arguments: Any) -> None:
            grid, block, *shared = [numpy.ravel(size).tolist() for size in shape]
            places = [place_of(argument) for argument in arguments]  # an array that is given twice is one array
            answer = self._front.shown(
                "launch", kernel=self.name, grid=grid, block=block, shared=shared[0][0] if shared else None,
                arguments=[packed(argument) if places.index(places[i]) == i else {"same": places.index(places[i])}
                           for i, argument in enumerate(arguments)])
            for written in answer["arguments"]:
                target = arguments[written["index"]]
                if any(isinstance(other, numpy.ndarray) and places[i] != places[written["index"]] and numpy.shares_memory(other, target)
                       for i, other in enumerate(arguments)):
                    raise TypeError("the kernel wrote an array that overlaps another argument; give it copies, as each array is sent alone")
                values = numpy.frombuffer(base64.b64decode(written["data"]), dtype=target.dtype.newbyteorder("<"))
                target[...] = values.reshape(target.shape)

        return launch


class Kernels(SimpleNamespace):
    """The kernels of the last cell: k.scale[64, 256](a), and k["tile<32>"] of a template. With one kernel, k is that kernel, too."""

    def __init__(self, front: Front, rows: List[Dict[str, Any]]):
        super().__init__(**{row["name"]: Kernel(front, row["name"], row.get("signature") or row["name"]) for row in rows})

    def __getitem__(self, shape: Any) -> Any:
        first, *more = vars(self).values()
        if isinstance(shape, str):
            return Kernel(first._front, shape, shape)
        if more:
            raise TypeError(f"k has {1 + len(more)} kernels; name one: {', '.join(vars(self))}")
        return first[shape]

    def __repr__(self) -> str:
        return "\n".join(map(repr, vars(self).values()))


@magics_class
class GpulabMagics(Magics):
    def __init__(self, shell: Any):
        super().__init__(shell)
        self.front = Front(Screen())

    @no_var_expand  # braces are Lua's
    @line_cell_magic
    def gpulab(self, line: str, cell: Optional[str] = None) -> None:
        """%gpulab LINE is a line of gpulab's prompt, or opens a lab or a file; %%gpulab is a cell of CUDA C++:
        docs/guide/notebooks.md lists what both do."""
        try:
            answer = self.front.line(line) if cell is None else self.front.cell(line, cell)
        except KeyboardInterrupt:
            raise Error("interrupted", 130, "interrupted") from None
        if answer and answer.get("kernels"):
            self.shell.user_ns["k"] = Kernels(self.front, answer["kernels"])
