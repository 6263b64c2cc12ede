"""The plain part of YAML that people write by hand: keys, texts and lists, one level deep; everything is text.

No types are guessed, nothing is built and nothing is run: what is not plain is refused with its line.
"""

import json
import re
from dataclasses import dataclass

from justesse.core.errors import FileError

Value = str | list[str]
KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*) *:(?: +(.*))?$")
BLANKS = " \t\r"
REFUSED = "&*!{}[],%@`"


@dataclass(frozen=True)
class Line:
    """A line that says something: its number from 1, how far it is indented, and its text."""

    number: int
    indent: int
    text: str


def read_plain_yaml(text: str, name: str = "the file") -> dict[str, Value | dict[str, Value]]:
    """Read keys with texts, lists of texts, or keys below them.

    Texts may be plain, in quotes, or on the lines below after `|` (lines kept) or `>` (lines joined).

    >>> read_plain_yaml('''
    ... task: "spam or not"   # why
    ... people:
    ...   profiles: |
    ...     two nurses
    ...     one doctor
    ...   tools: [none]
    ... ''')
    Traceback (most recent call last):
    justesse.core.errors.FileError: the file, line 7: '[none]' is not plain text; put it in quotes, or ...
    >>> read_plain_yaml("a: one\\nb:\\n  c: |\\n    two\\n    three\\n  d:\\n    - four\\n    - five")
    {'a': 'one', 'b': {'c': 'two\\nthree\\n', 'd': ['four', 'five']}}
    """
    return Reader(text, name).mapping(0)


class Reader:
    """Where in the text the reading is."""

    def __init__(self, text: str, name: str) -> None:
        self.lines = text.removeprefix("\ufeff").splitlines()
        self.name = name
        self.at = 0

    def next(self) -> Line | None:
        """Give the next line that says something, without passing it."""
        while self.at < len(self.lines):
            text = self.lines[self.at]
            bare = text.strip(BLANKS)
            if bare and not bare.startswith("#") and not (bare == "---" and self.at == 0):
                indent = len(text) - len(text.lstrip(" "))
                if text[indent] == "\t":
                    raise self.refused(self.at + 1, "a tab stands where only blanks may; put blanks in its place")
                return Line(self.at + 1, indent, bare)
            self.at += 1
        return None

    def mapping(self, indent: int) -> dict[str, Value | dict[str, Value]]:
        found: dict[str, Value | dict[str, Value]] = {}
        while (line := self.next()) and line.indent >= indent:
            if line.indent > indent:
                raise self.refused(line.number, "this line is indented further than those above; align it with them")
            match = KEY.match(line.text)
            if not match:
                raise self.refused(
                    line.number, f"'key: text' is needed; got {line.text[:60]!r}; a long text goes below after |"
                )
            if match[1] in found:
                raise self.refused(line.number, f"the key {match[1]!r} stands there twice; keep one")
            self.at += 1
            found[match[1]] = self.value(line, (match[2] or "").strip(BLANKS), nested=indent == 0)
        return found

    def value(self, line: Line, start: str, *, nested: bool) -> Value | dict[str, Value]:
        if start and start[0] in "|>":
            return self.block(line, re.split(r" +#", start)[0])
        if start and not start.startswith("#"):
            return self.scalar(line, start)
        below = self.next()
        # a list may stand as far left as its key
        if below and below.text.startswith("- ") and below.indent >= line.indent:
            return self.listed(below)
        if below and below.indent > line.indent and nested:
            found = self.mapping(below.indent)
            return {key: value for key, value in found.items() if not isinstance(value, dict)}
        if below and below.indent > line.indent:
            raise self.refused(below.number, "keys are nested one level deep at most; put a long text below after |")
        return ""

    def listed(self, first: Line) -> list[str]:
        found = []
        while (line := self.next()) and line.indent == first.indent and line.text.startswith("- "):
            self.at += 1
            found.append(self.scalar(line, line.text[2:].strip(BLANKS)))
        return found

    def block(self, line: Line, mark: str) -> str:
        if mark not in ("|", "|-", ">", ">-"):
            raise self.refused(line.number, f"a text below starts after |, |-, > or >-; got {mark!r}")
        kept: list[str] = []
        while self.at < len(self.lines):
            text = self.lines[self.at]
            if text.strip() and len(text) - len(text.lstrip(" ")) <= line.indent:
                break
            kept.append(text)
            self.at += 1
        while kept and not kept[-1].strip():
            kept.pop()
        if not kept:
            return ""
        first = next(text for text in kept if text.strip())
        margin = len(first) - len(first.lstrip(" "))
        short = [text for text in kept if text.strip() and text[:margin].strip()]
        if short:
            raise self.refused(line.number, "the lines of a text below must all be indented as far as its first")
        cut = [text[margin:].rstrip("\r") for text in kept]
        whole = "\n".join(cut) if mark[0] == "|" else _folded(cut)
        return whole if mark.endswith("-") else f"{whole}\n"

    def scalar(self, line: Line, start: str) -> str:
        if start[0] in "\"'":
            return self.quoted(line, start)
        words = [self.plain(line, start)]
        while (below := self.next()) and below.indent > line.indent and not start.startswith("#"):
            self.at += 1
            words.append(self.plain(below, below.text))
        return " ".join(words)

    def plain(self, line: Line, text: str) -> str:
        found = re.split(r"[ \t]+#", text)[0].strip(BLANKS)
        if (
            "\t" in text
            or found[:1] in REFUSED
            or re.search(r":([ \t]|$)", found)
            or found.startswith(("- ", "? "))
            or found == "-"
        ):
            raise self.refused(line.number, f"{found[:60]!r} is not plain text; put it in quotes, or below after |")
        return found

    def quoted(self, line: Line, text: str) -> str:
        pattern = r"'((?:[^']|'')*)'" if text[0] == "'" else r'("(?:[^"\\]|\\.)*")'
        match = re.fullmatch(pattern + r"[ \t]*(?:[ \t]#.*)?", text)
        if not match:
            raise self.refused(line.number, "a quote that does not close on its line; a long text goes below after |")
        if text[0] == "'":
            return match[1].replace("''", "'")
        try:
            return str(json.loads(match[1]))
        except ValueError as error:
            raise self.refused(line.number, f"the text in quotes cannot be read ({error})") from error

    def refused(self, number: int, why: str) -> FileError:
        return FileError(f"{self.name}, line {number}: {why}")


def _folded(lines: list[str]) -> str:
    """Join lines by blanks; an empty line stays a line break."""
    whole, pending = "", 0
    for line in lines:
        if not line.strip():
            pending += 1
            continue
        whole += ("\n" * pending if pending else " " if whole else "") + line
        pending = 0
    return whole
