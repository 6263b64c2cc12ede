"""A table of very many classes as a picture: one pixel per cell, scaled by the browser."""

import base64
import struct
import zlib

import numpy as np

from justesse.measures.confusion import Array
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
    image = base64.b64encode(_png(pixels)).decode()
    svg = (
        f'<svg aria-hidden="true" viewBox="0 0 520 540" width="520" height="540">'
        f'<image x="24" y="0" width="496" height="496" style="image-rendering:pixelated" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{image}"/>'
        f'<text x="272" y="524" text-anchor="middle" fill="var(--ink)" font-size="13">prediction: {width} classes</text>'
        f'<text x="12" y="248" text-anchor="middle" fill="var(--ink)" font-size="13" '
        f'transform="rotate(-90 12 248)">label: {height} classes</text></svg>'
    )
    return Figure(svg, said)


def _png(pixels: Array) -> bytes:
    """Write 8-bit RGB rows as a PNG."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), dtype=np.uint8), pixels.reshape(height, -1)], axis=1).tobytes()

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
