"""The whole experiment: images, noise, classifiers, choice, judges."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from justesse.cleaning.simulated import Nett
from justesse.core.parallel_map import Progress
from justesse.noise.noisy import Noisy
from studies.thesis_judges.choices import Choice, choices
from studies.thesis_judges.groups import SAME, SEVERAL, Group, groups
from studies.thesis_judges.hardness import OWN, hard_rows
from studies.thesis_judges.images import Images
from studies.thesis_judges.judging import AUDITED, LOWER, POPULATION, Bench, Judged, rule_of
from studies.thesis_judges.noisy import ranking
from studies.thesis_judges.settings import Settings
from studies.thesis_judges.suffering import MEASURES, Suffering, suffering
from studies.thesis_judges.thesis import REMOVING, TABLE_6_3
from studies.thesis_judges.training import Trained, trained

Key = tuple[str, float]  # which group, on labels of which share are wrong


@dataclass(frozen=True, eq=False)
class Found:
    """Everything the page shows."""

    images: Images
    versions: dict[float, Noisy]
    field: Trained
    groups: dict[Key, Group]
    judged: dict[Key, list[Judged]]
    cleaned: dict[str, dict[Nett, list[Judged]]]
    cleaned_at_full_width: dict[str, dict[Nett, list[Judged]]]
    filtered: dict[str, list[Judged]]  # after every real filter, at the rate of the tables
    suffering: dict[str, list[Suffering]]
    choices: list[Choice]


def run(settings: Settings, cache: Path, *, jobs: int, bar: Callable[[str], Progress]) -> Found:
    """Do it all; what was done before is taken from the cache."""
    images = Images.read(settings, cache)
    ranked = ranking(settings, images, cache, jobs=jobs, progress=bar("annotators"))
    field = trained(settings, images, ranked, cache, jobs=jobs, progress=bar("classifiers"))
    chosen = groups(settings, images, ranked, field)
    versions = {rate: ranked.noisy(images.true, rate) for rate in settings.test_rates}
    judged: dict[Key, list[Judged]] = {}
    cleaned: dict[str, dict[Nett, list[Judged]]] = {}
    wide: dict[str, dict[Nett, list[Judged]]] = {}
    filtered: dict[str, list[Judged]] = {}
    progress = bar("tournaments")
    for done, (key, group) in enumerate(chosen.items(), 1):
        noisy, answers = versions[key[1]], group.chosen.answers
        hard = hard_rows(settings, images, ranked, noisy, answers)
        bench = Bench(answers, noisy.part(images.test), hard, rule_of(settings.level))
        asked = {"budget": settings.budget, "seed": settings.seed}
        judged[key] = [*bench.judged(hard=list(hard)), bench.audited(AUDITED, **asked)]
        if key == (SEVERAL, settings.table_rate):
            others = list(choices(settings, images, ranked, field, bench))
        if key[1] == settings.table_rate:
            judged[key].append(bench.audited(POPULATION, question="population", **asked))
            judged[key].append(bench.audited(LOWER, level=0.95, **asked))
            for measure in MEASURES:
                for at, name in enumerate(images.classes):
                    judged[key] += bench.judged(measure, at, name, hard=[OWN])
            filtered[key[0]] = list(bench.filtered(seed=settings.seed))
            clean = partial(bench.cleaned, draws=settings.cleanings, seed=settings.seed)
            cleaned[key[0]], wide[key[0]] = clean(TABLE_6_3), clean(REMOVING, full_width=True)
        progress(done, len(chosen))
    tables = {name: judged[name, settings.table_rate] for name in (SEVERAL, SAME)}
    return Found(
        images,
        versions,
        field,
        chosen,
        judged,
        cleaned,
        wide,
        filtered,
        {name: suffering(own, settings) for name, own in tables.items()},
        others,
    )
