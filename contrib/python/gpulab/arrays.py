"""numpy arrays as arguments of a launch, and back."""
from __future__ import annotations

import base64
from typing import Any, Dict, Iterable, Sequence


def packed(argument: Any) -> Any:
    """A number as it is; an array with its type, shape and bytes."""
    import numpy

    if isinstance(argument, (bool, int, float)):
        return argument
    if isinstance(argument, numpy.generic):
        return argument.item()
    if not isinstance(argument, numpy.ndarray):
        raise TypeError(f"a kernel's argument is a number or a numpy array, not {type(argument).__name__}")
    values = numpy.ascontiguousarray(argument, dtype=argument.dtype.newbyteorder("<"))
    data = base64.b64encode(values.tobytes()).decode()
    return {"dtype": argument.dtype.name, "shape": list(argument.shape), "data": data}


def take(written: Iterable[Dict[str, Any]], arguments: Sequence[Any]) -> None:
    """Copies what the kernel wrote into the arrays that were given."""
    import numpy

    for row in written:
        target = arguments[row["index"]]
        values = numpy.frombuffer(base64.b64decode(row["data"]), dtype=target.dtype.newbyteorder("<"))
        target[...] = values.reshape(target.shape)
