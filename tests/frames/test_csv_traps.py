"""What DuckDB's CSV sniffer gets wrong, or quietly drops, and we must not."""

import pytest

from justesse import count
from justesse.core.errors import ClassError, ColumnError, FileError


def test_the_sniffer_drops_the_header_and_a_row_without_a_word_and_we_do_not(write):
    import duckdb

    path = write("a.csv", "label,prediction\n1,1\n" + "0,0,0\n" * 5)
    sniffed = duckdb.sql(f"SELECT * FROM read_csv('{path}')")
    assert sniffed.columns == ["column0", "column1", "column2"]
    assert len(sniffed.fetchall()) == 5
    with pytest.raises(FileError, match="line 3: the header names 2 columns, but this row has more"):
        count(path)


def test_the_sniffer_skips_a_title_and_we_say_that_the_header_is_odd(write):
    import duckdb

    path = write("a.csv", "My results\nlabel,prediction\n1,1\n")
    assert duckdb.sql(f"SELECT * FROM read_csv('{path}')").columns == ["label", "prediction"]
    with pytest.raises(ColumnError, match="Columns: 'My results'"):
        count(path)


@pytest.mark.parametrize(("row", "word"), [("a", "fewer"), ("a,b,c", "more"), ("a,b,c,d,e", "more")])
def test_a_ragged_row_is_an_error_with_its_line(write, row, word):
    path = write("a.csv", "label,prediction\n" + "a,a\n" * 3 + row + "\nb,b\n")
    with pytest.raises(FileError, match=rf"a\.csv, line 5: the header names 2 columns, but this row has {word} values"):
        count(path)


def test_a_ragged_row_far_down_and_in_columns_not_used(write):
    path = write("a.csv", "id,label,prediction,note\n" + "1,a,a,x\n" * 200_000 + "2,b,b\n")
    with pytest.raises(FileError, match="line 200002"):
        count(path)


def test_a_late_text_value_makes_the_column_text_not_an_error_or_a_null(write):
    path = write("a.csv", "label,prediction\n" + "1,1\n" * 50_000 + "unknown,unknown\n")
    assert count(path).classes == ("1", "unknown")


def test_a_late_text_value_in_one_column_only_is_said(write):
    path = write("a.csv", "label,prediction\n" + "1,1\n" * 50_000 + "1,unknown\n")
    with pytest.raises(
        ClassError, match="'label' has integers such as 1, but column 'prediction' has text such as '1'"
    ):
        count(path)
    assert count(path, as_text=True).classes == ("1", "unknown")


def test_leading_zeros_are_text(write):
    assert count(write("a.csv", "label,prediction\n007,007\n010,007\n")).classes == ("007", "010")


@pytest.mark.parametrize("value", ["+1", "1e3", " 1", "1 ", "-0", "1_000", "0x1", "١"])
def test_what_is_not_canonical_stays_text(write, value):
    path = write("a.csv", f"label,prediction\n{value},{value}\n1,1\n")
    assert set(count(path).classes) == {value, "1"}


def test_integers_and_booleans_stay_what_they_are(write):
    assert count(write("a.csv", "label,prediction\n-1,10\n10,-1\n")).classes == (-1, 10)
    assert count(write("b.csv", "label,prediction\ntrue,false\ntrue,true\n")).classes == (False, True)
    assert count(write("c.csv", "label,prediction\nTrue,False\n")).classes == (False, True)
    assert count(write("d.csv", "label,prediction\ntrue,False\n")).classes == (False, True)
    assert count(write("e.csv", "label,prediction\ntrue,yes\nyes,yes\n")).classes == ("true", "yes")


def test_dates_times_and_nulls_in_words_are_text(write):
    path = write("a.csv", "label,prediction\n2020-01-01,12:30\nNULL,nan\n")
    assert count(path).classes == ("12:30", "2020-01-01", "NULL", "nan")


def test_quotes_delimiters_and_line_breaks_inside_values(write):
    path = write("a.csv", 'label,prediction\n"a,b","a\nb"\n"say ""hi""","a,b"\n')
    assert set(count(path).classes) == {"a,b", "a\nb", 'say "hi"'}


def test_comment_signs_and_first_rows_are_data(write):
    assert count(write("a.csv", "label,prediction\n#a,#a\n")).classes == ("#a",)
    assert count(write("b.csv", "label,prediction\nlabel,prediction\n")).classes == ("label", "prediction")


def test_blank_lines_between_rows_are_not_rows(write):
    assert count(write("a.csv", "label,prediction\n1,1\n\n0,1\n\n")).n == 2


@pytest.mark.parametrize("within", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("between", ["\n", "\r\n", "\r"])
def test_a_column_name_with_a_line_break_does_not_hide_the_rows(write, within, between):
    lines = [f'label,"my{within}note",prediction', *(f'{at % 2},"a{within}b",{at // 2 % 2}' for at in range(20))]
    tally = count(write("a.csv", between.join([*lines, ""]).encode()))
    assert tally.n == 20
    assert tally.classes == (0, 1)


def test_a_name_with_a_line_break_can_be_the_label_of_a_compressed_file(write):
    import gzip

    text = '"true\nlabel";prediction\r\n' + "a;a\r\nb;a\r\n" * 10
    tally = count(write("a.csv.gz", gzip.compress(text.encode())), label="true\nlabel")
    assert tally.n == 20


def test_a_large_file_with_such_a_name_is_refused_and_not_called_empty(write, monkeypatch):
    monkeypatch.setattr("justesse.frames.broken_header.MOST_UNPACKED", 50)
    path = write("a.csv", b'label,prediction,"my\nnote"\r\n' + b"a,a,x\r\n" * 20)
    with pytest.raises(FileError, match="a column name contains a line break .* Write that name on one line"):
        count(path)
