"""The judges of a tournament, each with its settings."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from justesse.cleaning.simulated import REMOVED, Nett
from justesse.core.all_pairs import AllPairs, PairTable
from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.frames.entrants import Entrants
from justesse.frames.pair_disagreements import count_disagreements
from justesse.frames.pairwise import count_all_pairs
from justesse.judges.audit_targets import QUESTIONS, About
from justesse.judges.evidence import Rule
from justesse.judges.simulated_audits import simulate_audits
from justesse.judges.tournament import DECIDE
from justesse.noise.hardness import at_random, by_disagreement, hardest
from justesse.noise.models import check_rate
from justesse.verbs.noise.label_versions import LabelVersion

HardBy = Literal["disagreement", "random", "difficulty"]
JUDGES = ("classical", "paired", "prudent_v1", "prudent_v2", "sharp", "cleaned", "audited")
TOLD = ("prudent_v1", "sharp")  # judges that are told the share of wrong labels
MOST_AUDITED = 20_000  # pairs up to which `all` holds audits, which take a thousand times longer than other judges
AT_ONCE = 20_000  # audits run side by side, so that a million of them fit into memory


@dataclass(frozen=True)
class Settings:
    """What the judges are told: see `tournament`."""

    rate: float | None = None
    pc: float = 0.1
    hard_by: str | Sequence[str] | None = None
    cleaning: Sequence[Sequence[float]] = ()
    budget: int = 200
    expert_error: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not all(len(chances) in (2, 3) for chances in self.cleaning):
            raise OptionError(f"a cleaning step has chances (s, e) or (s, e, c); got {list(self.cleaning)!r}")
        if self.rate is not None:
            check_rate(self.rate)
        if not 0 <= self.pc <= 1:
            raise OptionError(f"pc is the share of the rows that counts as hard, from 0 to 1; got {self.pc!r}")
        for how in self.ways or ():
            if how not in get_args(HardBy):
                raise OptionError(f"rows are hard by {', '.join(get_args(HardBy))}; got {how!r}")

    @property
    def ways(self) -> list[str] | None:
        """The ways to rank rows that were asked for."""
        return [self.hard_by] if isinstance(self.hard_by, str) else None if self.hard_by is None else list(self.hard_by)


@dataclass(frozen=True, eq=False)
class Scene:
    """What a judge may look at in one round."""

    field: AllPairs
    version: LabelVersion
    entrants: Entrants
    rule: Rule

    def table(self, labels: Array, rows: Array) -> PairTable:
        """Count all pairs on some of the rows, against some labels."""
        answers = np.compress(rows, self.version.answers, axis=1)
        return count_all_pairs(labels[rows], answers, measure=self.field.measure, at=self.field.at).labels


@dataclass(frozen=True)
class Contestant:
    """A judge as it is shown, its settings, and how it decides: who replaces whom, and the answers asked for."""

    name: str
    decide: Callable[[Scene], tuple[Array, Array | None]]
    settings: dict[str, Any] = field(default_factory=dict)
    audits: bool = False
    joint: bool = False  # needs a table of labels by true classes


def contestants(judges: str | Sequence[str], settings: Settings, *, ranked: bool) -> list[Contestant]:
    """Find the judges by their names; `all` is every one of them. `ranked` says that rows have a difficulty."""
    wanted = [judges] if isinstance(judges, str) else list(judges)
    if not wanted:
        raise OptionError(f"at least one judge is needed: all, or some of {', '.join(JUDGES)}; got none")
    names = dict.fromkeys(name.strip().lower().replace("-", "_") for name in wanted)
    found: list[Contestant] = []
    for name in names:
        if name not in (*JUDGES, "all"):
            near = difflib.get_close_matches(name, JUDGES, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]!r}? There are" if near else "there are"
            raise OptionError(f"there is no judge {name!r}; {hint} {', '.join(JUDGES)}, and all")
    for name in JUDGES if "all" in names else names:
        if name == "prudent_v2":
            found += [_prudent(how, settings) for how in settings.ways or _every_way(ranked)]
        elif name == "cleaned":
            found += [_cleaned(Nett(*chances), settings.seed) for chances in settings.cleaning]
        elif name == "audited":
            found += [_audited(question, settings) for question in QUESTIONS]
        else:
            found.append(_plain(name, {"rate": settings.rate} if name in TOLD else {}))
    if not found:
        raise OptionError("cleaned needs a cleaning step, such as cleaning=[(0.6, 0.1)] (--cleaning 0.6:0.1); got none")
    return found


def admitted(
    judges: Sequence[Contestant], measures: Sequence[str], pairs: int, *, by_name: bool
) -> tuple[list[Contestant], list[str]]:
    """Leave out audits where there can be none, or too many unless they were asked for; say so."""
    others = [one for one in judges if not one.audits]
    if len(others) == len(judges):
        return others, []
    about = [name for name in measures if name != "accuracy"]
    if about and by_name:
        raise OptionError(f"audited answers for accuracy alone; leave it out, or leave out {about[0]}")
    if about:
        return others, ["audited answers for accuracy alone and was left out."]
    if pairs > MOST_AUDITED and not by_name:
        return others, [f"audited was left out: {pairs:,} audits take long; ask for it by its name to have them."]
    return list(judges), []


def without_joint(judges: Sequence[Contestant], *, by_name: bool) -> tuple[list[Contestant], list[str]]:
    """Leave out the judges that need one class per row, or refuse them if they were asked for by name."""
    unable = [one.name for one in judges if one.joint]
    if not unable:
        return list(judges), []
    why = "a table of labels by true classes, so one class per row, and some rows accept several (any_of)"
    told = "; with a rate (--rate) prudent_v1 and sharp can judge" if {*TOLD} & {*unable} else ""
    if by_name:
        raise OptionError(f"{unable[0]} needs {why}{told}")
    return [one for one in judges if not one.joint], [f"Left out: {', '.join(unable)}. They need {why}{told}."]


def _plain(name: str, options: dict[str, Any]) -> Contestant:
    shown = {"rate": "the true one"} if options.get("rate", 0) is None else options
    joint = options.get("rate", 0) is None
    return Contestant(name, lambda scene: (DECIDE[name](scene.field, scene.rule, **options), None), shown, joint=joint)


def _every_way(ranked: bool) -> list[str]:
    return [how for how in get_args(HardBy) if ranked or how != "difficulty"]


def _prudent(how: str, settings: Settings) -> Contestant:
    def decide(scene: Scene) -> tuple[Array, None]:
        hard = hardest(_hardness(how, scene, settings.seed), settings.pc)
        seen = replace(scene.field, hard=scene.table(scene.version.labels, hard))
        return DECIDE["prudent_v2"](seen, scene.rule), None

    return Contestant(f"prudent_v2 ({how})", decide, {"pc": settings.pc, "hard_by": how})


def _cleaned(step: Nett, seed: int) -> Contestant:
    def decide(scene: Scene) -> tuple[Array, None]:
        entrants = scene.entrants
        given, true = (part.astype(np.int64) for part in (scene.version.labels, entrants.true))
        labels = step.clean_rows(given, true, classes=len(entrants.classes), seed=seed)
        if not np.any(labels != REMOVED):
            raise InputError(
                f"{step.words} removed all {len(labels):,} rows; nothing is left to judge by: leave out cleaned"
            )
        mended = replace(scene.field, cleaned=scene.table(labels, labels != REMOVED))
        return DECIDE["cleaned"](mended, scene.rule), None

    told = [step.detects, step.mistakes, *([] if step.corrects is None else [step.corrects])]
    return Contestant(
        f"cleaned ({', '.join(f'{one:g}' for one in told)})", decide, dict(zip("sec", told, strict=False)), joint=True
    )


def _audited(question: About, settings: Settings) -> Contestant:
    told: dict[str, Any] = {"budget": settings.budget, "expert_error": settings.expert_error}

    def decide(scene: Scene) -> tuple[Array, Array]:
        entrants, rule = scene.entrants, scene.rule
        accepted = (
            scene.version.answers == scene.version.labels,
            entrants.judged_by(entrants.true_column) == entrants.true,
        )
        disputes = count_disagreements(*accepted, entrants.answers)
        size = len(disputes)
        off = ~np.eye(size, dtype=bool)
        counts = disputes[off]
        replaces, answers = np.zeros((size, size), dtype=bool), np.zeros((size, size), dtype=np.int64)
        asked: dict[str, Any] = {**told, "question": question, "margin": rule.margin, **rule.sides}
        parts = [
            simulate_audits(counts[at : at + AT_ONCE], len(entrants.true), seed=settings.seed + at, **asked)
            for at in range(0, len(counts), AT_ONCE)
        ]
        replaces[off] = np.concatenate([part.replaced for part in parts])
        answers[off] = np.concatenate([part.answered for part in parts])
        return replaces, answers

    return Contestant(f"audited ({question})", decide, {**told, "question": question}, audits=True)


def _hardness(how: str, scene: Scene, seed: int) -> Array:
    """Give a number for each row, the higher the harder."""
    entrants = scene.entrants
    if how == "random":
        return at_random(len(entrants.true), seed=seed)
    if how == "disagreement":
        return by_disagreement(entrants.answers)
    known = scene.version.difficulty if entrants.difficulty is None else entrants.difficulty
    if known is None:
        raise OptionError(
            "rows are ranked by difficulty if a column has it, difficulty=… (--difficulty COL), or if a ranking placed "
            "the wrong labels (noise_rates with votes, answers or ranking)"
        )
    return known
