"""Bodies over the wire: roles are refused before a body is read, large and slow ones end cleanly."""

import re
import socket
import subprocess
import sys
import time

import pytest

import justesse
from web.samples import start
from web.server import Server, Visitor

LIMIT = 300_000
CODE = f"""
import functools, sys
from justesse.web import limited_body, serve
from justesse.web.settings import WebSettings
serve.WebSettings = functools.partial(WebSettings, upload_limit={LIMIT}, body_limit=50_000, patience=2.0)
limited_body.LINGER_SECONDS = 1.0
from justesse.cli.main import main
sys.exit(main(["serve", sys.argv[1], "--no-browser"]))
"""


class SmallServer(Server):
    """A server with low limits."""

    def start(self):
        command = [sys.executable, "-c", CODE, str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.root = self.address.partition("/enter")[0]
        self.port = int(self.root.rpartition(":")[2])


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    start(folder / "my.audit")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        made = SmallServer(folder, None)
    made.owner = made.person()
    yield made
    made.kill()


@pytest.fixture(scope="module")
def people(server):
    """A visitor of every role."""
    made = {"owner": server.owner}
    for role in ("expert", "reader"):
        connection = server.connection()
        headers = {**server.owner.headers, "content-type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/audits/my.audit/invite", f"name=P&role={role}", headers)
        link = connection.getresponse().read().decode().split('<code class="link">')[1].split("<")[0]
        connection.close()
        made[role] = Visitor(server, link)
    return made


def opened(server, path, visitor, *headers):
    """Send the header of an upload, and return the open connection."""
    made = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    cookie = visitor.cookie if visitor else "none"
    token = visitor.csrf if visitor else "none"
    lines = [
        f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Cookie: {cookie}", f"X-CSRF-Token: {token}",
        "Content-Type: multipart/form-data; boundary=b", *headers, "", "",
    ]  # fmt: skip
    made.sendall("\r\n".join(lines).encode())
    return made


def status_of(connection):
    """Read the whole answer, to the end of the connection; return its status."""
    text = b""
    while part := connection.recv(65_536):
        text += part
    connection.close()
    return int(re.match(rb"HTTP/1.1 (\d+)", text)[1]), text


def chunk(contents):
    return f"{len(contents):x}\r\n".encode() + contents + b"\r\n"


UPLOADS = ("/new", "/evaluations/new", "/policies/upload")
FORM = b'--b\r\nContent-Disposition: form-data; name="upload"; filename="a.csv"\r\n\r\n'


@pytest.mark.parametrize("path", UPLOADS)
@pytest.mark.parametrize("length", [f"Content-Length: {LIMIT - 1}", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize(("role", "status"), [(None, 401), ("expert", 403), ("reader", 403)])
def test_a_role_is_refused_before_any_of_the_body_is_sent(server, people, path, length, role, status):
    connection = opened(server, path, role and people[role], length)
    assert int(re.match(rb"HTTP/1.1 (\d+)", connection.recv(100))[1]) == status
    connection.close()


@pytest.mark.parametrize("path", UPLOADS)
@pytest.mark.parametrize("role", [None, "expert", "reader", "owner"])
def test_the_answer_arrives_although_the_sender_goes_on(server, people, path, role):
    """A sender that sends everything first, as browsers do, still gets the answer rather than a broken connection."""
    size = 4 * LIMIT
    connection = opened(server, path, role and people[role], f"Content-Length: {size}")
    connection.sendall(FORM + b"x" * (size - len(FORM)))
    assert status_of(connection)[0] == {None: 401, "owner": 413}.get(role, 403)


def test_a_body_without_a_length_is_counted_as_it_arrives(server, people):
    connection = opened(server, "/evaluations/new", people["owner"], "Transfer-Encoding: chunked")
    connection.sendall(chunk(FORM))
    for _ in range(LIMIT // 10_000 + 2):
        connection.sendall(chunk(b"x" * 10_000))
    status, text = status_of(connection)
    assert status == 413
    assert b"too large" in text


def test_a_whole_upload_below_the_limit_is_taken(server, people):
    for length in ("whole", "chunked"):
        contents = FORM + b"label,prediction\n1,1\n0,1\r\n--b--\r\n"
        header = f"Content-Length: {len(contents)}" if length == "whole" else "Transfer-Encoding: chunked"
        connection = opened(server, "/evaluations/new", people["owner"], header, "Connection: close")
        connection.sendall(contents if length == "whole" else chunk(contents) + chunk(b""))
        assert status_of(connection)[0] == 303


@pytest.mark.parametrize("length", [f"Content-Length: {LIMIT - 1}", "Transfer-Encoding: chunked"])
def test_a_slow_body_is_given_up_and_others_are_answered(server, people, length):
    slow = [opened(server, "/evaluations/new", people["owner"], length) for _ in range(10)]
    start = time.monotonic()
    for each in slow:
        each.sendall(chunk(b"-") if "chunked" in length else b"-")
    other = server.connection()
    other.request("GET", "/healthz")
    assert other.getresponse().read() == b"ok\n"
    other.close()
    assert {status_of(each)[0] for each in slow} == {408}
    assert 1.5 < time.monotonic() - start < 15


def test_a_sender_that_waits_for_leave_to_go_on_gets_the_refusal(server, people):
    connection = opened(server, "/new", people["expert"], f"Content-Length: {LIMIT - 1}", "Expect: 100-continue")
    start = time.monotonic()
    status, text = status_of(connection)
    assert status == 403
    assert b"100 Continue" not in text
    assert time.monotonic() - start < 5


def test_the_audit_is_whole_after_all_this(server):
    assert justesse.audit_status(server.folder / "my.audit").audit.broken is None
