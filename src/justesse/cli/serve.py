"""`justesse serve`: the local web page."""

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from justesse.cli.output import say
from justesse.core.errors import OptionError
from justesse.core.extras import require

if TYPE_CHECKING:
    from justesse.web.shelf import Shelf

ASK = "-"


def serve(
    directory: Path = Path(),
    /,
    *,
    store: str | None = None,
    port: int = 0,
    host: str = "127.0.0.1",
    browser: Annotated[bool, Parameter(negative="--no-browser")] = True,
    password: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    users: Path | None = None,
    add_user: str | None = None,
    remove_user: str | None = None,
    role: Literal["owner", "expert", "reader"] = "expert",
    audit: list[str] | None = None,
    invitations: Annotated[bool, Parameter(negative=())] = False,
    revoke: str | None = None,
) -> int:
    """Serve a page where experts answer the questions of audits, and where you follow them.

    Prints one line: the address with a token that logs you in once. Only this machine can reach it unless --host is
    given, which requires --password or --users.

    For example:

      justesse serve audits

      justesse serve audits --port 8000 --no-browser

      justesse serve images --store postgresql://host/database

      justesse serve --users team.json --add-user ann --role expert --audit a.audit

      justesse serve audits --revoke Bob

      justesse serve audits --host 0.0.0.0 --port 8000 --users people.json

    Parameters
    ----------
    directory
        Directory with audit files (*.audit). Default: the current directory.
    store
        Store with audits and evaluations, such as project.db or postgresql://host/database; images and tables are still
        those of the directory. Default: the audit files of the directory, and its store justesse.db.
    port
        Port to listen at, such as 8000. 0 takes a free one. Default: 0.
    host
        Address to listen at. Any other than this machine's own lets others on the network reach the page, so it
        requires --password or --users. Default: 127.0.0.1.
    browser
        Open a browser on the page. Default: yes; --no-browser only prints the address.
    password
        Password of the owner, at least 8 characters; - reads it from the terminal or standard input, so that other
        users of this machine do not see it.
    users
        JSON file with named users, their roles and argon2 hashes of their passwords.
    add_user
        Add this user to the file of --users, or change the password of a user who is there; ask for the password, and
        end. A new password ends the user's sessions.
    remove_user
        Remove this user from the file of --users, and end. The user's sessions end, too.
    role
        Role of the user to add: owner, expert (answers questions) or reader. Default: expert.
    audit
        Audit that the user to add may see, such as my.audit. For several, repeat it. Default: all.
    invitations
        List the invitations that were made on the pages of this directory or store, and end.
    revoke
        Revoke the invitations of a person by name, or one by its id in the list of --invitations, and end. The link and
        the sessions of the person end, too.
    """
    require("fastapi", extra="web")
    require("uvicorn", extra="web")
    require("python_multipart", extra="web")
    from justesse.store.address import StoreAddress
    from justesse.verbs.audit.answer import user
    from justesse.web import people as web_people
    from justesse.web.serve import is_local
    from justesse.web.serve import serve as run
    from justesse.web.shelf import Directory
    from justesse.web.store_shelf import StoreShelf

    if add_user is not None:
        if users is None:
            raise OptionError("Name the file that gets the user: --users people.json.")
        person = web_people.Person(add_user, role, tuple(audit) if audit else None)
        web_people.add_user(users, person, _typed_password(f"Password of {add_user}: "))
        say(f"User {add_user} ({role}) added to {users}.")
        return 0
    if remove_user is not None:
        if users is None:
            raise OptionError("Name the file that has the user: --users people.json.")
        web_people.remove_user(users, remove_user)
        say(f"User {remove_user} removed from {users}. Their sessions have ended.")
        return 0
    managing = invitations or revoke is not None
    if not managing and not is_local(host) and password is None and users is None:
        raise OptionError(
            f"With --host {host}, everybody on the network can reach this page: audits, answers, images and texts. "
            "Give --password (one owner) or --users (named users), or leave out --host."
        )
    served = Directory(directory)
    shelf = served if store is None else StoreShelf(StoreAddress.read(store), served.folder)
    if managing:
        return _invitations(shelf, revoke)
    secret = _typed_password("Password of the owner: ") if password == ASK else password
    people = web_people.Users(owner=user(), password=secret, file=users)
    if not is_local(host):
        say(
            f"justesse: listening at {host}: people on the network who have a password can see the audits, texts and "
            "images assigned to them. Passwords travel unencrypted; use it behind HTTPS outside a trusted network.",
            to_errors=True,
        )

    def ready(address: str) -> None:
        say(address)

    try:
        run(shelf, people=people, host=host, port=port, browser=browser, ready=ready)
    except KeyboardInterrupt:
        say("justesse: stopped", to_errors=True)
    return 0


def _invitations(shelf: "Shelf", revoke: str | None) -> int:
    """List the invitations to a place, or revoke those of a person."""
    from justesse.web.sessions import kept_invitations, place_of

    kept = kept_invitations(place_of(shelf))
    if revoke is None:
        for each in kept:
            audits = ", ".join(each.person.audits or ["all audits"])
            say(f"{each.id}  {each.state:<8}{each.person.name} ({each.person.role}, {audits}), invited by {each.by}")
        if not list(kept):
            say(f"No invitations to {shelf.title}.")
        return 0
    chosen = [each for each in kept if revoke in (each.id, each.person.name) and each.state in ("open", "used")]
    if not chosen:
        raise OptionError(
            f"There is no invitation of {revoke!r} to {shelf.title} that could be used. List them with --invitations."
        )
    for each in chosen:
        kept.revoke(each.id)
        say(f"Revoked: {each.person.name} ({each.person.role}), id {each.id}.")
    return 0


def _typed_password(prompt: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(prompt)
    return sys.stdin.readline().rstrip("\n")
