"""Numbers are read the same way by every option of every command: 5% is 0.05, and 2.7 is no whole number."""

import dataclasses
from pathlib import Path
from typing import Literal, get_args

import pytest
from cyclopts import App, CycloptsError, Parameter

from justesse.cli.main import app
from justesse.cli.values import read_value


def parse(kind, *words):
    """Read words as the values of an option of one kind."""
    command = App(default_parameter=Parameter(converter=read_value), result_action="return_value")

    @command.default
    def value(*, x: kind):
        return x

    options = [part for word in words for part in ("--x", word)]
    return command(options, exit_on_error=False, print_error=False)


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        (float, ["5%"], 0.05),
        (float | None, ["5%"], 0.05),
        (int | None, ["3"], 3),
        (list[float], ["5%", "0.2"], [0.05, 0.2]),
        (list[float] | None, ["5%"], [0.05]),
        (list[int], ["2", "3"], [2, 3]),
        (Literal["auto"] | float, ["auto"], "auto"),
        (float | Literal["auto"], ["1%"], 0.01),
        (int | str, ["2.7"], "2.7"),
        (Path | None, ["none"], Path("none")),
        (str | None, ["none"], "none"),
    ],
)
def test_a_value_of_any_kind_is_read(kind, words, value):
    assert parse(kind, *words) == value


@pytest.mark.parametrize("kind", [int, int | None, list[int], list[int] | None])
def test_a_fraction_is_not_rounded_to_a_whole_number(kind):
    with pytest.raises(CycloptsError, match=r"--x: a whole number is needed; got '2\.7'"):
        parse(kind, "2.7")


@pytest.mark.parametrize("kind", [float, float | None, list[float]])
def test_what_is_no_number_is_refused(kind):
    with pytest.raises(CycloptsError, match="--x: a number such as 0.05 or a percentage such as 5% is needed; got 'x'"):
        parse(kind, "x")


def commands(command, words=()):
    for name in command:
        if not name.startswith("-"):
            yield from commands(command[name], (*words, name))
    if words and command.default_command:
        yield words, command.assemble_argument_collection(parse_docstring=True)


def example(argument):
    """Give a value that the argument takes."""
    kinds = {argument.hint, *get_args(argument.hint)}
    return "0.1" if float in kinds else "1" if int in kinds else str(next(iter(get_args(argument.hint)), "x"))


def numeric_options():
    for words, arguments in commands(app):
        required = [argument for argument in arguments if argument.required and argument.name != "*"]
        for argument in arguments:
            if dataclasses.is_dataclass(argument.hint) or not {float, int} & {argument.hint, *get_args(argument.hint)}:
                continue
            others = [
                word
                for other in required
                if other is not argument
                for word in ([other.name] if other.name.startswith("-") else []) + [example(other)]
            ]
            yield pytest.param(argument, [*words, *others], id=" ".join((*words, argument.name)))


@pytest.mark.parametrize(("argument", "words"), list(numeric_options()))
def test_every_option_reads_numbers_the_same_way(argument, words):
    def call(value):
        app.parse_args([*words, argument.name, value], exit_on_error=False, print_error=False)

    if int in {argument.hint, *get_args(argument.hint)}:
        with pytest.raises(CycloptsError, match=r"a whole number is needed; got '2\.7'"):
            call("2.7")
    else:
        call("5%")
