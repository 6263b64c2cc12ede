"""Commands that speak JSON lines, good and bad: what they get, and what is said when they fail."""

import time

import pytest

from justesse.core.errors import InputError, OptionError
from justesse.lifelong import command_system
from justesse.lifelong.command_system import CommandSystem
from justesse.lifelong.item import Item
from learners.systems import command

ITEMS = [Item("1", "2024-01-01", {"x": 1.0}), Item("2", "2024-01-02", {"x": None, "text": "née"})]


@pytest.fixture
def started(tmp_path):
    """Start a command with a change, and end it after the test."""
    running = []

    def start(change="", timeout=20.0, **options):
        system = CommandSystem(command(tmp_path, change, **options), timeout=timeout)
        running.append(system)
        system.start({"classes": ["no", "yes"], "seed": 0})
        return system

    yield start
    for system in running:
        system.close()


def test_a_command_gets_what_the_protocol_says(started, tmp_path):
    system = started(f"""
    with open({str(tmp_path / "log")!r}, "a") as log:
        log.write(line)
    """)
    system.adapt([ITEMS[0].labelled("yes")], "initial")
    assert system.predict([ITEMS[0]]) == ["yes"]
    assert system.ask(ITEMS, 7) == ["1", "2"]
    system.close()
    assert (tmp_path / "log").read_text().splitlines() == [
        '{"do": "start", "protocol": 1, "classes": ["no", "yes"], "seed": 0}',
        '{"do": "adapt", "items": [{"id": "1", "time": "2024-01-01", "values": {"x": 1.0}, "label": "yes"}], '
        '"because": "initial"}',
        '{"do": "predict", "items": [{"id": "1", "time": "2024-01-01", "values": {"x": 1.0}}]}',
        '{"do": "ask", "items": [{"id": "1", "time": "2024-01-01", "values": {"x": 1.0}}, '
        '{"id": "2", "time": "2024-01-02", "values": {"x": null, "text": "née"}}], "most": 7}',
    ]


def test_a_state_is_saved_and_loaded(started, tmp_path):
    system = started(can=["save"])
    system.adapt([ITEMS[0].labelled("yes")], "initial")
    assert system.save(str(tmp_path / "states" / "v1"))
    system.start({})
    system.load(str(tmp_path / "states" / "v1"))
    assert system.predict([ITEMS[0]]) == ["yes"]
    assert not started(name="other.py").save(str(tmp_path / "never"))


BAD = {
    "crashes": ('if do == "predict": raise SystemError("out of cheese")', r"with exit code 1 without a reply to 'predict'.*\n.*(.*\n)*.*out of cheese"),
    "is killed": ('if do == "predict": import os; os.kill(os.getpid(), 9)', "ended by signal 9 without a reply to 'predict'"),
    "ends": ('if do == "predict": sys.exit(0)', "ended with exit code 0 without a reply"),
    "says nothing": ('if do == "predict": import os; os.close(1); time.sleep(60)', "ended its output without a reply"),
    "prints garbage": ('if do == "predict": print("Loading model ..."); continue', "replied to 'predict' with 'Loading model ...', which is not a JSON object"),
    "prints a list": ('if do == "predict": print("[1, 2]", flush=True); continue', "not a JSON object"),
    "nests without end": ('if do == "predict": print("[" * 100_000, flush=True); continue', r"with '\[{80}', which is not a JSON object"),
    "prints bytes": ('if do == "predict": sys.stdout.buffer.write(bytes([255, 254, 10])); continue', "not a JSON object"),
    "has another key": ('if do == "predict": print(json.dumps({"answers": []}), flush=True); continue', "without the key 'predictions'. Its keys: 'answers'"),
    "reports an error": ('if do == "predict": print(json.dumps({"error": "no model"}), flush=True); continue', "reports an error in 'predict': no model"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_command(started, kind):
    change, words = BAD[kind]
    system = started(change)
    with pytest.raises(InputError, match=words) as raised:
        system.predict(ITEMS)
    assert "system.py" in str(raised.value)


def test_a_command_that_hangs_is_ended(started):
    system = started(
        'if do == "predict": print("waiting for the moon", file=sys.stderr, flush=True); time.sleep(600)', 1.0
    )
    begin = time.monotonic()
    with pytest.raises(InputError, match=r"did not reply to 'predict' within 1 s(.*\n)*.*waiting for the moon"):
        system.predict(ITEMS)
    system.close()
    assert time.monotonic() - begin < 15


def test_a_reply_that_never_ends_is_cut(started, monkeypatch):
    monkeypatch.setattr(command_system, "LONGEST", 10_000)
    system = started('if do == "predict":\n        while True: sys.stdout.write("0" * 1000)')
    with pytest.raises(InputError, match="and 10,000 characters without a new line"):
        system.predict(ITEMS)


def test_a_command_that_does_not_read_is_ended(started):
    system = started('if do == "start": print("{}", flush=True); time.sleep(600)', 1.0)
    with pytest.raises(InputError, match="did not reply"):
        system.adapt([Item(str(at), "1", {"x": "y" * 1000}) for at in range(2000)], "batch")


def test_only_the_last_lines_of_errors_are_quoted(started):
    system = started('if do == "predict": [print(f"line {at}", file=sys.stderr) for at in range(999)]; sys.exit(3)')
    with pytest.raises(InputError) as raised:
        system.predict(ITEMS)
    assert "line 998" in str(raised.value)
    assert "line 990" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "empty command"), ("no-such-command-here", "cannot be started"), ("a 'b", "cannot be read")],
)
def test_a_command_that_cannot_be_started(text, words):
    with pytest.raises(InputError, match=words):
        CommandSystem(text).start({})


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_time_out_is_above_0(timeout):
    with pytest.raises(OptionError, match="timeout"):
        CommandSystem("true", timeout=timeout)


def test_a_command_that_does_not_save_what_it_says(started, tmp_path):
    system = started('if do == "save": print("{}", flush=True); continue', can=["save"])
    with pytest.raises(InputError, match="did not write"):
        system.save(str(tmp_path / "v1"))
