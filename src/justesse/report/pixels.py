"""A table of very many classes as a picture: one pixel per cell, scaled by the browser."""

import numpy as np

from justesse.charts.png import png_address
from justesse.core.arrays import Array
from justesse.report.document import Figure

LIGHT, DARK = np.array([244, 248, 251]), np.array([0, 63, 110])


def pixel_figure(shares: Array, said: str) -> Figure:
    """Paint shares from light (0) to dark (1); a root scale keeps rare confusions visible.

    >>> pixel_figure(np.eye(2), "two classes").svg[:4]
    '<svg'
    """
    depth = np.sqrt(np.nan_to_num(shares))[..., None]
    pixels = np.rint(LIGHT + depth * (DARK - LIGHT)).astype(np.uint8)
    height, width = shares.shape
    svg = (
        f'<svg aria-hidden="true" viewBox="0 0 520 540" width="520" height="540">'
        f'<image x="24" y="0" width="496" height="496" style="image-rendering:pixelated" preserveAspectRatio="none" '
        f'href="{png_address(pixels)}"/>'
        f'<text x="272" y="524" text-anchor="middle" fill="var(--ink)" font-size="13">prediction: {width} classes</text>'
        f'<text x="12" y="248" text-anchor="middle" fill="var(--ink)" font-size="13" '
        f'transform="rotate(-90 12 248)">label: {height} classes</text></svg>'
    )
    return Figure(svg=svg, said=said)
