"""Our own Vega-Lite: Altair's schema accepts it, notebooks show it, and pages do without Altair."""

import subprocess
import sys

import altair
import jsonschema
import pytest

from justesse.charts import vega_lite as vl

ROWS = [{"n": 1, "kind": "a", "high": 2}, {"n": 3, "kind": "b", "high": 4}]


def chart():
    data = vl.Chart(ROWS)
    return vl.layer(data.mark_rule().encode(x="n:Q", x2="high:Q"), data.mark_point(size=9).encode(x="n:Q", y="kind:N"))


def test_it_says_what_altair_says():
    data = altair.Chart(altair.Data(values=ROWS))
    ours, theirs = chart().to_dict(), altair.layer(
        data.mark_rule().encode(x="n:Q", x2="high:Q"), data.mark_point(size=9).encode(x="n:Q", y="kind:N")
    ).to_dict()  # fmt: skip
    assert ours["layer"] == theirs["layer"]
    assert ours["data"] == theirs["data"]
    assert ours["$schema"].split(".")[0] == theirs["$schema"].split(".")[0]  # the same major version


def test_a_mistake_does_not_pass_the_tests_of_this_folder():
    with pytest.raises(jsonschema.ValidationError):
        chart().properties(width="wide").to_dict()


def test_it_can_be_handed_over_to_altair_and_shown_in_a_notebook():
    assert isinstance(chart().altair(), altair.LayerChart)
    assert any("vegalite" in kind or "html" in kind for kind in chart()._repr_mimebundle_())


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_it_can_be_saved(tmp_path, ending, begins):
    chart().save(tmp_path / f"a.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes().startswith(begins)


def test_a_page_does_not_load_altair(tmp_path):
    code = (
        "import sys; from justesse import evaluate; "
        f"evaluate(y_true=['a', 'b'] * 9, y_pred=['a'] * 18).report({str(tmp_path / 'page.html')!r}); "
        "print('altair' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
