"""A store as the place of a server's audits and evaluations."""

from pathlib import Path

from justesse.store.address import LONGEST, AuditAddress, StoreAddress
from justesse.store.database import Store, open_store
from justesse.store.stored_audit import has_audit, listed_audits


class StoreShelf:
    """The audits of a store; images and tables are in a directory, if there is one."""

    def __init__(self, address: StoreAddress, folder: Path | None = None) -> None:
        self.store = address
        self._folder = None if folder is None else folder.resolve()
        open_store(address, create=True)

    @property
    def title(self) -> str:
        return self.store.file.stem if self.store.file is not None else str(self.store.url.database)

    @property
    def folder(self) -> Path | None:
        return self._folder

    def audits(self) -> list[str]:
        """List the audits."""
        return sorted(audit.name for audit in listed_audits(open_store(self.store)))

    def place(self, name: str) -> AuditAddress | None:
        """Return the address of an audit; `None` if there is none of this name."""
        if not 0 < len(name) <= LONGEST or "\0" in name:
            return None
        return AuditAddress(self.store, name) if has_audit(open_store(self.store), name) else None

    def new(self, name: str) -> AuditAddress:
        return AuditAddress(self.store, name)


def evaluations_of(place: StoreAddress, *, create: bool = False) -> Store | None:
    """Open the store of a server's evaluations; `None` if there is none yet and none is to be made."""
    if not create and place.file is not None and not place.file.exists():
        return None
    return open_store(place, create=create)
