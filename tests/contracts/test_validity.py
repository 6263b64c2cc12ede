"""Whatever prints an interval or a p-value has a row in docs/validity.md: its figure, or its setting as not measured yet."""

import re
from pathlib import Path

from studies.validity import record
from studies.validity.cases import ALL
from studies.validity.overview import overview, verdict

import justesse
from justesse.intervals.methods import METHODS
from justesse.judges import ALL as JUDGES
from justesse.measures.titles import NAMED
from justesse.significance import TESTS, TITLES

SOURCE = Path(justesse.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "validity.md"
STUDIES = Path(__file__).parents[2] / "studies" / "validity"
WITH_PVALUES = ("procedures", "noise", "annotators", "lifelong")
WITH_INTERVALS = ("annotators", "cleaning", "judges", "lifelong", "noise", "procedures", "verbs")
# files that make an interval and that a simulation reaches through others: what it measures there
REACHED = {
    "verbs/audit/pooled_status": "pooled bounds of all pairs, at all looks together",
    "annotators/item_spread": "Cohen's kappa",
    "judges/audit_class_sizes": "audited replaces",
    "judges/audit_state": "difference, audited",
    "noise/difference_by_draws": "difference, rows drawn actively",
    "lifelong/run_scores": "error under a policy",
    "lifelong/stream_kappa": "kappa-temporal",
    "noise/drawn_sequence": "accuracy of these rows, always valid",
    "noise/powered_accuracy": "accuracy, rows drawn actively",
    "procedures/cleaned_training": "accuracy after cleaning training labels, less accuracy without",
    "verbs/ab/guarded": "stopped by a guardrail",
    "verbs/llm_judge/ask": "win rate, people asked about a judge's verdicts",
    "verbs/ab/result": "difference of two variants",
    "verbs/annotators/inference": "share of a class",
    "verbs/annotators/next_result": "stop: the target share is right",
    "verbs/audit/agreement": "share, wilson",
    "verbs/audit/document": "difference, audited",
    "verbs/evaluate/score_section": "recall at a threshold",
}


def printed():
    """Collect everything that the package can print with an interval or a p-value."""
    subjects = {f"interval:{method.name}" for method in METHODS} | {f"test:{name}" for name in TITLES}
    subjects |= {f"judge:{judge.name}" for judge in JUDGES} | {f"measure:{name}" for name in NAMED}
    for room in WITH_PVALUES:
        for path in (SOURCE / room).glob("*.py"):
            if re.search(r"\bpvalues?\b", path.read_text()):
                subjects.add(f"p-value:{path.stem}")
    return subjects


def shown():
    """Collect what the recorded figures are about; those of other packages do not count."""
    subjects = set()
    for row in record.measured(ALL, record.read()):
        if row.case.peer:
            continue
        kind = "interval" if row.case.kind == "coverage" else "test"
        subjects |= {f"{kind}:{name}" for name in row.hits.methods}
        # which interval or test it was, the figures tell; what was declared before does not count
        subjects |= {subject for subject in row.case.about if not subject.startswith(("interval:", "test:"))}
    return subjects


def test_the_registries_are_not_empty():
    assert len(METHODS) > 25
    assert len(TESTS) > 15
    assert len(ALL) > 150


def planned():
    """Collect what settings without figures are about, as they declare it; the page lists these settings."""
    rows = record.read()
    waiting = [setting for setting in ALL if not record.is_complete(setting, rows)]
    return {subject for setting in waiting for case in setting.cases if not case.peer for subject in case.about}


def test_everything_printed_has_a_row():
    assert sorted(printed() - shown() - planned()) == []


def makers_of_intervals():
    """List the files outside the room of intervals that make one."""
    for room in WITH_INTERVALS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            code = "\n".join(
                line for line in path.read_text().splitlines() if not line.lstrip().startswith((">>>", "..."))
            )
            if re.search(r"(?<![\w.])Interval\((?!95)", code):
                yield path.relative_to(SOURCE).with_suffix("").as_posix()


def test_every_file_that_makes_an_interval_is_simulated():
    simulated = "\n".join(path.read_text() for path in STUDIES.rglob("*.py"))
    registered = {case.what for setting in ALL for case in setting.cases}
    makers = list(makers_of_intervals())
    assert len(makers) > 20
    direct = {name for name in makers if f"from justesse.{name.replace('/', '.')} import" in simulated}
    assert sorted(set(makers) - direct - set(REACHED)) == []
    assert sorted(set(REACHED) - set(makers)) == []
    assert sorted(set(REACHED.values()) - registered) == []


def test_nothing_is_declared_that_is_never_printed():
    declared = {subject for setting in ALL for case in setting.cases for subject in case.about}
    kinds = tuple(f"{kind}:" for kind in ("interval", "test", "p-value", "judge"))
    assert sorted(name for name in declared - printed() if name.startswith(kinds)) == []


def test_every_figure_has_enough_repetitions():
    assert all(setting.repetitions == 0 or setting.repetitions >= 2000 for setting in ALL if not setting.models)
    assert all(setting.repetitions >= 400 for setting in ALL if setting.models)
    for row in record.measured(ALL, record.read()):
        assert row.hits.total >= row.setting.repetitions, row.setting.key(row.case)


def test_what_falls_short_names_something_else():
    rows = [row for row in record.measured(ALL, record.read()) if not row.case.peer and verdict(row) == "falls short"]
    vague = [row.setting.key(row.case) for row in rows if not row.case.instead or "collect more" in row.case.instead]
    assert vague == []


def test_every_setting_is_on_the_page_with_or_without_its_figures():
    page, rows = PAGE.read_text(), record.read()
    for setting in ALL:
        if record.is_complete(setting, rows):
            assert all(f"| {setting.name} | {setting.n:,} |" in page for _ in setting.cases)
        else:
            assert f"| {setting.part} | {setting.name} | {setting.n:,} | {len(setting.cases)} |" in page


def test_keys_name_one_case_each():
    keys = [setting.key(case) for setting in ALL for case in setting.cases]
    assert len(keys) == len(set(keys))
    assert set(record.read()) <= set(keys)


def test_the_page_shows_the_recorded_figures():
    page = PAGE.read_text()
    for part in overview():
        assert part.rstrip() in page, "run: python -m studies.validity --page"
    for picture in ("validity.png", "validity-all.png"):
        assert f"(images/{picture})" in page
        assert (PAGE.parent / "images" / picture).exists()
