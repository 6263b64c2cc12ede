"""Small audits for the tests of the web page."""

import random
import struct
import zlib

import justesse

CLASSES = ["cat", "dog", "owl"]


def rows(n=120, seed=0, classes=CLASSES, **columns):
    """Make rows on which two classifiers disagree half of the time; the candidate is right more often."""
    dice = random.Random(seed)
    true = [dice.choice(classes) for _ in range(n)]
    old = [name if dice.random() < 0.55 else dice.choice(classes) for name in true]
    new = [name if dice.random() < 0.9 else dice.choice(classes) for name in true]
    return {"id": [f"img-{at:03}" for at in range(n)], "label": true, "old": old, "new": new, **columns}


def start(path, n=120, seed=0, classes=CLASSES, columns=None, **options):
    data = rows(n, seed, classes, **(columns or {}))
    justesse.audit_start(data, incumbent="old", candidate="new", on="id", to=path, **options)
    return dict(zip(data["id"], data["label"], strict=True))


def png(colour=(200, 80, 40), size=64):
    """Make a picture of one colour."""
    lines = b"".join(b"\0" + bytes(colour) * size for _ in range(size))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    ]
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + body
