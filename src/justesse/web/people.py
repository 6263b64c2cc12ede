"""Who uses the page: owners, experts and readers, and their passwords."""

import hashlib
import json
import os
import threading
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from justesse.core.errors import FileError, OptionError
from justesse.core.extras import require
from justesse.core.first_names import first_names

Role = Literal["owner", "expert", "reader"]
ROLES: tuple[Role, ...] = get_args(Role)
LONGEST_NAME = 100
# what turns the direction of text, or has no width: a name with one can look like another name
UNSEEN = frozenset("\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")


@dataclass(frozen=True)
class Person:
    """A person, what the person may do, and with which audits; `None` stands for all audits."""

    name: str
    role: Role
    audits: tuple[str, ...] | None = None

    @property
    def sees_all(self) -> bool:
        """Whether this person may see more than certain audits."""
        return self.role == "owner" or self.audits is None

    def sees(self, audit: str) -> bool:
        """Tell whether an audit is assigned to this person."""
        return self.sees_all or audit in (self.audits or ())


class Users:
    """Named users from a file, and one owner's password if there is one.

    The file is JSON: `{"ann": {"role": "expert", "audits": ["my.audit"], "password": "$argon2id$…"}}`. It is read again
    when it changes, so that a user who was removed has no access from then on.
    """

    def __init__(self, *, owner: str, password: str | None = None, file: Path | None = None) -> None:
        self.owner, self.file = owner, file
        self._hash = None if password is None else hashed(password)
        self._password = None if password is None else hashlib.sha256(password.encode()).hexdigest()
        self._stamp: tuple[int, int] | None = None
        self._users: dict[str, tuple[Person, str]] = {}
        self._lock = threading.Lock()
        if file is not None:
            self._read(file)
        if self._hash is not None and owner in self._users:
            raise OptionError(
                f"{owner!r} is the owner who logs in with --password, and a user of {file} as well. Rename the "
                "user, or give the user the role owner and leave out --password."
            )

    @property
    def can_log_in(self) -> bool:
        """Whether anybody has a password."""
        return self._hash is not None or self.file is not None

    def named(self, name: str) -> Person | None:
        """Return the person with a password of this name."""
        user = self._accounts().get(name)
        return user[0] if user else None

    def secret(self, name: str) -> str | None:
        """Return what changes with a person's password; `None` if nobody of this name has one. Never send it."""
        if self._password is not None and name == self.owner:
            return self._password  # its hash has another salt whenever the server starts
        user = self._current().get(name)
        return user[1] if user else None

    def checked(self, name: str, password: str) -> Person | None:
        """Return the person if the password is right; a wrong name takes as long as a wrong password."""
        user = self._accounts().get(name)
        right = matches(user[1] if user else _nobody(), password)
        return user[0] if user and right else None

    def _accounts(self) -> dict[str, tuple[Person, str]]:
        """Return everybody with a password; the owner of this server is nobody else, whatever the file says later."""
        own = {} if self._hash is None else {self.owner: (Person(self.owner, "owner"), self._hash)}
        return {**self._current(), **own}

    def _current(self) -> dict[str, tuple[Person, str]]:
        if self.file is None:
            return {}
        with self._lock:
            try:
                state = self.file.stat()
                if (state.st_mtime_ns, state.st_size) != self._stamp:
                    self._read(self.file)
            except (OSError, FileError):
                self._users, self._stamp = {}, None  # nobody gets in while the file cannot be read
            return self._users

    def _read(self, file: Path) -> None:
        state, self._users = file.stat() if file.exists() else None, read_users(file)
        self._stamp = None if state is None else (state.st_mtime_ns, state.st_size)


def read_users(file: Path) -> dict[str, tuple[Person, str]]:
    """Read a file of users: each person, and the hash of the password."""
    try:
        contents = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise FileError(
            f"{file} not found. Add a first user: justesse serve --users {file} --add-user NAME."
        ) from error
    except (OSError, ValueError) as error:
        raise FileError(f"{file} cannot be read as JSON: {error}. Make it with --add-user NAME.") from error
    if not isinstance(contents, dict):
        raise FileError(f"{file} must be an object with one key for each user. Make it with --add-user NAME.")
    for name in contents:
        check_person_name(name)
    return {name: _user(file, name, about) for name, about in contents.items()}


def _user(file: Path, name: str, about: Any) -> tuple[Person, str]:
    role, kept = (about.get("role"), about.get("password")) if isinstance(about, dict) else (None, None)
    if role not in ROLES:
        raise FileError(f"User {name!r} of {file} has the role {role!r}. Roles: {', '.join(ROLES)}.")
    if not isinstance(kept, str) or not kept.startswith("$argon2"):
        raise FileError(f"User {name!r} of {file} has no argon2 hash as password. Make it with --add-user {name}.")
    audits = about.get("audits")
    if audits is not None and not (isinstance(audits, list) and all(isinstance(audit, str) for audit in audits)):
        raise FileError(f"The audits of user {name!r} in {file} must be a list of names, or be left out for all.")
    return Person(name, role, None if audits is None else tuple(audits)), kept


def add_user(file: Path, person: Person, password: str) -> None:
    """Add a user to a file, or replace one; the file is complete at every moment and only its owner can read it."""
    check_person_name(person.name)
    contents = {}
    if file.exists():
        read_users(file)
        contents = json.loads(file.read_text(encoding="utf-8"))
    contents[person.name] = {
        "role": person.role,
        **({} if person.audits is None else {"audits": list(person.audits)}),
        "password": hashed(password),
    }
    _write_users(file, contents)


def remove_user(file: Path, name: str) -> None:
    """Remove a user from a file; the sessions of this user end at once."""
    users = read_users(file)
    if name not in users:
        raise OptionError(f"There is no user {name!r} in {file}. Users: {first_names(list(users))}.")
    contents = json.loads(file.read_text(encoding="utf-8"))
    del contents[name]
    _write_users(file, contents)


def _write_users(file: Path, contents: dict[str, Any]) -> None:
    draft = file.with_name(f".{file.name}.draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
        json.dump(contents, stream, ensure_ascii=False, indent=2)
    draft.replace(file)


def check_person_name(name: str) -> None:
    """Refuse names that cannot be saved or seen."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise OptionError(f"The name of a user has 1 to {LONGEST_NAME} characters; got {len(name)}.")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or letter in UNSEEN for letter in name):
        raise OptionError(f"The name {name!r} has a control character. Use letters, digits, spaces, - and _.")


def hashed(password: str) -> str:
    """Hash a password with argon2id."""
    if len(password) < 8:
        raise OptionError("The password is too short. Give at least 8 characters.")
    text: str = require("argon2", extra="web").PasswordHasher().hash(password)
    return text


def matches(kept: str, password: str) -> bool:
    """Tell whether a password is the one that was hashed."""
    argon2 = require("argon2", extra="web")
    try:
        return bool(argon2.PasswordHasher().verify(kept, password))
    except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
        return False


_NOBODY: list[str] = []


def _nobody() -> str:
    """Return a hash that no password of a user has."""
    if not _NOBODY:
        _NOBODY.append(hashed(os.urandom(16).hex()))
    return _NOBODY[0]
