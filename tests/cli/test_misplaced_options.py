"""Options and files where a command of a group was expected."""

import pytest

from justesse.cli.main import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("recheck --report x.html ask.recheck", "For example: justesse recheck next --report x.html ask.recheck"),
        ("recheck --file=a.csv ask.recheck", "needs a command before --file=a.csv: answer."),
        ("recheck ask.recheck", "justesse recheck needs a command before ask.recheck: next, answer."),
        ("audit --report x.html a.audit", "For example: justesse audit report --report x.html a.audit"),
        ("recheck nxt", 'Unknown command "nxt". Did you mean "next"?'),
        ("recheck --nothing", 'Unknown command "--nothing".'),
    ],
)
def test_the_message_names_the_command(capsys, words, message):
    assert main(words.split()) == 2
    assert message in " ".join(capsys.readouterr().err.split())
