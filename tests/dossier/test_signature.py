"""Keys and signatures: from files, from OpenSSH, from an agent; wrong keys are refused."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
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


@needs_ssh
@pytest.mark.skipif(shutil.which("ssh-agent") is None, reason="ssh-agent is not installed")
def test_an_agent_signs_and_keeps_the_key(tmp_path, files, monkeypatch):
    own = made(tmp_path / "id", "-t", "ed25519", "-C", "ann@home")
    folder = tempfile.mkdtemp()  # the path of a socket must be short
    place = f"{folder}/agent"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", place], stdout=subprocess.DEVNULL)
    try:
        environment = {**os.environ, "SSH_AUTH_SOCK": place}
        for _ in range(100):
            if os.path.exists(place):
                break
            subprocess.run([sys.executable, "-c", "import time; time.sleep(0.05)"], check=True)
        subprocess.run(["ssh-add", "-q", own], check=True, env=environment, stderr=subprocess.DEVNULL)
        own.unlink()
        monkeypatch.setenv("SSH_AUTH_SOCK", place)
        path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign="agent:ann")
        assert justesse.dossier_verify(path, key=f"{own}.pub").passed
        with pytest.raises(InputError, match="it has none"):
            justesse.evaluate(files[0]).dossier(tmp_path / "f.json", sign="agent:ben")
    finally:
        agent.terminate()
        agent.wait()
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
    public.verify(base64.b64decode(envelope["signatures"][0]["sig"]), authenticated(payload))
    statement = json.loads(payload)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"][0]["name"] == str(files[1])
    claim = next(item for item in statement["predicate"]["results"] if item["metric"] == "accuracy")
    assert claim["sampleSize"] == 300
    assert claim["interval"]["low"] < claim["value"] < claim["interval"]["high"]
    assert claim["breakdown"] is not None
    assert claim["passed"] is True
    assert statement["predicate"]["assumptions"]
