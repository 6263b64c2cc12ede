"""The audits that are open in this process, one desk each."""

import asyncio
import threading
from pathlib import Path

from fastapi import HTTPException, Request

from justesse.store.address import AuditAddress
from justesse.verbs.audit.desk import AuditDesk
from justesse.web.access import person_of
from justesse.web.pages import settings_of
from justesse.web.shelf import Shelf


class Desks:
    """Open each audit once; an audit whose file was replaced is opened again."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._open: dict[str, tuple[object, AuditDesk]] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> AuditDesk | None:
        """Return the desk of an audit; `None` if there is no audit of this name."""
        place = self.shelf.place(name)
        if place is None:
            return None
        stamp = _stamp(place)
        kept = self._open.get(name)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        with self._lock:
            kept = self._open.get(name)
            if kept is None or kept[0] != stamp:
                if kept is not None:
                    kept[1].close()
                self._open[name] = kept = (stamp, AuditDesk(place))
        return kept[1]

    def still_open(self, name: str) -> AuditDesk | None:
        """Return the desk of an audit that is open and was not replaced; quick enough to be asked at every request."""
        kept = self._open.get(name)
        if kept is None or kept[1].closed:
            return None
        path = kept[1].file.path
        try:
            # an audit of a store is never replaced by another
            return kept[1] if not isinstance(path, Path) or _stamp(path) == kept[0] else None
        except OSError:
            return None

    def close(self) -> None:
        """Close all."""
        with self._lock:
            for _, desk in self._open.values():
                desk.close()
            self._open.clear()


def _stamp(place: Path | AuditAddress) -> object:
    """Return what tells an audit from another that replaced it."""
    if not isinstance(place, Path):
        return str(place)
    state = place.stat()
    return state.st_dev, state.st_ino


async def desk_of(request: Request, audit: str) -> AuditDesk:
    """Return the desk of an audit that the person may see; others do not learn whether it exists."""
    desks: Desks = request.app.state.desks
    desk = None
    if person_of(request).sees(audit):
        desk = desks.still_open(audit) or await asyncio.to_thread(desks.get, audit)
    if desk is None:
        raise HTTPException(404, f"There is no audit {audit[:100]!r} in {settings_of(request).shelf.title}.")
    return desk
