"""Whatever is changed in a dossier is noticed, and the place is named; also when it is sealed again."""

import json
import random
import re
from pathlib import Path

import pytest

import justesse
from justesse.dossier.layout import laid_out, read_record
from justesse.dossier.seal import SEAL, sealed
from justesse.verbs.dossier.record import DOSSIER_SCHEMA
from justesse.verbs.dossier.sufficient import KEPT

PLACE = re.compile(r"line (\d+), column \d+|(/[^\s:;,]+)|key '([^']*)'")


def first(path, **options):
    """Give the first fault of a file: its check and its words."""
    fault = justesse.dossier_verify(path, **options).faults[0]
    return fault.check, str(fault.sentence)


def edited(path, old, new, *, count=1):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))
    return path


def resealed(path, change):
    """Change a record and seal it again, as someone without the key could."""
    record = read_record(path)
    change(record)
    signature = record["signature"]
    path.write_text(laid_out({**sealed(record), "signature": signature}))
    return path


def test_a_thousand_edits_of_one_byte_are_refused_and_each_place_is_named(tmp_path, key):
    result = justesse.noise_breakdown(
        {"label": ["a", "b"] * 50, "prediction": ["a", "b"] * 45 + ["b", "a"] * 5}, claim="accuracy>=0.8"
    )
    result.dossier(tmp_path / "before.json", sign=key)
    path = result.dossier(tmp_path / "n.json", sign=key)
    assert read_record(path)["chain"]["previous"]["file"] == "before.json"
    source = path.read_bytes()
    assert justesse.dossier_verify(path).passed
    chance = random.Random(19)
    kinds = set()
    for trial in range(1000):
        at = chance.randrange(len(source))
        # half of the edits are letters and digits, which leave the JSON readable more often
        byte = chance.choice(b"0123456789abcxyz .") if trial % 2 else chance.randrange(256)
        byte = (byte + 1) % 256 if byte == source[at] else byte
        text = source[:at] + bytes([byte]) + source[at + 1 :]
        path.write_bytes(text)
        result = justesse.dossier_verify(path)
        assert not result.passed, (at, byte)
        words = str(result.faults[0].sentence)
        kinds.add(result.faults[0].check)
        named = PLACE.search(words.replace(str(path), ""))
        assert named, words
        line = source[:at].count(b"\n") + 1
        if named[1]:
            assert abs(int(named[1]) - line) <= 1, (words, line)
        elif named[2] and named[2].startswith("/results"):
            keys = [part for part in named[2].rstrip(".").split("/") if part and not part.isdigit()]
            near = "".join(str(lines.splitlines()[max(0, line - 8) : line]) for lines in (text, source))
            assert any(f'"{name}"' in near for name in keys[-2:]), (words, near)
    assert kinds == {"form", "seal", "signature"}


def test_a_flipped_digit_is_named_with_what_it_is_now(compared):
    value = json.loads(compared.read_text())["results"]["difference"]
    check, words = first(edited(compared, f'"difference": {value}', f'"difference": {value + 0.1}'))
    assert check == "seal"
    assert words == f"/results/headline/difference was changed; it is now {value + 0.1}."


def test_a_digit_that_gives_a_number_its_own_spelling_is_named_by_its_key_too(compared):
    value = json.loads(compared.read_text())["results"]["headline"]["difference"]
    compared.write_text(compared.read_text().replace(f'"difference": {value}', f'"difference": {value}0', 1))
    assert "line " in str(justesse.dossier_verify(compared).faults[0].sentence)
    longer = f"{value:.17f}"[:-1] + "9"
    compared.write_text(compared.read_text().replace(f'"difference": {value}0', f'"difference": {longer}0', 1))
    assert str(justesse.dossier_verify(compared).faults[0].sentence).startswith(
        "/results/headline/difference was changed"
    )


def test_a_removed_warning_is_named_by_its_number(tmp_path):
    few = {"label": ["a", "b", "b"] * 4, "prediction": ["a", "b", "a"] * 4}
    path = justesse.evaluate(few).dossier(tmp_path / "e.json")
    record = json.loads(path.read_text())
    assert len(record["warnings"]) >= 2
    removed = record["warnings"].pop(0)
    path.write_text(laid_out(record))
    assert first(path) == ("seal", "/warnings/0 was removed.")
    path.write_text(laid_out({**sealed(record), "signature": None}))
    assert first(path) == ("figures", f'/warnings lacks "{removed}", which its counts give.')


def test_the_counts_are_of_as_many_rows_as_the_dossier_names(tmp_path):
    table = {"label": ["a", "b", "b"] * 40, "old": ["a", "b", "a"] * 40, "new": ["a", "b", "b"] * 40}
    results = [justesse.evaluate(table, prediction="new"), justesse.compare(table, incumbent="old", candidate="new")]
    for at, result in enumerate(results):
        forged = resealed(result.dossier(tmp_path / f"{at}.json"), lambda record: record["data"][0].update(rows=12_000))
        words = "/data/0/rows: the dossier has 12,000, its counts are of 120."
        assert words in [str(fault.sentence) for fault in justesse.dossier_verify(forged, alone=True).faults]
    holes = {**table, "new": [None, *table["new"][1:]]}
    dropped = justesse.evaluate(holes, prediction="new", drop_missing=True).dossier(tmp_path / "holes.json")
    assert justesse.dossier_verify(dropped).passed


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda record: record["results"]["headline"].update(difference=0.5), "/results/headline/difference"),
        (lambda record: record["results"].update(verdict="keep"), "/results/verdict"),
        (lambda record: record["verdict"].update(verdict="keep"), "/verdict/verdict"),
        (lambda record: record["results"]["measures"][1]["interval"].update(low=0.2), "/results/measures/1/interval/low"),
        (lambda record: record["assumptions"].pop(), "/assumptions"),
        (lambda record: record["results"]["by"].pop(), "/results/by/1"),
        (lambda record: record["asked"]["options"].update(margin=0.2), "/results"),
        (lambda record: record["kept"]["pairs"][0]["value"]["pairs"]["$tuple"][0]["tally"]["$tally"]["cells"][0].__setitem__(-1, 90), "/results"),
    ],
)  # fmt: skip
def test_what_is_sealed_again_is_found_by_computing_again(compared, change, where):
    check, words = first(resealed(compared, change))
    assert check == "figures"
    assert words.startswith(where)


def test_counts_that_were_made_up_break_nothing(compared):
    def change(record):
        record["kept"]["pairs"][0]["value"]["pairs"]["$tuple"][0]["tally"]["$tally"]["cells"][0][-1] = -5

    assert first(resealed(compared, change))[0] == "figures"


def test_a_file_names_no_class_but_those_that_are_kept(compared):
    def change(record):
        record["kept"]["pairs"][0]["value"]["$kind"] = "Popen"

    check, words = first(resealed(compared, change))
    assert (check, "A part of /kept is not as justesse writes it" in words) == ("figures", True)


def test_a_signature_finds_what_was_sealed_again_with_right_figures(files, tmp_path, key):
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json", sign=key, signer="Ann")
    assert justesse.dossier_verify(path, key=f"{key}.pub").passed
    check, words = first(resealed(path, lambda record: record["run"].update(who="Ben")))
    assert check == "signature"
    assert words == "/signature: it does not belong to this content, signer and key."


def test_a_missing_link_of_the_chain_is_named(files, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    paths = [
        justesse.evaluate(files[0], level=level).dossier(project / f"{at}.json")
        for at, level in enumerate((0.9, 0.95, 0.99))
    ]
    assert [json.loads(path.read_text())["chain"]["number"] for path in paths] == [1, 2, 3]
    assert justesse.dossier_verify(paths[2]).passed
    paths[1].unlink()
    check, words = first(paths[2])
    assert check == "chain"
    assert words.startswith("/chain/previous: dossier 2 of the project (1.json), which 2.json follows, is missing")
    assert justesse.dossier_verify(paths[2], alone=True).passed


def test_an_earlier_dossier_that_was_changed_is_named(files, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    first_path, second = (justesse.evaluate(files[0]).dossier(project / name) for name in ("a.json", "b.json"))
    edited(first_path, '"who": "', '"who": "not ')
    assert first(second) == ("chain", "/chain/previous: a.json, an earlier dossier, was changed at /run/who.")
    resealed(first_path, lambda record: None)
    assert first(second)[1].startswith("/chain/previous: a.json is not the dossier that b.json follows")


def test_a_moved_link_is_found_by_its_checksum(files, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    first_path, second = (justesse.evaluate(files[0]).dossier(project / name) for name in ("a.json", "b.json"))
    first_path.rename(project / "renamed.json")
    assert justesse.dossier_verify(second).passed


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "line 1, column 1"),
        (b"{}", "it has no key 'dossier'"),
        (b"[1, 2]", "it has no key 'dossier'"),
        (b'{"dossier": NaN}', "NaN is not a number"),
        (b'{"dossier": 1e999}', "1e999 is not a number"),
        (b'{"dossier": 1, "dossier": 2}', "key 'dossier' is there twice"),
        (b"[" * 100_000, "nested more than"),
        (b'{"dossier": ' + b"9" * 5000 + b"}", "is not a number"),
        (b"label,prediction\na,a\n", "line 1, column 1"),
        (b"\xff\xfe", "byte 0xff is not UTF-8"),
        (b'{\n "dossier": 99\n}\n', "/dossier is 99"),
        (b'{\n "dossier": true\n}\n', "/dossier is True"),
        (b'{\n "dossier": 2,\n "kind": "result"\n}\n', "/chain is missing"),
    ],
)
def test_what_is_no_dossier_is_refused_in_a_sentence(tmp_path, content, words):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    assert words in first(path)[1]


def test_a_truncated_dossier_is_refused_wherever_it_ends(compared):
    text = compared.read_bytes()
    for share in (0.1, 0.5, 0.9, 0.999):
        compared.write_bytes(text[: int(len(text) * share)])
        assert "line" in first(compared)[1]
    compared.write_bytes(text + b"\n")
    assert "differs from how justesse writes it" in first(compared)[1]


def test_a_dossier_is_never_overwritten(compared, files):
    before = compared.read_bytes()
    with pytest.raises(ValueError, match="never overwritten"):
        justesse.evaluate(files[0]).dossier(compared)
    assert compared.read_bytes() == before


@pytest.mark.parametrize("schema", [1, 2])
def test_files_of_older_schemas_still_verify(schema):
    path = Path(__file__).parent / "older" / f"schema-{schema}.json"
    result = justesse.dossier_verify(path, alone=True)
    assert result.passed, [str(fault.sentence) for fault in result.faults]
    assert result.content["dossier"] == schema
    assert {check.name: check.state for check in result.checks}["figures"] == "passed"


@pytest.mark.parametrize(("name", "verb"), [("ab", "ab"), ("audit", "audit_status"), ("answers", "evaluate")])
def test_older_dossiers_without_counts_verify_and_say_that_nothing_was_computed(name, verb):
    path = Path(__file__).parent / "older" / f"schema-2-{name}.json"
    result = justesse.dossier_verify(path, alone=True, as_written=True)
    assert result.passed, [str(fault.sentence) for fault in result.faults]
    (check,) = (check for check in result.checks if check.name == "figures")
    assert check.state == "none"
    assert f"Dossiers of schema 2 keep no counts of justesse.{verb}" in str(check.sentences[0])
    assert result.hashed
    assert (result.computed, str(result.document().tone)) == ("none", "keep")


@pytest.mark.parametrize("name", ["ab", "audit", "answers"])
def test_figures_without_their_counts_do_not_pass_unless_that_is_accepted(name):
    result = justesse.dossier_verify(Path(__file__).parent / "older" / f"schema-2-{name}.json", alone=True)
    (fault,) = result.faults
    assert (fault.check, fault.where) == ("figures", "/kept")
    assert "Only the checksum, which anyone can write anew, protects them." in str(fault.sentence)
    assert str(fault.sentence).endswith("or accept them (--as-written).")


def lowered(path, schema, change=lambda record: None):
    """Claim an earlier schema, without the counts."""

    def forge(record):
        record["dossier"] = schema
        if schema == 1:
            for key in ("model", "plan", "sheet"):
                del record[key]
        record["kept"] = {}
        record["recomputed"] = {"from": [], "except": [""], "why": "Too large."}
        change(record)

    return resealed(path, forge)


@pytest.mark.parametrize("schema", [1, 2])
def test_an_earlier_schema_hides_no_made_up_figure(tmp_path, schema):
    path = justesse.plan_precision(half_width=0.02).dossier(tmp_path / "p.json")
    assert first(lowered(path, schema, lambda record: record["results"].update(n=7)))[0] == "figures"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: record["versions"].update(justesse="0.2.0"), "justesse 0.2.0, which is named as the writer"),
        (lambda record: record["versions"].update(justesse="x"), "justesse x, which is named as the writer"),
        (lambda record: record["kept"].update(read_stream=[]), "/kept/read_stream: dossiers of schema 2 keep nothing"),
        (lambda record: record.update(model=None, extra=1), "/extra is not a key of a dossier"),
    ],
)
def test_what_an_earlier_schema_cannot_have_shows_that_it_was_lowered(compared, change, words):
    check, found = first(lowered(compared, 2, change))
    assert check == "form"
    assert words in found


def test_a_lowered_schema_is_seen_by_the_dossiers_before_it(files, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    paths = [justesse.evaluate(files[0]).dossier(project / name) for name in ("a.json", "b.json")]
    resealed(paths[1], lambda record: record.update(dossier=2))
    assert first(paths[1]) == (
        "chain",
        "/dossier: b.json has schema 2, but a.json before it 3: the schema was lowered.",
    )


def test_a_dossier_that_was_replaced_is_seen_by_the_one_after_it(files, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    paths = [justesse.evaluate(files[0]).dossier(project / name) for name in ("a.json", "b.json", "c.json")]
    resealed(paths[1], lambda record: record["run"].update(who="Ben"))
    check, words = first(paths[1])
    assert check == "chain"
    assert words == "/seal/sha256: c.json follows b.json with another checksum, so this file was replaced."
    assert not any(fault.check == "chain" for fault in justesse.dossier_verify(paths[0]).faults)


def test_an_unsigned_dossier_among_signed_ones_is_a_caution(files, tmp_path, key):
    project = tmp_path / "project"
    project.mkdir()
    justesse.evaluate(files[0]).dossier(project / "a.json", sign=key)
    path = justesse.evaluate(files[0]).dossier(project / "b.json")
    result = justesse.dossier_verify(path)
    (caution,) = result.document().cautions
    assert str(caution) == "1 other dossier of the project is signed: ask why this one is not."
    assert not justesse.dossier_verify(path, alone=True).document().cautions


def test_more_rows_than_were_counted_excuse_no_missing_counts(files, tmp_path):
    path = justesse.evaluate(files[0]).dossier(tmp_path / "e.json")

    def inflated(record):
        record["data"][0]["rows"] = 10**9
        record["kept"]["rows"] = [None]
        record["recomputed"] = {"from": [], "except": [""], "why": "Too large."}
        record["results"]["headline"]["value"] = 0.99

    assert first(resealed(path, inflated))[0] == "figures"
    resealed(path, lambda record: record["results"].update(n=10**9))
    check, words = first(path)
    assert check == "figures"
    assert "No figure was computed again" in words


def test_counts_removed_from_an_older_dossier_are_missed(tmp_path):
    record = read_record(Path(__file__).parent / "older" / "schema-2.json")
    record["kept"] = {}
    record["recomputed"] = {"from": [], "except": [""], "why": "Too large."}
    (tmp_path / "d.json").write_text(laid_out({**sealed(record), "signature": None}))
    fault = justesse.dossier_verify(tmp_path / "d.json", alone=True).faults[0]
    assert (fault.check, fault.where) == ("figures", f"/kept/{KEPT[record['asked']['verb']][0]}")


def test_a_dossier_of_a_newer_schema_is_refused_in_a_sentence(compared):
    newer = DOSSIER_SCHEMA + 1
    resealed(compared, lambda record: record.update(dossier=newer))
    assert f"/dossier is {newer}: this version of justesse knows schema 1 to {DOSSIER_SCHEMA}." in first(compared)[1]


def test_the_seal_covers_all_but_itself_and_the_signature(compared):
    record = read_record(compared)
    for key in record:
        if key not in (SEAL, "signature"):
            changed = {**record, key: "x"}
            compared.write_text(laid_out(changed))
            assert not justesse.dossier_verify(compared).passed, key
