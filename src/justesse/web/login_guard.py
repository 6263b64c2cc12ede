"""How many passwords are checked at once and in a minute, so that guesses neither succeed nor take the machine."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from justesse.web.people import Person, Users

PER_SECONDS = 60.0
TRIES, TRIES_OF_ALL = 5, 40  # failed attempts in a minute: with one name, and with any
CHECKED_AT_ONCE, MOST_WAITING = 2, 10
MOST_NAMES = 10_000


class TooManyAttemptsError(Exception):
    """Nobody looks at the password, because there were too many attempts."""


class LoginGuard:
    """Check passwords, a few at a time, on threads that nothing else needs.

    Checking one takes a tenth of a second of a whole machine on purpose. Whoever has a session, or a link, is not
    concerned: neither needs a password.
    """

    def __init__(self) -> None:
        self._failed: dict[str, _Attempts] = {}
        self._all = _Attempts(TRIES_OF_ALL)
        self._waiting = 0
        self._threads = ThreadPoolExecutor(CHECKED_AT_ONCE, thread_name_prefix="passwords")

    async def checked(self, people: Users, name: str, password: str) -> Person | None:
        """Return the person if the password is right; refuse to look if there were too many attempts."""
        if len(self._failed) > MOST_NAMES:
            self._failed.clear()
        own = self._failed.setdefault(name[:100], _Attempts(TRIES))
        if own.many() or self._all.many() or self._waiting >= MOST_WAITING:
            raise TooManyAttemptsError
        at = time.monotonic()
        for attempts in (own, self._all):  # before the password is looked at, so that tries at the same time count
            attempts.add(at)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            person = await loop.run_in_executor(self._threads, people.checked, name, password)
        finally:
            self._waiting -= 1
        if person is not None:
            for attempts in (own, self._all):
                attempts.forget(at)
        return person


class _Attempts:
    """Attempts to log in within the last minute that failed, or whose password is being checked."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: list[float] = []

    def many(self) -> bool:
        self._times = [at for at in self._times if at > time.monotonic() - PER_SECONDS]
        return len(self._times) >= self._most

    def add(self, at: float) -> None:
        self._times.append(at)

    def forget(self, at: float) -> None:
        if at in self._times:
            self._times.remove(at)
