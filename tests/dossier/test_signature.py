"""Keys and signatures: from files, from OpenSSH, from an agent; wrong keys are refused."""

import base64
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

import justesse
from justesse.core.errors import InputError
from justesse.dossier.signature import private_key, public_key, signature_fault, signed
from justesse.dossier.statement import authenticated


def made(path, *words):
    subprocess.run(["ssh-keygen", "-q", "-N", "", "-f", path, *words], check=True, stdin=subprocess.DEVNULL)
    return path


needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH is not installed")


def test_a_private_key_is_readable_by_its_owner_only_and_never_replaced(tmp_path):
    key = justesse.dossier_key(tmp_path / "me.key")
    assert Path(key.file).stat().st_mode & 0o077 == 0
    assert public_key(Path(key.public_file)) == key.public_key == private_key(Path(key.file)).public_key
    with pytest.raises(InputError, match="never overwritten"):
        justesse.dossier_key(tmp_path / "me.key")


def test_every_part_of_a_signature_counts(key):
    signature = signed("ab" * 32, private_key(Path(key)), "Ann")
    assert signature_fault("ab" * 32, signature) is None
    assert signature_fault("cd" * 32, signature)[0] == "/signature"
    other = base64.b64encode(bytes(64)).decode()
    for name, value in {"signer": "Ben", "value": other, "algorithm": "rsa", "public_key": signature["value"]}.items():
        assert signature_fault("ab" * 32, {**signature, name: value})[0].startswith("/signature")
    assert signature_fault("ab" * 32, {**signature, "more": "x"})[0] == "/signature"
    assert signature_fault("ab" * 32, None, "key") == ("/signature", "the dossier is not signed")


def test_another_key_is_noticed(tmp_path, key, files):
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign=key)
    other = justesse.dossier_key(tmp_path / "other.key").public_file
    fault = justesse.dossier_verify(path, key=other).faults[0]
    assert str(fault.sentence) == "/signature/public_key: another key signed."


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", bytes(100_000)]
)
def test_what_is_no_key_is_refused(tmp_path, content):
    path = tmp_path / "bad.key"
    path.write_bytes(content)
    with pytest.raises(InputError):
        private_key(path)
    with pytest.raises(InputError):
        public_key(path)


def test_a_private_key_does_not_verify(key):
    with pytest.raises(InputError, match="private key. Name the public one"):
        public_key(Path(key))


@needs_ssh
def test_keys_of_openssh_work_and_those_of_other_kinds_are_refused(tmp_path, files):
    own = made(tmp_path / "id", "-t", "ed25519")
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign=own)
    assert justesse.dossier_verify(path, key=f"{own}.pub").passed
    with pytest.raises(InputError, match="Ed25519"):
        private_key(made(tmp_path / "rsa", "-t", "rsa", "-b", "2048"))


@pytest.fixture
def agent(monkeypatch):
    """Start an SSH agent without keys."""
    if shutil.which("ssh-agent") is None:
        pytest.skip("ssh-agent is not installed")
    folder = tempfile.mkdtemp()  # the path of a socket must be short
    place = f"{folder}/agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", place], stdout=subprocess.DEVNULL)
    while not os.path.exists(place) and process.poll() is None:
        time.sleep(0.02)
    monkeypatch.setenv("SSH_AUTH_SOCK", place)
    yield process
    process.terminate()
    process.wait()
    shutil.rmtree(folder)


def add(key, *words):
    subprocess.run(["ssh-add", "-q", *words, key], check=True, stderr=subprocess.DEVNULL)


def refusal(files, tmp_path, sign):
    with pytest.raises(InputError) as error:
        justesse.evaluate(files[0]).dossier(tmp_path / "none.json", sign=sign)
    assert not (tmp_path / "none.json").exists()
    return str(error.value)


@needs_ssh
def test_an_agent_signs_and_keeps_the_key(tmp_path, files, agent):
    own = made(tmp_path / "id", "-t", "ed25519", "-C", "ann@home")
    add(own)
    own.unlink()
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign="agent:ann")
    assert justesse.dossier_verify(path, key=f"{own}.pub").passed
    words = refusal(files, tmp_path, "agent:ben")
    assert words == "The SSH agent has no Ed25519 key with 'ben' in the comment. Comments: 'ann@home'."


@needs_ssh
def test_an_agent_without_a_fitting_key_is_described(tmp_path, files, agent):
    assert refusal(files, tmp_path, "agent").startswith("The SSH agent has no Ed25519 key. Add one with ssh-add")
    add(made(tmp_path / "rsa", "-t", "rsa", "-b", "2048"))
    assert "has no Ed25519 key; it has 1 of other kinds. Add one" in refusal(files, tmp_path, "agent")
    assert "has no Ed25519 key; it has 1 of other kinds. Add one" in refusal(files, tmp_path, "agent:ann")


@needs_ssh
def test_the_whole_comment_of_a_key_names_it_though_another_has_it_too(tmp_path, files, agent):
    for name in ("ann@home", "joann@home"):
        add(made(tmp_path / name, "-t", "ed25519", "-C", name))
    words = refusal(files, tmp_path, "agent")
    assert "has 2 Ed25519 keys: 'ann@home', 'joann@home'. Name one with --sign agent:COMMENT." in words
    assert "several Ed25519 keys with 'home' in the comment" in refusal(files, tmp_path, "agent:home")
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign="agent:ann@home")
    assert justesse.dossier_verify(path, key=f"{tmp_path}/ann@home.pub").passed


@needs_ssh
def test_an_agent_that_refuses_or_does_not_answer_is_named(tmp_path, files, agent, monkeypatch):
    own = made(tmp_path / "id", "-t", "ed25519")
    monkeypatch.setenv("SSH_ASKPASS", "/bin/false")
    add(own, "-c")  # a person must confirm, and nobody does
    assert refusal(files, tmp_path, "agent").startswith("The SSH agent refused to sign.")
    agent.terminate()
    agent.wait()
    assert refusal(files, tmp_path, "agent").startswith("The SSH agent does not answer")


@pytest.mark.parametrize("answer", [b"", b"\x0c", b"\x0c\x00\x00\x00\x01", b"\x05", b"\x0c\xff\xff\xff\xff\x00"])
def test_an_answer_that_no_agent_gives_is_refused(tmp_path, files, monkeypatch, answer):
    folder = tempfile.mkdtemp()
    with socket.socket(socket.AF_UNIX) as odd:
        odd.bind(f"{folder}/agent")
        odd.listen()

        def once():
            connection, _ = odd.accept()
            with connection:
                connection.recv(100)
                connection.sendall(len(answer).to_bytes(4, "big") + answer)

        thread = threading.Thread(target=once)
        thread.start()
        monkeypatch.setenv("SSH_AUTH_SOCK", f"{folder}/agent")
        assert refusal(files, tmp_path, "agent").startswith("The SSH agent")
        thread.join()
    shutil.rmtree(folder)


def test_without_an_agent_the_error_says_so(tmp_path, files, monkeypatch):
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    with pytest.raises(InputError, match="No SSH agent is running"):
        justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign="agent")


def test_an_unsigned_dossier_needs_no_extra(tmp_path):
    code = f"""
import sys
sys.modules["cryptography"] = sys.modules["rfc8785"] = None
import justesse
path = justesse.evaluate([1, 0, 1, 0], [1, 1, 1, 0]).dossier({str(tmp_path / "e.json")!r})
assert justesse.dossier_verify(path).passed
try:
    justesse.dossier_key({str(tmp_path / "k")!r})
except justesse.core.errors.MissingExtraError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'justesse[sign]'" in done.stdout


def claimed(path, folder):
    """Export a dossier as a statement; give its predicate."""
    text = justesse.dossier_export(path, to=folder / "out.json", form="in-toto").text
    return json.loads(text)["predicate"]


def test_an_envelope_is_signed_as_dsse_prescribes(tmp_path, key, files):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    path = justesse.evaluate(files[0], require="accuracy>=0.5", noise_rate=0.02).dossier(
        tmp_path / "e.json", model_file=str(files[1])
    )
    text = justesse.dossier_export(path, to=tmp_path / "e.dsse.json", sign=key).text
    envelope = json.loads(text)
    payload = base64.b64decode(envelope["payload"])
    public = Ed25519PublicKey.from_public_bytes(
        base64.b64decode(envelope["signatures"][0]["keyid"].removeprefix("ed25519:"))
    )
    kind = envelope["payloadType"].encode()
    prescribed = b"DSSEv1 " + b" ".join([b"%d" % len(kind), kind, b"%d" % len(payload), payload])
    assert authenticated(payload) == prescribed
    public.verify(base64.b64decode(envelope["signatures"][0]["sig"]), prescribed)
    statement = json.loads(payload)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    digest = hashlib.sha256(files[1].read_bytes()).hexdigest()
    assert statement["subject"] == [{"name": str(files[1]), "digest": {"sha256": digest}}]
    claim = next(item for item in statement["predicate"]["results"] if item["metric"] == "accuracy")
    assert claim["sampleSize"] == 300
    assert claim["interval"]["low"] < claim["value"] < claim["interval"]["high"]
    assert claim["breakdown"] is not None
    assert claim["passed"] is True
    assert statement["predicate"]["assumptions"]


def test_a_requirement_is_a_claim_with_its_threshold_also_for_one_class(tmp_path, files):
    wanted = ["recall:dog>=0.6", "macro-f1>=0.95", "error<=0.5"]
    claims = claimed(justesse.evaluate(files[0], require=wanted).dossier(tmp_path / "e.json"), tmp_path)["results"]
    recall, f1, error = (claim for claim in claims if "threshold" in claim)
    assert (recall["metric"], recall["class"], recall["comparator"], recall["threshold"]) == (
        "recall",
        "dog",
        ">=",
        0.6,
    )
    assert recall["passed"] is (recall["compared"] >= 0.6)
    assert (f1["average"], f1["passed"]) == ("macro", False)
    assert (error["comparator"], error["compared"]) == ("<=", error["interval"]["high"])
    assert [claim["metric"] for claim in claims].count("error") == 1


def test_claims_against_true_classes_come_before_those_against_labels(tmp_path):
    table = {"label": ["a"] * 50 + ["b"] * 50, "true": ["a"] * 45 + ["b"] * 55, "old": ["a"] * 60 + ["b"] * 40,
             "new": ["a"] * 46 + ["b"] * 54}  # fmt: skip
    alone = justesse.evaluate(table, prediction="new", true="true", require="accuracy>=0.9").dossier(
        tmp_path / "e.json"
    )
    paired = justesse.compare(table, incumbent="old", candidate="new", true="true").dossier(tmp_path / "c.json")
    for path, main, other in [(alone, 0.99, 0.96), (paired, 0.14, 0.06)]:
        record = json.loads(path.read_text())["results"]["headline"]
        assert record.get("value", record.get("difference")) == pytest.approx(main)
        claims = [claim for claim in claimed(path, tmp_path)["results"] if claim["metric"] == "accuracy"]
        assert [claim["against"] for claim in claims] == ["true classes", "labels"]
        assert [claim["value"] for claim in claims] == pytest.approx([main, other])
    assert claims[0]["verdict"] == "replace"
    (required,) = [claim for claim in claimed(alone, tmp_path)["results"] if "threshold" in claim]
    assert (required["against"], required["value"]) == ("true classes", 0.99)
    assert "breakdown" not in required  # the breakdown rate is about wrong labels


def test_a_difference_is_not_claimed_as_the_value_of_a_model(tmp_path, files):
    third = tmp_path / "third.csv"
    third.write_text(files[1].read_text())
    path = justesse.compare(*files, third, on="id", margin=0.01).dossier(tmp_path / "c.json")
    claims = claimed(path, tmp_path)["results"]
    assert {claim["comparison"] for claim in claims} == {"candidate minus incumbent"}
    assert {claim["candidate"] for claim in claims} == {"new.csv", "third.csv"}
    main = [claim for claim in claims if claim["metric"] == "accuracy"]
    assert [claim["margin"] for claim in main] == [0.01, 0.01]
    assert all(claim["breakdown"]["verdict"] is not None and claim["verdict"] for claim in main)


def test_a_leaderboard_claims_the_score_of_each_model_and_others_keep_their_figures(tmp_path, files):
    board = claimed(justesse.tournament(*files, on="id").dossier(tmp_path / "t.json"), tmp_path)
    assert [(claim["model"], claim["rank"]) for claim in board["results"]] == [("new.csv", [1, 1]), ("old.csv", [2, 2])]
    assert board["figures"] == {}
    needed = claimed(justesse.plan_precision(half_width=0.02).dossier(tmp_path / "p.json"), tmp_path)
    assert needed["results"] == []
    assert needed["figures"]["n"] > 1000


@pytest.mark.parametrize("form", ["in-toto", "model-card"])
def test_only_an_envelope_is_signed(tmp_path, key, files, form):
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json")
    with pytest.raises(InputError, match="Only the form dsse is signed"):
        justesse.dossier_export(path, to=tmp_path / "out", form=form, sign=key)
    assert not (tmp_path / "out").exists()
