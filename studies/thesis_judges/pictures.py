"""Figures 6.5, 6.6 and 6.7 of the thesis, drawn from our classifiers."""

from pathlib import Path
from typing import Any

import numpy as np

from justesse.charts.decision_matrix import Panel, decision_cells, decision_matrix_chart
from justesse.charts.paint import BLUE, styled
from justesse.charts.rates_by_noise import rates_by_noise_chart
from justesse.charts.vega_lite import altair
from justesse.core.results import Estimate
from justesse.judges.tournament import DecisionShare
from studies.thesis_judges.groups import SAME, SEVERAL
from studies.thesis_judges.page import by_accuracy, swept
from studies.thesis_judges.run import Found
from studies.thesis_judges.settings import Settings

FOLDER = Path(__file__).parent
KINDS = {
    "F_c": "F_c: right where the label is right",
    "F_n": "F_n: repeats the wrong label",
    "F_r": "F_r: finds the truth where the label is wrong",
    "P": "P: share of all answers",
}
WHO = {SEVERAL: "several versions", SAME: "the test's version"}
SHOWN = (0.05, 0.10, 0.15)  # the shares of wrong labels of figure 6.6


def draw(found: Found, settings: Settings, folder: Path = FOLDER) -> list[Path]:
    """Write all pictures."""
    pictures = {"indicators": indicators(found, settings)}
    for name, group in (("several", SEVERAL), ("same", SAME)):
        pictures |= {f"decisions_{name}": decisions(found, group), f"rates_{name}": rates(found, group)}
    places = []
    for name, picture in pictures.items():
        places.append(folder / f"{name}.png")
        picture.save(places[-1], scale_factor=2)
    return places


def indicators(found: Found, settings: Settings) -> Any:
    """Draw figure 6.5: one dot per chosen classifier on a line for each indicator of each class."""
    alt = altair()
    group, classes = found.groups[SEVERAL, settings.table_rate], found.images.classes
    said = {f"P {name}": (group.chosen.answers == code).mean(axis=1) for code, name in enumerate(classes)}
    said |= dict(zip(group.indicators.names, group.indicators.values.T, strict=True))
    panels = []
    for kind, title in KINDS.items():
        points = [
            {"class": name, "value": round(float(value), 4)}
            for name in classes
            for value in said.get(f"{kind} {name}", ())
        ]
        x = alt.X("value:Q", title="share", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="~%"))
        y = alt.Y("class:N", sort=list(classes), title=None, scale=alt.Scale(domain=list(classes)))
        dots = alt.Chart(alt.Data(values=points)).mark_point(filled=True, color=BLUE, opacity=0.35, size=28)
        panels.append(dots.encode(x=x, y=y).properties(width=250, height=170, title=title))
    many = len(group.chosen.names)
    return styled(
        alt.concat(*panels, columns=2, spacing=18),
        "What the chosen classifiers do with wrong labels, class by class",
        f"Strips of dots, one per classifier ({many}), for F_c, F_n, F_r and the share of answers of every class.",
        below=[
            f"{many} classifiers, test labels of which {settings.variety_rate:.0%} are wrong; no dots where no label is"
        ],
    )


def decisions(found: Found, name: str) -> Any:
    """Draw figure 6.6: who replaces whom, by the classical and the first prudent judge."""
    panels = []
    for judge in ("classical", "prudent_v1", "prudent_v2, own ranking"):
        for rate in (rate for rate in SHOWN if rate in found.versions):
            (one,) = (one for one in by_accuracy(found.judged[name, rate]) if one.judge == judge)
            order = np.argsort(one.difference[0], kind="stable")  # against one incumbent: from the worst to the best
            cells = decision_cells(one.replaces, one.references["overlap"])[np.ix_(order, order)]
            panels.append(Panel(judge, f"{rate:.0%} wrong labels", cells))
    about = {"measure": "accuracy", "reference": f"overlap ({WHO[name]})"}
    return decision_matrix_chart(panels, range(len(order)), **about, best_first=False)  # as in the thesis


def rates(found: Found, name: str) -> Any:
    """Draw figure 6.7: errors and agreement of every judge against the share of wrong labels."""
    rows = [
        (judge, rate, {kind: _estimate(kind, share) for kind, share in vars(one.rates()).items()})
        for judge, judged in swept(found, name).items()
        for rate, one in zip(found.versions, judged, strict=True)
    ]
    return rates_by_noise_chart(rows, measure="accuracy", reference=f"overlap ({WHO[name]})")


def _estimate(name: str, share: DecisionShare) -> Estimate:
    return Estimate(name, share.value, share.n, undefined=share.undefined)
