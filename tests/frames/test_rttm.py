"""RTTM and UEM files: what is read, and what is refused with file and line."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from justesse.core.errors import InputError
from justesse.frames.rttm import SpokenTime, read_rttm, read_uem

GOOD = "SPEAKER a 1 0.50 9.5 <NA> <NA> Ann <NA> <NA>"


def test_speaker_lines_are_read_and_others_skipped(tmp_path):
    path = tmp_path / "a.rttm"
    lines = [
        ";; a comment",
        "",
        "SPKR-INFO a 1 <NA> <NA> <NA> unknown Ann <NA>",
        GOOD,
        GOOD.replace(" <NA> <NA>", "", 2),
    ]
    lines[-1] = "SPEAKER b 1 3 1 <NA> <NA> Ben"
    path.write_text("\ufeff" + "\r\n".join(lines))
    assert read_rttm(path) == [SpokenTime("a", "Ann", 0.5, 10.0, 4), SpokenTime("b", "Ben", 3.0, 4.0, 5)]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y"]), st.integers(0, 500), st.integers(1, 90)),
        min_size=1,
    )
)
def test_what_is_written_is_read(tmp_path, rows):
    path = tmp_path / "a.rttm"
    path.write_text("".join(f"SPEAKER {r} 1 {s / 10} {d / 10} <NA> <NA> {k} <NA> <NA>\n" for r, k, s, d in rows))
    read = read_rttm(path)
    assert [(row.recording, row.speaker, row.start, round(row.end - row.start, 6)) for row in read] == [
        (r, k, s / 10, d / 10) for r, k, s, d in rows
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "line 2: 'hello' is no kind of RTTM line"),
        ("recording,part,speaker", "line 2: 'recording,part,speaker' is no kind"),
        ("SPEAKER a 1 0.5", "line 2: a SPEAKER line has 8 to 10 fields; got 4"),
        ("SPEAKER a 1 x 2 <NA> <NA> Ann <NA> <NA>", "line 2: the start must be a number of seconds; got 'x'"),
        ("SPEAKER a 1 1 nan <NA> <NA> Ann <NA> <NA>", "line 2: the duration must be a number of seconds; got 'nan'"),
        ("SPEAKER a 1 1 0 <NA> <NA> Ann <NA> <NA>", "line 2: the start must be 0 or more and the duration above 0"),
        ("SPEAKER a 1 -1 2 <NA> <NA> Ann <NA> <NA>", "line 2: the start must be 0 or more"),
        ("SPEAKER a 2 1 2 <NA> <NA> Ann <NA> <NA>", "line 2: recording 'a' has the channels '1' and '2'"),
        ("SPEAKER a 1 1 2 <NA> <NA> <NA> <NA> <NA>", r"line 2: no speaker"),
    ],
)
def test_bad_lines_are_refused_with_file_and_line(tmp_path, line, words):
    path = tmp_path / "a.rttm"
    path.write_text(f"{GOOD}\n{line}\n")
    with pytest.raises(InputError, match="a.rttm, " + words):
        read_rttm(path)


def test_files_that_hold_no_speech(tmp_path):
    with pytest.raises(InputError, match="not found"):
        read_rttm(tmp_path / "no.rttm")
    path = tmp_path / "a.rttm"
    path.write_text(";; nothing\n")
    with pytest.raises(InputError, match="no SPEAKER line"):
        read_rttm(path)
    path.write_bytes(GOOD.encode() + b"\nSPEAKER a 1 1 2 <NA> <NA> \xff\xfe <NA> <NA>\n")
    with pytest.raises(InputError, match="line 2 is not UTF-8"):
        read_rttm(path)


def test_times_alone(tmp_path):
    path = tmp_path / "a.uem"
    path.write_text("a 1 3 4.5\n\n;; comment\nb 1 0 1\n")
    assert [(row.recording, row.start, row.end, row.line) for row in read_uem(path)] == [
        ("a", 3, 4.5, 1),
        ("b", 0, 1, 4),
    ]
    for text, words in (
        ("a 1 3\n", "4 fields"),
        ("a 1 4 3\n", "before the end"),
        ("a 1 x 3\n", "number"),
        ("\n", "no line"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=words):
            read_uem(path)
