"""Which model, task, filter and metric of a log are read: those asked for, or the first that can be."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from justesse.core.errors import InputError, OptionError
from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.logs.run import LogRun, MetricMark, Sample

EXACT = "exact match"  # made here if a log has answers and targets, and no score


@dataclass(frozen=True)
class SelectedRun:
    """The samples of a run that are read, and what there was to choose from."""

    run: LogRun
    samples: tuple[Sample, ...]
    metric: str
    metrics: tuple[str, ...]
    filter: str
    filters: tuple[str, ...]
    duplicates: int = 0
    made_here: bool = False  # whether answers were compared with targets here, because the log has no score

    def mark(self, sample: Sample) -> MetricMark:
        """Return the score and the answer that the chosen metric saw."""
        return sample.marks.get(self.metric, MetricMark(None))

    def is_right(self, sample: Sample, right_from: float | None) -> bool:
        """Say whether the score counts as right; a sample without a score is wrong."""
        score = self.mark(sample).score
        return score is not None and score >= (1.0 if right_from is None else right_from)

    def answer(self, sample: Sample) -> str | None:
        """Return the answer that the metric saw, or else what the model wrote."""
        answer = self.mark(sample).answer
        return sample.response if answer is None else answer


def select(runs: Sequence[LogRun], choice: LogChoice, where: str) -> list[SelectedRun]:
    """Choose among the runs of a log; refuse what is not in it, with the names that are."""
    models = list(dict.fromkeys(run.model for run in runs))
    if choice.model is not None:
        _check_known(choice.model, models, "model", "log_model=… (--log-model)", where)
        runs = [run for run in runs if run.model == choice.model]
    elif len(models) > 1:
        raise InputError(
            f"{where} has logs of {len(models)} models: {first_names(models, 10)}. Choose one with log_model=… "
            "(--log-model), or name the file or folder of one model."
        )
    if choice.task is not None:
        tasks = list(dict.fromkeys(run.task for run in runs))
        asked = [task for task in tasks if choice.task in (task, task.rsplit("/", 1)[-1])]
        if not asked:
            _check_known(choice.task, tasks, "task", "task=… (--task)", where)
        runs = [run for run in runs if run.task in asked]
    if not any(run.samples for run in runs):
        raise _no_samples(runs, where)
    selected = [_selected(run, choice) for run in runs if run.samples]
    tasks = [part.run.task for part in selected]
    if twice := next((task for task in tasks if tasks.count(task) > 1), None):
        first, second = [part.run.source for part in selected if part.run.task == twice][:2]
        raise InputError(
            f"{where} has task {twice!r} of the same model twice: {first} and {second}. Name one of these files."
        )
    return selected


def _check_known(name: str, known: Iterable[str], what: str, option: str, where: str) -> None:
    if name not in (names := list(dict.fromkeys(known))):
        shown = [known_name for known_name in names if known_name]
        listed = f"The log has {first_names(shown, 12)}. Choose one with" if shown else "The log names none. Leave out"
        raise OptionError(f"{what.capitalize()} {name!r} not found in {where}. {listed} {option}.")


def _no_samples(runs: Sequence[LogRun], where: str) -> InputError:
    status = next((run.status for run in runs if run.status != "success"), None)
    ended = f" The run ended with status {status!r}." if status else ""
    return InputError(
        f"{where} has no samples, only totals.{ended} Run the evaluation again with its samples logged "
        "(lm-evaluation-harness: --log_samples; inspect_ai: without --no-log-samples)."
    )


def _selected(run: LogRun, choice: LogChoice) -> SelectedRun:
    filters = tuple(dict.fromkeys(sample.filter for sample in run.samples))
    if (choice.filter is not None and len(filters) > 1) or choice.filter not in (None, *filters):
        _check_known(str(choice.filter), filters, "filter", "log_filter=… (--log-filter)", run.source)
    chosen = filters[0] if choice.filter is None else choice.filter
    samples, duplicates = _each_once([sample for sample in run.samples if sample.filter == chosen], run.source)
    metrics = tuple(dict.fromkeys(name for sample in samples for name in sample.marks))
    if not metrics:
        return _matched_here(run, samples, choice, chosen, filters, duplicates)
    metric = _metric(run, samples, metrics, choice)
    return SelectedRun(run, samples, metric, metrics, chosen, filters, duplicates)


def _metric(run: LogRun, samples: Sequence[Sample], metrics: Sequence[str], choice: LogChoice) -> str:
    def scores(name: str) -> set[float]:
        values = (sample.marks[name].score for sample in samples if name in sample.marks)
        return {score for score in values if score is not None}

    if choice.metric is not None:
        _check_known(choice.metric, metrics, "metric", "metric=… (--metric)", run.source)
        if choice.metric in run.lower_is_better:
            raise OptionError(
                f"Metric {choice.metric!r} of {run.source} is better if lower, so it says nothing about right and "
                f"wrong. Choose another of {first_names(metrics, 12)}."
            )
        values = scores(choice.metric)
        if not values:
            raise OptionError(f"Metric {choice.metric!r} of {run.source} has no number for any sample. Choose another.")
        if choice.right_from is None and not choice.graded and (between := sorted(values - {0.0, 1.0})):
            raise OptionError(
                f"Metric {choice.metric!r} of {run.source} has scores other than 0 and 1, such as {between[0]:g}. Say "
                "from which score an answer is right with right_from=… (--right-from 0.5), or choose another of "
                f"{first_names(metrics, 12)}."
            )
        return choice.metric
    usable = {name: values for name in metrics if name not in run.lower_is_better and (values := scores(name))}
    binary = [name for name, values in usable.items() if values <= {0.0, 1.0}]
    if choice.right_from is not None and usable:
        return next(iter(usable))
    if binary:
        return binary[0]
    if choice.graded and usable:
        return next(iter(usable))
    if not usable:
        raise InputError(
            f"No metric of {run.source} has a number for any sample: {first_names(metrics, 12)}. Score the samples "
            "first."
        )
    raise InputError(
        f"No metric of {run.source} scores with 0 and 1 only: {first_names(list(usable), 12)}. Choose one with "
        "metric=… (--metric), and say from which score an answer is right with right_from=… (--right-from 0.5)."
    )


def _matched_here(
    run: LogRun, samples: tuple[Sample, ...], choice: LogChoice, filter: str, filters: tuple[str, ...], duplicates: int
) -> SelectedRun:
    """Compare answers with targets if the log has no score."""
    if choice.metric is not None:
        raise OptionError(f"{run.source} has no scores, so metric {choice.metric!r} is not in it. Leave out metric.")
    if samples and all(sample.failed for sample in samples):
        raise InputError(
            f"No sample of {run.source} has an answer: the run failed in {samples_words(len(samples))}. Run the "
            "evaluation again."
        )
    if not any(sample.targets for sample in samples):
        raise InputError(
            f"{run.source} has neither scores nor targets, so nothing says which answers are right. Score the samples "
            "first (inspect_ai: inspect score)."
        )
    scored = []
    for sample in samples:
        text = (sample.response or "").strip()
        right = None if sample.failed or not sample.targets else float(text in sample.targets)
        scored.append(replace(sample, marks={EXACT: MetricMark(right, text)}))
    return SelectedRun(run, tuple(scored), EXACT, (EXACT,), filter, filters, duplicates, made_here=True)


def _each_once(samples: Sequence[Sample], where: str) -> tuple[tuple[Sample, ...], int]:
    """Keep one of samples that repeat word for word; refuse an id with two questions or two answers."""
    kept: dict[tuple[str, int], Sample] = {}
    contents: dict[str, str | None] = {}
    duplicates = 0
    for sample in samples:
        known = contents.setdefault(sample.id, sample.content)
        if known != sample.content:
            raise InputError(
                f"Id {sample.id!r} of {where} is used for two different questions. Two tasks may be mixed in one file. "
                "Log each task in a file of its own."
            )
        other = kept.setdefault((sample.id, sample.epoch), sample)
        if other is sample:
            continue
        if (other.marks, other.response, other.targets) != (sample.marks, sample.response, sample.targets):
            raise InputError(
                f"{where} has sample {sample.id!r} (epoch {sample.epoch}) twice, with different answers or scores. "
                "Keep one of them, or number them as epochs."
            )
        duplicates += 1
    return tuple(kept.values()), duplicates


def samples_words(n: int) -> str:
    """Count samples in words.

    >>> samples_words(1), samples_words(1200)
    ('1 sample', '1,200 samples')
    """
    return quantity(n, "sample")
