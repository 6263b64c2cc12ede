"""The status of an audit, computed again from what a dossier keeps of it."""

from functools import partial
from typing import Any

from justesse.core.errors import InputError
from justesse.judges.audit_questions import Question
from justesse.store.answers import Diary, Entry
from justesse.store.disagreements import Amendment, DisagreeingRow
from justesse.store.pooled_rows import PooledRow
from justesse.verbs.audit.audit import Audit
from justesse.verbs.audit.facts import checked_facts
from justesse.verbs.audit.kept_audit import KeptAudit
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.status_result import AuditStatus, status_of


def restored_status(kept: KeptAudit) -> AuditStatus | PooledStatus:
    """Compute evidence and verdict again, from settings, disputed rows, drawn questions and answers."""
    place: Any = kept.place
    about = checked_facts(dict(kept.about), place)
    pooled = "models" in about
    row_of: Any = partial(_pooled_row, len(about["models"])) if pooled else DisagreeingRow
    audit = (PooledAudit if pooled else Audit)(
        place,
        about,
        [row_of(at, *values) for at, values in enumerate(kept.disputes)],
        [Question(row, stratum, tuple(map(float, weights))) for row, stratum, *weights in kept.drawn],
        Diary([_read_entry(*values) for values in kept.entries]),
        [Amendment(*values) for values in kept.amendments],
        notes=dict(kept.notes),
        broken=kept.broken,
        format=kept.format,
    )
    if not audit.is_whole():
        raise InputError("The disputed rows that the dossier keeps are not those that the audit was started with.")
    return status_of(audit, kept.part, tuple(kept.cautions))


def _read_entry(number: int, row: int, kind: Any, answer: Any, by: str, at: str, corrects: int | None) -> Entry:
    return Entry(number, row, kind, tuple(answer) if isinstance(answer, list) else answer, by, at, corrects)


def _pooled_row(models: int, number: int, id: str, label: Any, *values: Any) -> PooledRow:
    """Build a row from the answers of the models and, if there are any, the credits that they got in the data."""
    answers, credits = values[:models], values[models:]
    return PooledRow(number, id, label, answers, None, *credits)
