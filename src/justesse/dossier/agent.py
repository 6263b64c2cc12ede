"""An Ed25519 key that an SSH agent holds: the private key never leaves the agent."""

import base64
import os
import socket
import struct
from dataclasses import dataclass

from justesse.core.errors import InputError

LIST, LISTED, SIGN, SIGNED = 11, 12, 13, 14
KIND = b"ssh-ed25519"
MOST = 1 << 18


@dataclass(frozen=True)
class AgentKey:
    """A key by its public half; the agent signs."""

    blob: bytes
    place: str

    @property
    def public_key(self) -> str:
        return base64.b64encode(self.blob[-32:]).decode()

    def sign(self, message: bytes) -> bytes:
        answer = _asked(self.place, bytes([SIGN]) + _packed(self.blob) + _packed(message) + struct.pack(">I", 0))
        if answer[:1] != bytes([SIGNED]):
            raise InputError("The SSH agent refused to sign. Unlock it, or sign with a key from a file.")
        kind, rest = _unpacked(_unpacked(answer[1:])[0])
        value, _ = _unpacked(rest)
        if kind != KIND or len(value) != 64:
            raise InputError("The SSH agent did not give an Ed25519 signature. Sign with a key from a file.")
        return value


def agent_key(name: str | None = None) -> AgentKey:
    """Find an Ed25519 key in the running SSH agent; `name` is its comment or a part of it."""
    place = os.environ.get("SSH_AUTH_SOCK")
    if not place:
        raise InputError("No SSH agent is running: SSH_AUTH_SOCK is not set. Start one, or sign with a key file.")
    keys, others = _keys(place)
    named = [key for key in keys if key[1] == name] or [key for key in keys if (name or "") in key[1]]
    if len(named) == 1:
        return AgentKey(named[0][0], place)
    if not keys:
        beside = f"; it has {others} of other kinds" if others else ""
        raise InputError(
            f"The SSH agent has no Ed25519 key{beside}. Add one with ssh-add, unlock the agent if it is locked, or "
            "sign with a key file."
        )
    comments = ", ".join(repr(comment) for _, comment in keys)
    if name is None:
        raise InputError(f"The SSH agent has {len(keys)} Ed25519 keys: {comments}. Name one with --sign agent:COMMENT.")
    many = "several Ed25519 keys" if named else "no Ed25519 key"
    raise InputError(f"The SSH agent has {many} with {name!r} in the comment. Comments: {comments}.")


def _keys(place: str) -> tuple[list[tuple[bytes, str]], int]:
    """List the Ed25519 keys that an agent holds, with their comments, and count the keys of other kinds."""
    answer = _asked(place, bytes([LIST]))
    if answer[:1] != bytes([LISTED]):
        raise InputError("The SSH agent does not list its keys. Unlock it, or sign with a key from a file.")
    keys, others, rest = [], 0, answer[5:]
    for _ in range(int.from_bytes(answer[1:5], "big")):
        blob, rest = _unpacked(rest)
        comment, rest = _unpacked(rest)
        if _unpacked(blob)[0] == KIND:
            keys.append((blob, comment.decode(errors="replace")))
        else:
            others += 1
    return keys, others


def _packed(value: bytes) -> bytes:
    return struct.pack(">I", len(value)) + value


def _unpacked(value: bytes) -> tuple[bytes, bytes]:
    if len(value) < 4 or len(value) < 4 + (size := struct.unpack(">I", value[:4])[0]):
        raise InputError("The SSH agent's answer is incomplete. Sign with a key from a file.")
    return value[4 : 4 + size], value[4 + size :]


def _asked(place: str, request: bytes) -> bytes:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as agent:
            agent.settimeout(60)  # a person may have to confirm
            agent.connect(place)
            agent.sendall(_packed(request))
            (size,) = struct.unpack(">I", _received(agent, 4))
            if size > MOST:
                raise InputError("The SSH agent's answer is too long. Sign with a key from a file.")
            return _received(agent, size)
    except OSError as error:
        raise InputError(f"The SSH agent does not answer ({error}). Sign with a key file.") from error


def _received(agent: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = agent.recv(size - len(parts))
        if not part:
            raise OSError("it closed the connection")
        parts += part
    return parts
