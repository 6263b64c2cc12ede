"""ZIP archives whose members may be compressed with zstd, read within limits of size."""

import struct
import zipfile
import zlib
from collections import Counter
from pathlib import Path

from justesse.core.errors import FileError

ZSTD = 93  # the method that zipfile of Python 3.11 refuses
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTD)
LARGEST_MEMBER = 1 << 29
MOST_TIMES = 200  # how many times its size an archive may unpack to, beyond
FREE = 1 << 28  # this many bytes
LOCAL_HEADER = struct.Struct("<4s5H3L2H")


class Archive:
    """An opened archive. Members are unpacked one at a time, so that memory holds one of them.

    `rewritten` names the members that occur several times with different contents; the last one is read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with zipfile.ZipFile(path) as archive:
                members = [member for member in archive.infolist() if not member.is_dir()]
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
            raise FileError(
                f"{path} is a damaged or incomplete ZIP archive ({error}). The run may have been stopped while it was "
                "written. Copy the log again, or run the evaluation again."
            ) from error
        self._members = {member.filename: member for member in members}
        contents = {(member.filename, member.CRC, member.file_size) for member in members}
        self.rewritten = {name for name, n in Counter(name for name, *_ in contents).items() if n > 1}
        self._check_sizes(members)

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def read(self, name: str) -> bytes:
        """Unpack a member, and check its length and checksum."""
        member = self._members[name]
        try:
            if member.compress_type == ZSTD:
                raw = self._unpacked_zstd(member)
            else:
                with zipfile.ZipFile(self.path) as archive, archive.open(member) as stream:
                    raw = stream.read(member.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise FileError(f"{self.path}: {name} is damaged ({error}). Copy the log again.") from error
        if len(raw) != member.file_size or zlib.crc32(raw) != member.CRC:
            raise FileError(f"{self.path}: {name} is damaged: its length or checksum is wrong. Copy the log again.")
        return raw

    def _check_sizes(self, members: list[zipfile.ZipInfo]) -> None:
        size = self.path.stat().st_size
        unpacked = sum(member.file_size for member in members)
        if unpacked > FREE + MOST_TIMES * size or sum(member.compress_size for member in members) > size:
            raise FileError(
                f"{self.path} would unpack to {unpacked >> 20:,} MiB, more than {MOST_TIMES} times its size: this is "
                "not a log. Check where it comes from."
            )
        for member in members:
            if member.file_size > LARGEST_MEMBER:
                raise FileError(
                    f"{self.path}: {member.filename} would unpack to {member.file_size >> 20:,} MiB. Samples of at "
                    f"most {LARGEST_MEMBER >> 20} MiB are read. Log fewer events per sample."
                )
            if member.compress_type not in METHODS:
                raise FileError(
                    f"{self.path}: {member.filename} is compressed with method {member.compress_type}. Deflate and "
                    "zstd are read. Write the archive again."
                )
            if member.flag_bits & 1:
                raise FileError(f"{self.path}: {member.filename} is encrypted. Unpack the log first.")

    def _unpacked_zstd(self, member: zipfile.ZipInfo) -> bytes:
        import pyarrow as pa

        with open(self.path, "rb") as stream:
            stream.seek(member.header_offset)
            header = stream.read(LOCAL_HEADER.size)
            if len(header) < LOCAL_HEADER.size or header[:4] != b"PK\x03\x04":
                raise zipfile.BadZipFile("its header is missing")
            *_, name_length, extra_length = LOCAL_HEADER.unpack(header)
            stream.seek(name_length + extra_length, 1)
            packed = stream.read(member.compress_size)
        # one byte more than announced shows that a member is longer than it says
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as unpacking:
            return bytes(unpacking.read(member.file_size + 1))
