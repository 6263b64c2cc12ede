"""The type of an array of any kind of number."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
