"""The types of arrays: of any values, and of floating-point numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FloatArray = NDArray[np.float64]
