"""Vega-Lite as SVG and PNG: the one place that calls the renderer, which contains the JavaScript engine V8."""

import mmap
from functools import cache
from typing import Any

from justesse.core.errors import FileError

# V8 reserves this much address space, not memory, and ends the whole process without an error if it cannot
RESERVED = (64 << 30) + (512 << 20)


def svg(spec: dict[str, Any]) -> str:
    """Draw a chart as SVG."""
    return str(_renderer().vegalite_to_svg(spec))


def png(spec: dict[str, Any], scale: float) -> bytes:
    """Draw a chart as PNG."""
    return bytes(_renderer().vegalite_to_png(spec, scale=scale))


def script(code: str) -> str:
    """Return the renderer's own JavaScript, with `code` added, for pages that draw in the browser."""
    return str(_renderer().javascript_bundle(code))


@cache
def check_can_draw() -> None:
    """Refuse to draw where a limit on address space (`ulimit -v`) would end the process."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    try:
        mmap.mmap(-1, RESERVED, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except OSError as error:
        raise FileError(
            f"Charts cannot be drawn: the renderer reserves {RESERVED / (1 << 30):.1f} GiB of address space, and "
            f"the limit is {limit / (1 << 30):.1f} GiB. Raise it (ulimit -v unlimited), or leave out pages and charts."
        ) from error


@cache
def _renderer() -> Any:
    check_can_draw()
    import vl_convert

    return vl_convert
