"""Every command that computes writes a dossier: the list of those that need not is here, with the reason."""

import pytest

import justesse
from justesse.cli.main import app

# they answer questions, add events, look at dossiers, or run until they are stopped: nothing is computed from data
NEED_NONE = {
    "ab add", "ab start", "ab watch", "audit answer", "audit ask", "demo", "recheck answer", "serve",
    "dossier datasheet", "dossier diff", "dossier export", "dossier key", "dossier plan", "dossier replay",
    "dossier show", "dossier verify",
}  # fmt: skip
OPTIONS = ("--dossier", "--project", "--sign", "--signer", "--signed-plan", "--sheet", "--model-file", "--model-commit",
           "--model-data", "--model-seed")  # fmt: skip


def commands(holder=app, words=()):
    """List the commands with their parts, as they are typed, and the options of each."""
    for name in holder:
        if name.startswith("-"):
            continue
        part = holder[name]
        yield from commands(part, (*words, name))
        if part.default_command is not None:
            options = {option for argument in part.assemble_argument_collection() for option in argument.names}
            yield " ".join((*words, name)), options


COMMANDS = dict(commands())


def test_the_list_of_commands_is_the_one_that_users_see():
    assert {"evaluate", "compare", "audit status", "noise bounds", "plan labels", "lifelong score"} <= set(COMMANDS)
    assert set(COMMANDS) >= NEED_NONE


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_that_computes_has_the_options_of_a_dossier(name):
    missing = [option for option in OPTIONS if option not in COMMANDS[name]]
    if name in NEED_NONE:
        assert "--dossier" in missing
    else:
        assert missing == []


def test_every_function_with_a_command_that_writes_a_dossier_notes_how_it_was_called():
    for name in COMMANDS:
        function = getattr(justesse, name.replace(" ", "_").replace("-", "_"), None)
        if function is not None and name not in NEED_NONE and name != "dossier reevaluate":
            assert hasattr(function, "__wrapped__"), name
