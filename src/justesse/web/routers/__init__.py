"""The routers of all pages."""

from justesse.web.routers import (
    answering,
    api,
    dossiers,
    entry,
    evaluating,
    evaluations,
    files,
    health,
    home,
    inviting,
    owning,
    policies,
    rechecks,
    starting,
)

ALL = (
    health.router,
    api.router,  # early, since routes are tried one after the other and most requests are answers
    files.router,
    entry.router,
    home.router,
    answering.router,
    rechecks.router,
    owning.router,
    inviting.router,
    starting.router,
    evaluating.router,  # before the evaluations, whose numbers would take its names
    evaluations.router,
    policies.router,
    dossiers.router,
)
