"""The size that an uploaded file has without its compression: a small file may unpack to more than a server reads."""

import zlib
from pathlib import Path

from justesse.core.errors import FileError
from justesse.frames.gzipped import ANY_GZIP
from justesse.frames.logs.first_bytes import GZIP

FREE = 20_000_000  # bytes that any file may unpack to
MOST_TIMES = 50  # how many times its size a file may unpack to, beyond: tables of text reach about 20
PIECE = 1 << 20


def check_unpacked(path: Path, title: str) -> None:
    """Refuse a gzip file that unpacks to far more than its size; nothing beyond that is unpacked.

    >>> import gzip, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.csv.gz"
    ...     _ = path.write_bytes(gzip.compress(bytes(30_000_000)))
    ...     check_unpacked(path, "a.csv.gz")
    Traceback (most recent call last):
    justesse.core.errors.FileError: a.csv.gz unpacks to more than 21 MB, ...
    """
    most = FREE + MOST_TIMES * path.stat().st_size
    size = 0
    with open(path, "rb") as stream:
        packed = stream.read(PIECE)
        if not packed.startswith(GZIP):
            return
        reader = zlib.decompressobj(ANY_GZIP)
        while packed and size <= most:
            try:
                size += len(reader.decompress(packed, PIECE))
            except zlib.error:
                return  # reading it says what is wrong
            if reader.eof:
                packed = reader.unused_data or stream.read(PIECE)
                reader = zlib.decompressobj(ANY_GZIP)
            else:
                packed = reader.unconsumed_tail or stream.read(PIECE)
    if size > most:
        raise FileError(
            f"{title} unpacks to more than {most // 1_000_000} MB, far more than its size. Upload it without "
            "compression, or only the columns that are needed."
        )
