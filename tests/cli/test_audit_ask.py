"""`justesse audit ask` through a pseudo-terminal: keys as a person presses them."""

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time

import pandas as pd
import pytest

import justesse
from justesse.cli.audit_ask import prompt_lines
from justesse.verbs.audit.next import AskedQuestion

FRAME = pd.DataFrame({"id": [f"no {at}" for at in range(60)], "label": ["cat", "dog"] * 30})
FRAME["old"], FRAME["new"] = ["dog", "cat"] * 30, ["cat", "dog"] * 30
FRAME["text"] = [f"the text of {at}" for at in range(60)]
PROMPT = "[q] quit: "


@pytest.fixture
def audit(tmp_path):
    path = tmp_path / "my.audit"
    justesse.audit_start(
        FRAME, incumbent="old", candidate="new", on="id", to=path, show="text", budget=50, level=0.9999
    )
    return path


class Terminal:
    """A person at a terminal: what is seen, and keys to press."""

    def __init__(self, *words: object) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "justesse", *map(str, words)]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
        )
        os.close(slave)
        self.seen = ""

    def read_until(self, words: str, seconds: float = 60) -> str:
        """Give all that came since the last call, up to these words."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, f"never saw {words!r} in {self.seen!r}"
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    piece = os.read(self.master, 4096)
                except OSError:  # Linux says so when the other end is closed
                    piece = b""
                assert piece or words in self.seen, f"ended without {words!r}: {self.seen!r}"
                self.seen += piece.decode(errors="replace")
        at = self.seen.index(words) + len(words)
        found, self.seen = self.seen[:at], self.seen[at:]
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", found).replace("\r\n", "\n")

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def close(self) -> int:
        code = self.process.wait(timeout=60)
        os.close(self.master)
        return code


def entries(path):
    return [
        (one["id"], one["kind"], one["class"], one["by"]) for one in justesse.audit_status(path).to_dict()["answers"]
    ]


def asked_in(text):
    return re.search(r"(no \d+): (\w+) or (\w+)\?\s+the text of (\d+)", text).groups()


def test_keys_answer_skip_undo_and_quit(audit):
    person = Terminal("audit", "ask", audit, "--by", "Ann")
    first, one, other, number = asked_in(person.read_until(PROMPT))
    assert first == f"no {number}"
    assert {one, other} == {"cat", "dog"}
    person.press("1")
    second, _, two, _ = asked_in(person.read_until(PROMPT))
    assert entries(audit) == [(first, "answer", one, "Ann")]  # on disk before the next question is shown
    person.press("x\x1b[A2")  # keys that mean nothing are ignored
    third = asked_in(person.read_until(PROMPT))[0]
    assert entries(audit)[1] == (second, "answer", two, "Ann")
    person.press("u")
    assert asked_in(person.read_until(PROMPT))[0] == second
    person.press("?")
    assert asked_in(person.read_until(PROMPT))[0] == third
    person.press("s")
    fourth = asked_in(person.read_until(PROMPT))[0]
    assert fourth not in (first, second, third)
    person.press("q")
    person.read_until("2 answers saved in this session.")
    assert "Not settled yet" in person.read_until("audit.")
    assert person.close() == 0
    assert [(name, kind) for name, kind, _, _ in entries(audit)] == [
        (first, "answer"), (second, "answer"), (second, "withdrawn"), (second, "cannot_say")
    ]  # fmt: skip
    told = justesse.audit_status(audit).to_dict()
    assert told["open"] == [third, fourth]


def test_another_class_is_typed_and_a_new_one_must_be_meant(audit):
    person = Terminal("audit", "ask", audit, "--by", "Ann")
    first = asked_in(person.read_until(PROMPT))[0]
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("\n")
    assert asked_in(person.read_until(PROMPT))[0] == first
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("búho\n")
    person.read_until("any other key: no ")
    person.press("n")
    assert asked_in(person.read_until(PROMPT))[0] == first
    assert entries(audit) == []
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("búho\n")
    person.read_until("any other key: no ")
    person.press("y")
    person.read_until(PROMPT)
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("búho\n")
    person.read_until(PROMPT)
    person.press("\x04")  # Ctrl-D
    person.read_until("2 answers saved")
    assert person.close() == 0
    assert [said for _, _, said, _ in entries(audit)] == ["búho", "búho"]


def test_two_people_are_asked_different_questions(audit):
    people = {name: Terminal("audit", "ask", audit, "--by", name) for name in ("Ann", "Bob")}
    on_screen = {name: asked_in(person.read_until(PROMPT))[0] for name, person in people.items()}
    for _ in range(3):
        assert on_screen["Ann"] != on_screen["Bob"]
        for name, person in people.items():
            person.press("1")
            on_screen[name] = asked_in(person.read_until(PROMPT))[0]
    for person in people.values():
        person.press("q")
        person.read_until("3 answers saved")
        person.close()
    assert len({name for name, _, _, _ in entries(audit)}) == 6


def test_a_killed_terminal_and_ctrl_c_lose_nothing(audit):
    person = Terminal("audit", "ask", audit, "--by", "Ann")
    for _ in range(3):
        person.read_until(PROMPT)
        person.press("1")
    person.read_until(PROMPT)
    person.process.send_signal(signal.SIGKILL)
    person.close()
    assert len(entries(audit)) == 3
    again = Terminal("audit", "ask", audit, "--by", "Ann")
    again.read_until(PROMPT)
    again.press("2")
    again.read_until(PROMPT)
    again.press("\x03")  # Ctrl-C
    again.read_until("1 answer saved in this session.")
    assert again.close() == 130
    assert len(entries(audit)) == 4


def test_it_ends_by_itself_when_the_audit_does(tmp_path):
    path = tmp_path / "few.audit"
    justesse.audit_start(FRAME, incumbent="old", candidate="new", on="id", to=path, budget=2)
    person = Terminal("audit", "ask", path, "--by", "Ann")
    for _ in range(2):
        person.read_until(PROMPT)
        person.press("1")
    person.read_until("2 answers saved")
    person.read_until("has stopped")
    assert person.close() == 0


def test_every_kind_of_answer_has_a_key_and_several_are_typed(audit):
    person = Terminal("audit", "ask", audit, "--by", "Ann")
    for key in "bnf?":
        person.read_until(PROMPT)
        person.press(key)
    person.read_until(PROMPT)
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("dog|cat\n")
    person.read_until(PROMPT)
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("cat|owl\n")
    person.read_until("any other key: no ")
    person.press("y")
    person.read_until(PROMPT)
    person.press("q")
    person.read_until("6 answers saved")
    assert person.close() == 0
    assert [(kind, said) for _, kind, said, _ in entries(audit)] == [
        ("both", ["cat", "dog"]),
        ("neither", None),
        ("flawed", None),
        ("cannot_say", None),
        ("several", ["cat", "dog"]),
        ("several", ["cat", "owl"]),
    ]


def test_keys_keep_their_order_the_counter_counts_and_lines_fit(audit):
    justesse.audit_next(audit, 12)  # drawn ahead: the counter must not depend on it
    person = Terminal("audit", "ask", audit, "--by", "Ann")
    orders = []
    for answered in range(5):
        shown = person.read_until(PROMPT)
        assert f"Answered: {answered} of at most 50." in shown
        assert all(len(line) <= 80 for line in shown.splitlines())
        orders.append(asked_in(shown)[1:3])
        person.press("1")
    person.read_until(PROMPT)
    person.press("q")
    person.read_until("5 answers saved")
    assert person.close() == 0
    assert len(set(orders)) == 1


def test_prompts_fit_whatever_classes_are_called():
    long = AskedQuestion(1, "a", ("x" * 300, "a class\nof two lines"), None)
    for width in (40, 80):
        lines = prompt_lines(long, width)
        assert all(len(line) <= width for line in lines)
        assert lines[-1].endswith(PROMPT)
        assert "[2] a class" in "\n".join(lines)


def test_an_unknown_class_is_explained_without_options_and_a_word_among_classes_is_refused(audit):
    person = Terminal("audit", "ask", audit, "--by", "Ann")
    person.read_until(PROMPT)
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("cats\n")
    shown = person.read_until("any other key: no ")
    assert "There is no class 'cats' among labels and answers. Did you mean 'cat'?\n" in shown
    assert "--new-class" not in shown
    person.press("n")
    person.read_until(PROMPT)
    person.press("o")
    person.read_until("(empty: back): ")
    person.press("both|cat\n")
    shown = person.read_until(PROMPT)
    assert "'both' is an answer of its own" in shown
    assert "as a new class?" not in shown
    person.press("q")
    person.read_until("0 answers saved")
    assert person.close() == 0
    assert entries(audit) == []


def test_several_classifiers_have_a_key_for_each_different_answer(tmp_path):
    rows = {"id": list(range(40)), "label": ["cat"] * 40, "a": ["cat"] * 40, "b": ["dog"] * 40, "c": ["owl"] * 40}
    path = tmp_path / "board.audit"
    justesse.audit_start(rows, models=["a", "b", "c"], on="id", to=path, goal="winner")
    person = Terminal("audit", "ask", path, "--by", "Ann")
    shown = person.read_until(PROMPT)
    third = re.search(r"\[3\] (\w+)", shown)[1]
    assert "[n] none right" in shown
    assert "both right" not in shown
    person.press("3")
    person.read_until(PROMPT)
    assert entries(path)[0][1:] == ("answer", third, "Ann")
    person.press("4n")  # there is no fourth answer
    person.read_until(PROMPT)
    assert entries(path)[1][1:] == ("neither", None, "Ann")
    person.press("q")
    person.read_until("2 answers saved in this session.")
    assert person.close() == 0
