"""What the answers of a run are and how they are scored, one kind per file: classes, sentences, recordings."""

from justesse.lifelong.tasks.classes import ClassTask
from justesse.lifelong.tasks.recordings import RecordingTask
from justesse.lifelong.tasks.sentences import SentenceTask

ALL = (ClassTask, SentenceTask, RecordingTask)
