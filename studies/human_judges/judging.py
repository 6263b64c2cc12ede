"""All judges that ask nobody, on all ordered pairs of networks."""

from collections.abc import Iterator

from justesse.frames.pairwise import count_all_pairs
from justesse.intervals.ends import z_value
from justesse.judges import judge_named
from justesse.judges.evidence import Rule
from justesse.noise.hardness import at_random, by_disagreement, hardest
from justesse.noise.ranking import Ranking
from justesse.significance.overlap import overlap_level
from studies.cleaned_judges.steps import cleaned_decisions
from studies.human_judges.settings import Settings
from studies.noise_ladder.images import Array, Images

PLAIN = ("classical", "paired", "prudent_v1", "sharp")
OVERLAP, PAIRED = "overlap", "paired"


def rules(settings: Settings) -> dict[str, Rule]:
    """Give the thesis' rule, intervals of this level that do not overlap, and the paired one of this level."""
    return {
        OVERLAP: Rule(level=overlap_level(z_value((1 - settings.level) / 2))),
        PAIRED: Rule(level=settings.level),
    }


def references(images: Images, label: Array, settings: Settings) -> dict[str, Array]:
    """Say who replaces whom if the true classes are known, by overlap and paired."""
    pairs = count_all_pairs(label, images.given, true=images.true)
    return {
        form: judge_named("reference").decide_many(pairs, rule, form=form) for form, rule in rules(settings).items()
    }


def decisions(
    images: Images, label: Array, ranking: Ranking, settings: Settings, *, seed: int
) -> Iterator[tuple[str, Array]]:
    """Let every judge decide about all ordered pairs."""
    pairs = count_all_pairs(label, images.given, true=images.true)
    rule = rules(settings)
    for judge in PLAIN:
        yield judge, judge_named(judge).decide_many(pairs, rule[PAIRED if judge in ("paired", "sharp") else OVERLAP])
    difficulty = {
        "people's votes": ranking.difficulty,
        "at random": at_random(len(label), seed=seed),
        "the networks' disagreement": by_disagreement(images.given),
    }
    for name, hardness in difficulty.items():
        doubted = count_all_pairs(label, images.given, true=images.true, hard=hardest(hardness, settings.pc))
        yield f"prudent_v2, {name}", judge_named("prudent_v2").decide_many(doubted, rule[OVERLAP])
    yield from cleaned_decisions(
        label, images.true, images.given, rule[OVERLAP], classes=len(images.classes), seed=seed
    )
