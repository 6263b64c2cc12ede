import jsonschema
import pytest

import justesse
from justesse.verbs.schemas import schema

SCHEMA = schema("plan")
CALLS = {
    "precision": ["--expected", 0.9, "--half-width", 0.01],
    "difference": ["--difference", 0.02, "--disagreement", 0.08],
    "noise": ["--half-width", 0.02, "--noise-rate", 0.05, "--population", 1000],
    "labels": ["--half-width", 0.02, "--noise-rate", 0.05, "--expert-price", 5],
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_json_follows_the_schema_and_is_what_the_library_gives(run, name):
    found = run("plan", name, *CALLS[name], "--json").json
    jsonschema.validate(found, SCHEMA)
    words = CALLS[name]
    options = {str(key)[2:].replace("-", "_"): value for key, value in zip(words[::2], words[1::2], strict=True)}
    assert getattr(justesse, f"plan_{name}")(**options).to_dict() == found
    assert any(row.get("n", row.get("cheap_n")) == found["n"] for row in found["alternatives"])


@pytest.mark.parametrize("name", sorted(CALLS))
def test_words(run, name):
    ran = run("plan", name, *CALLS[name])
    assert ran.code == 0
    assert "Assumes that" in ran.out


def test_golden_precision(run):
    assert run("plan", "precision", "--expected", "0.9", "--half-width", "0.01", "--json").json["n"] == 3461
    assert run("plan", "precision", "--half-width", "0.05", "--method", "wald", "--json").json["n"] == 385


def test_the_warning_about_noise_that_is_not_uniform(run):
    assert "leave a bias of up to ±0.1 that no quantity removes" in " ".join(
        run("plan", "labels", *CALLS["labels"]).out.split()
    )


@pytest.mark.parametrize(
    "words",
    [
        ["precision"],
        ["precision", "--half-width", "0"],
        ["difference", "--difference", "0.2", "--disagreement", "0.1"],
        ["noise", "--half-width", "0.01", "--noise-rate", "2"],
        ["labels", "--half-width", "0.01", "--noise-rate", "0.7"],
        ["nothing"],
        ["precision", "--half-width", "many"],
    ],
)
def test_bad_plans(run, words):
    ran = run("plan", *words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err


def test_costs_have_thousands_and_the_goal_asked_for_is_marked(run):
    text = run("plan", "labels", "--half-width", 0.02, "--noise-rate", 0.05, "--expert-price", 5).out
    assert "(cost 4,340)" in " ".join(text.split())
    assert [line.split()[0] for line in text.splitlines() if line.endswith("asked for")] == ["0.05"]
    text = run("plan", "precision", "--half-width", 0.01, "--expected", 0.95).out
    assert "(95 % CI, wilson)" in text
    assert sum(line.endswith("asked for") for line in text.splitlines()) == 1


TILES = {
    "precision": [("Rows needed", "3,461", "for ±0.01, 95 % CI")],
    "difference": [("Rows needed", "1,556", "for a difference of 0.02, power 0.8")],
    "noise": [("Labels to re-check", "320", "for ±0.02, 95 % CI")],
    "labels": [("Expert labels needed", "868", "cost 4,340"), ("Cheap labels needed", "1,428", "cost 1,428")],
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_page_shows_how_many_as_a_key_figure(run, name, tmp_path):
    page = tmp_path / "plan.html"
    run("plan", name, *CALLS[name], "--report", page)
    text = page.read_text().replace("\N{NO-BREAK SPACE}", " ")
    for title, n, note in TILES[name]:
        assert f'<dt>{title}</dt><dd class="value">{n}</dd><dd>{note}</dd>' in text
