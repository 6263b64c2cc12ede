"""Debian's PostgreSQL, started for the tests as a user without privileges, on a socket of its own."""

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
SETTINGS = {"listen_addresses": "''", "max_connections": "200", "shared_buffers": "32MB", "timezone": "UTC"}


def missing() -> str | None:
    """Say what a server needs that is not here."""
    if not PROGRAMS:
        return "PostgreSQL is not installed (apt-get install postgresql)"
    if os.geteuid() == 0 and (shutil.which("runuser") is None or user() is None):
        return "PostgreSQL does not run as root, and there is no other user to run it as"
    return None


def user() -> str | None:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return None


def need_server() -> None:
    """Skip where there can be no server; in CI that is a failure."""
    if why := missing():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{why}, and in CI the tests of PostgreSQL must run")
        pytest.skip(why)


class Server:
    """A server in a folder; it may be killed and started again."""

    def __init__(self, folder: Path, *, fsync: bool = False) -> None:
        self.folder, self.fsync = folder, fsync

    def make(self) -> None:
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "justesse", "-E", "UTF8", "--locale=C", "-N")

    def start(self) -> None:
        settings = {**SETTINGS, "fsync": "on" if self.fsync else "off"}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        # pg_ctl leaves the server behind, which would keep a pipe open
        self._run(
            "pg_ctl", "-D", self.data, "-w", "-l", f"{self.folder}/log", "-o", f"{options} -k {self.folder}", "start"
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """End every process of the server at once, as a crash of the machine would."""
        first = int((Path(self.data) / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for number in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    @property
    def data(self) -> str:
        return f"{self.folder}/data"

    def database(self) -> str:
        """Make an empty database and return its address."""
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(host=str(self.folder), user="justesse", dbname="postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://justesse@/{name}?host={self.folder}"

    def _run(self, program: str, *words: str) -> None:
        as_user = ["runuser", "-u", str(user()), "--"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*as_user, str(PROGRAMS[-1].with_name(program)), *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            cwd="/", check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} failed: {(done.stderr or b'').decode()}"


def _folder(prefix: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))  # sockets need a short path
    if os.geteuid() == 0:
        shutil.chown(folder, str(user()))
    return folder


@contextmanager
def own_server():
    """Start a server that nobody else uses and that syncs, to be killed."""
    server = Server(_folder("justesse-pg-"), fsync=True)
    try:
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.kill()
    finally:
        shutil.rmtree(server.folder, ignore_errors=True)


@contextmanager
def shared_server(place: Path):
    """Start one server for all processes of a test run; the last one to leave stops it."""
    lock, users = place / "postgres.lock", place / "postgres.users"
    with _locked(lock):
        kept = users.read_text().split() if users.exists() else []
        if kept:
            server = Server(Path(kept[0]))
        else:
            server = Server(_folder("justesse-pg-"))
            server.make()
            server.start()
            kept = [str(server.folder)]
        users.write_text("\n".join([*kept, str(os.getpid())]))
    try:
        yield server
    finally:
        with _locked(lock):
            left = [word for word in users.read_text().split()[1:] if word != str(os.getpid())]
            users.write_text("\n".join([str(server.folder), *left]) if left else "")
            if not left:
                server.stop()
                shutil.rmtree(server.folder, ignore_errors=True)


@contextmanager
def _locked(path: Path):
    with open(path, "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
