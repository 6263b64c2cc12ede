"""A real server: killed while people answer, slow and oversized senders, its one line."""

import contextlib
import http.client
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import justesse
from web.samples import start
from web.server import QuickServer, Server, Visitor

KILLS = 20


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served").mkdir()
    made = Server(tmp_path / "served", tmp_path / "state")
    yield made
    if made.process.poll() is None:
        made.kill()
    made.process.stdout.close()
    made.process.stderr.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def quick(tmp_path):
    (tmp_path / "served").mkdir()
    made = QuickServer(tmp_path / "served", tmp_path / "state", free_port())
    yield made
    made.close()


def test_kills_lose_and_repeat_no_acknowledged_answer(quick):
    """Four people answer while the server is killed again and again; each sends an answer until it is acknowledged."""
    server = quick
    start(server.folder / "my.audit", n=3_000, budget=1_200, futility=False, expert_error=0.45)
    owner = server.person()
    acknowledged, lock, done = [], threading.Lock(), threading.Event()
    people = [_invited(server, owner, f"P{number}") for number in range(4)]

    def answer(visitor, number):
        turn, sent = None, 0
        while not done.is_set():
            try:
                if turn is None:
                    turn = _post(server, visitor, "questions", {})
                question = turn["questions"][0]
                key = f"{number}-{sent}"
                reply = _post(
                    server, visitor, "answers", {"answers": [{"key": key, "row": question["row"], "kind": "neither"}]}
                )
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)  # sent again with the same key
                continue
            assert reply["receipts"] == [{"key": key, "saved": True, "refused": ""}]
            with lock:
                acknowledged.append((f"P{number}", question["row"]))
            turn, sent = reply, sent + 1

    threads = [threading.Thread(target=answer, args=(visitor, number)) for number, visitor in enumerate(people)]
    for thread in threads:
        thread.start()
    dice = random.Random(0)
    for _ in range(KILLS):
        before, end = len(acknowledged), time.monotonic() + 10
        while len(acknowledged) == before and time.monotonic() < end:  # at least one answer between two kills
            time.sleep(0.005)
        time.sleep(dice.random() * 0.05)
        server.kill(signal.SIGKILL)
        server.start()
    before, end = len(acknowledged), time.monotonic() + 10
    while len(acknowledged) == before and time.monotonic() < end:
        time.sleep(0.005)
    done.set()
    for thread in threads:
        thread.join()
    audit = justesse.audit_status(server.folder / "my.audit").audit
    assert audit.broken is None
    saved = [(entry.by, entry.row) for entry in audit.diary]
    assert len(acknowledged) > KILLS
    assert set(acknowledged) <= set(saved)  # lost: none
    assert len(saved) == len(set(saved))  # twice: none
    assert len(saved) - len(acknowledged) <= len(people)  # saved, but the server was killed before it could say so


def _invited(server, owner, name):
    connection = server.connection()
    headers = {**owner.headers, "content-type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/audits/my.audit/invite", f"name={name}", headers)
    text = connection.getresponse().read().decode()
    link = text.split('<code class="link">')[1].split("<")[0]
    connection.close()
    return Visitor(server, link)


def _post(server, visitor, path, body):
    connection = server.connection()
    try:
        connection.request("POST", f"/api/audits/my.audit/{path}", json.dumps(body), visitor.headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return json.loads(text)
    finally:
        connection.close()


def test_a_slow_sender_is_cut_off_and_others_are_answered(server):
    half = socket.create_connection(("127.0.0.1", server.port))
    half.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    connection = server.connection()
    connection.request("GET", "/healthz")
    assert connection.getresponse().read() == b"ok\n"
    connection.close()
    half.settimeout(1)
    with pytest.raises(TimeoutError):
        half.recv(1)  # still patient
    half.close()


def test_headers_that_never_end_are_given_up(monkeypatch, tmp_path):
    code = (
        "import sys; from justesse.web import serve; serve.HEADER_SECONDS = 0.5; from justesse.cli.main import main; "
        "sys.exit(main(['serve', sys.argv[1], '--no-browser']))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        port = int(process.stdout.readline().split("/enter")[0].rpartition(":")[2])
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        for each in slow:
            each.sendall(b"POST /login HTTP/1.1\r\nHost: 127")
            each.settimeout(10)
        assert [each.recv(100) for each in slow] == [b""] * 20  # closed by the server
        for each in slow:
            each.close()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok\n"
        connection.sock.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")  # half a header, after a whole request
        connection.sock.settimeout(10)
        assert connection.sock.recv(100) == b""
        connection.close()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        process.stdout.close()


def test_an_oversize_body_over_the_wire(server):
    visitor = server.person()
    connection = server.connection()
    connection.putrequest("POST", "/api/audits/my.audit/answers")
    for name, value in {**visitor.headers, "content-length": str(10**9)}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())) == (413, {"detail": "This is too large. Send less."})
    connection.close()
    after = server.connection()
    after.request("GET", "/healthz")
    assert after.getresponse().read() == b"ok\n"
    after.close()


def test_one_line_and_a_clean_end(server):
    process = server.process
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 0
    assert process.stdout.read() == ""
    assert process.stderr.read() == "justesse: stopped\n"


def test_a_clean_end_while_the_page_of_an_audit_is_open(server):
    start(server.folder / "my.audit")
    with contextlib.closing(server.connection()) as connection:
        connection.request("GET", "/audits/my.audit/events", headers=server.person().headers)
        with connection.getresponse() as events:
            assert events.readline().startswith(b"data: ")
            test_one_line_and_a_clean_end(server)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "--password"),
        (["--port", "99999"], "cannot listen at 127.0.0.1, port 99999: a port is a number from 0 to 65535. Choose"),
        (["--add-user", "ann"], "--users people.json"),
        (["--users", "nothing.json"], "--add-user"),
        (["--password", "short"], "8 characters"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(capsys, tmp_path, monkeypatch, options, words):
    from justesse.cli.main import main

    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--no-browser", *options]) == 2
    assert words in capsys.readouterr().err
    assert main(["serve", "missing", "--no-browser"]) == 2


def test_the_password_of_the_owner_is_read_from_standard_input(tmp_path, monkeypatch):
    import io

    from justesse.cli.main import main

    served = []
    monkeypatch.setattr("sys.stdin", io.StringIO("a long password\n"))
    monkeypatch.setattr("justesse.web.serve.serve", lambda shelf, *, people, **options: served.append(people))
    assert main(["serve", str(tmp_path), "--host", "0.0.0.0", "--password", "-", "--no-browser"]) == 0
    assert served[0].checked(served[0].owner, "a long password").role == "owner"


def test_a_user_is_added_from_standard_input(capsys, tmp_path, monkeypatch):
    import io

    from justesse.cli.main import main
    from justesse.web.people import Person, Users

    file = tmp_path / "people.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("a long password\n"))
    assert main(["serve", "--users", str(file), "--add-user", "ann", "--audit", "my.audit"]) == 0
    assert Users(owner="olga", file=file).checked("ann", "a long password") == Person("ann", "expert", ("my.audit",))
