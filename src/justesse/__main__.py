"""`python -m justesse` is `justesse`."""

from justesse.cli.main import run

run()
