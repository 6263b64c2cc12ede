"""An expert who answers every question rightly and at once."""

from justesse.lifelong.experts.expert import ExpertKind

PERFECT = ExpertKind("perfect", "Answers every question with the right class, at once.")
