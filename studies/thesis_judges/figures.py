"""The figures worth pinning, and the shape they must have."""

from pathlib import Path

import numpy as np

from studies.expected import load
from studies.thesis_judges.groups import SAME, SEVERAL
from studies.thesis_judges.hardness import OWN
from studies.thesis_judges.judging import Judged
from studies.thesis_judges.run import Found
from studies.thesis_judges.settings import Settings
from studies.thesis_judges.suffering import MEAN

EXPECTED = Path(__file__).parent / "expected.csv"
SHORT = {SEVERAL: "several", SAME: "same"}


def figures(found: Found, settings: Settings) -> dict[str, float]:
    """Name every figure that is compared with what is expected."""
    made = {f"wrong test labels at {rate:.0%}": noisy.part(found.images.test).realised
            for rate, noisy in found.versions.items()}  # fmt: skip
    made |= {
        "models trained": len(settings.train_rates) * settings.models,
        "states above the floor": len(found.field.names),
        "states elected": found.groups[SEVERAL, settings.table_rate].elected,
    }
    for (name, rate), judged in found.judged.items():
        for one in judged:
            if one.measure == "accuracy":
                made |= _rates(f"{SHORT[name]}, {rate:.0%}: {one.judge}", one)
        for measure in ("precision", "recall"):
            for judge in ("classical", "prudent_v1"):
                rates = [one.rates() for one in judged if (one.judge, one.measure) == (judge, measure)]
                if rates:
                    which = f"{SHORT[name]}, {rate:.0%}: {judge}, {measure}, {MEAN}"
                    made[f"{which}, type I"] = float(np.nanmean([one.type_one.value for one in rates]))
                    made[f"{which}, type II"] = float(np.nanmean([one.type_two.value for one in rates]))
    for name, filtered in found.filtered.items():
        for one in filtered:
            made |= _rates(f"{SHORT[name]}, {settings.table_rate:.0%}: {one.judge}", one)
    for name, own in found.suffering.items():
        for suffered in own:
            if suffered.class_name == MEAN:
                which = f"{SHORT[name]}: {suffered.measure} refused more often than accuracy, points"
                ends = {"low": suffered.low, "high": suffered.high}
                made |= {which: 100 * suffered.more, **{f"{which}, {end}": 100 * at for end, at in ends.items()}}
    prudent = ("prudent_v1", f"prudent_v2, {OWN}")
    others = [[one.judged[judge].rates() for judge in prudent] for one in found.choices]
    made["other hundreds: most type I errors of a prudent judge"] = max(
        one.type_one.count for both in others for one in both
    )
    made["other hundreds: prudent_v2 refuses less than prudent_v1"] = sum(
        second.type_two.value < first.type_two.value for first, second in others
    )
    return made


def _rates(name: str, judged: Judged) -> dict[str, float]:
    rates = judged.rates()
    return {
        f"{name}, type I": rates.type_one.value,
        f"{name}, type II": rates.type_two.value,
        f"{name}, worse accepted": rates.worse_accepted.value,
    }


def shape(figures: dict[str, float], settings: Settings) -> list[str]:
    """Say where the shape of the thesis' result is missing.

    Classical errs a little both ways; the prudent ones make no type I error, many of type II, and the second fewer.
    """
    off = []
    for name in SHORT.values():
        at = f"{name}, {settings.table_rate:.0%}: "
        classical, first, second = (f"{at}{judge}" for judge in ("classical", "prudent_v1", f"prudent_v2, {OWN}"))
        wanted = {
            "the classical judge errs a little both ways": all(
                0 < figures[f"{classical}, {kind}"] < 0.06 for kind in ("type I", "type II")
            ),
            "no prudent judge makes a type I error": figures[f"{first}, type I"] == figures[f"{second}, type I"] == 0,
            "both prudent judges refuse much more than the classical": min(
                figures[f"{first}, type II"], figures[f"{second}, type II"]
            )
            > 5 * figures[f"{classical}, type II"],
            "the second prudent judge refuses less than the first": figures[f"{second}, type II"]
            < figures[f"{first}, type II"],
        }
        off += [f"{at}{what}: not so" for what, so in wanted.items() if not so]
    return off


def expected() -> dict[str, tuple[float, float]]:
    return {row["figure"]: (float(row["value"]), float(row["tolerance"])) for row in load(EXPECTED)}
