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
    """Find an Ed25519 key in the running SSH agent; `name` is a part of its comment, if it has several."""
    place = os.environ.get("SSH_AUTH_SOCK")
    if not place:
        raise InputError("No SSH agent is running: SSH_AUTH_SOCK is not set. Start one, or sign with a key file.")
    answer = _asked(place, bytes([LIST]))
    if answer[:1] != bytes([LISTED]):
        raise InputError("The SSH agent does not list its keys. Unlock it, or sign with a key from a file.")
    (many,), rest = struct.unpack(">I", answer[1:5]), answer[5:]
    keys = []
    for _ in range(many):
        blob, rest = _unpacked(rest)
        comment, rest = _unpacked(rest)
        if _unpacked(blob)[0] == KIND and (name or "") in comment.decode(errors="replace"):
            keys.append((blob, comment.decode(errors="replace")))
    if len(keys) != 1:
        comments = ", ".join(repr(comment) for _, comment in keys) or "none"
        raise InputError(f"The SSH agent must hold one such Ed25519 key; it has {comments}. Use --sign agent:COMMENT.")
    return AgentKey(keys[0][0], place)


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
