"""The body of a request: counted as it arrives, given up if it is too large or too slow."""

import asyncio

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

SLOWEST = 10_000  # bytes per second
TOO_LARGE = "This is too large. Send less."
LINGER_SECONDS, LINGER_BYTES = 5.0, 200_000_000


class LimitedBody:
    """Receive a body of at most so many bytes, from a sender that takes at most so many seconds.

    A long upload may take its time, as long as it goes on.
    """

    def __init__(self, receive: Receive, most: int, patience: float) -> None:
        self._receive, self._most = receive, most
        self._size, self.ended = 0, False
        self._until = asyncio.get_running_loop().time() + patience

    async def receive(self) -> Message:
        """Return the next part; later, wait for the end of the connection, however long an answer goes on."""
        if self.ended:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until + self._size / SLOWEST):
                message = await self._next()
        except TimeoutError as error:
            raise HTTPException(408, "The request took too long to arrive. Send it again.") from error
        if self._size > self._most:
            raise HTTPException(413, TOO_LARGE)
        return message

    async def has_arrived(self) -> bool:
        """Tell whether all of the body is here, without waiting; what is here and not wanted is thrown away."""
        await self.drain(0)
        return self.ended

    async def drain(self, seconds: float | None = None) -> None:
        """Throw away what is still to come of a body that nobody wants, for a few seconds at most."""
        try:
            async with asyncio.timeout(LINGER_SECONDS if seconds is None else seconds):
                while not self.ended and self._size < self._most + LINGER_BYTES:
                    await self._next()
        except TimeoutError:
            pass

    async def _next(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        self.ended = not message.get("more_body", False)
        return message
