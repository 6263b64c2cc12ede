"""Gzip files, read to their end."""

import zlib
from collections.abc import Callable
from pathlib import Path

PIECE = 1 << 22
ANY_GZIP = 31  # zlib's word for a window of any size with a gzip header


def read_to_end(path: Path, look: Callable[[bytes], None]) -> bool:
    """Decompress a file piece by piece, check its checksums, and return whether zero bytes follow its end.

    Tapes and block stores pad files with zeros. Python and gunzip skip them; DuckDB does not.

    >>> import gzip, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "padded.gz"
    ...     _ = path.write_bytes(gzip.compress(b"a,b") + bytes(512))
    ...     read_to_end(path, print)
    b'a,b'
    True
    """
    reader = zlib.decompressobj(ANY_GZIP)
    with open(path, "rb") as stream:
        packed = stream.read(PIECE)
        while packed:
            if piece := reader.decompress(packed, PIECE):
                look(piece)
            packed = reader.unconsumed_tail
            if reader.eof:
                packed = reader.unused_data or stream.read(PIECE)
                if packed[:1] == b"\0":
                    return True
                reader = zlib.decompressobj(ANY_GZIP)
                if not packed:
                    return False
            elif not packed:
                packed = stream.read(PIECE)
    raise EOFError("it ends too early")
