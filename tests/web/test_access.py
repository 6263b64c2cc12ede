"""Who may do what: a matrix of all routes and roles, made from the application itself."""

import re

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from justesse.web.access import check_rules, rule_of
from justesse.web.routers import ALL
from justesse.web.shield import POLICY

ROUTES = [(method, route) for router in ALL for route in router.routes for method in sorted(route.methods)]
FILLED = {"audit": "my.audit", "name": "web.css", "row": "0", "number": "1"}
# who may do what, written down a second time: a route that is new, gone or has another rule fails here
RULES = {
    "everybody": "GET /healthz, GET /static/{name}, GET /enter, POST /enter, GET /login, POST /login",
    "owner, expert, reader": "GET /, POST /logout, GET /audits/{audit}, GET /audits/{audit}/media/{row}, "
    "GET /api/openapi.json, GET /api/audits",
    "owner, expert": "GET /audits/{audit}/instructions, GET /audits/{audit}/answer, POST /audits/{audit}/answer, "
    "POST /audits/{audit}/undo, POST /api/audits/{audit}/questions, POST /api/audits/{audit}/answers, "
    "POST /api/audits/{audit}/undo, GET /lists/{name}, POST /lists/{name}",
    "owner, reader": "GET /audits/{audit}/events, GET /audits/{audit}/answers.csv, GET /audits/{audit}/report, "
    "GET /api/audits/{audit}",
    "owner, reader, every audit": "GET /evaluations, GET /evaluations/compare, GET /evaluations/{number}, "
    "GET /evaluations/{number}/report, GET /evaluations/{number}/json, GET /dossiers, GET /dossiers/{name}, "
    "GET /policies, GET /policies/draw, POST /policies/effect, POST /policies/download",
    "owner": "POST /audits/{audit}/pause, POST /audits/{audit}/instructions, POST /audits/{audit}/invite, "
    "POST /audits/{audit}/revoke, GET /audits/{audit}/export, GET /new, POST /new, GET /evaluations/new, "
    "POST /evaluations/new, GET /evaluations/columns, POST /evaluations/columns, POST /policies/upload, POST /policies/save",
}
EXPECTED = {route: rule.split(", ") for rule, routes in RULES.items() for route in routes.split(", ")}
STRANGERS = {route.split()[1] for route, rule in EXPECTED.items() if rule == ["everybody"]}


def test_every_route_is_written_down_with_its_rule():
    rules = {f"{method} {route.path}": rule_of(route) for method, route in ROUTES}
    assert {name: (sorted(rule.roles), rule.every_audit) for name, rule in rules.items()} == {
        name: (sorted(set(rule) - {"everybody", "every audit"}), "every audit" in rule)
        for name, rule in EXPECTED.items()
    }


def filled(path):
    return re.sub(r"{(\w+)[^}]*}", lambda match: FILLED[match[1]], path)


@pytest.mark.parametrize(("method", "route"), ROUTES, ids=lambda value: getattr(value, "path", value))
def test_every_route_and_role(clients, role, method, route):
    roles = rule_of(route).roles
    assert bool(roles) == (route.path not in STRANGERS)
    client = clients.nobody() if role is None else clients("Ann", role)
    with client.stream(method, filled(route.path)) as answer:
        status = answer.status_code
    if not roles:
        assert status != 403
    elif role is None:
        assert status == 401
    elif role not in roles:
        assert status == 403
    else:
        assert status not in (401, 403, 500)


@pytest.mark.parametrize(("method", "route"), ROUTES, ids=lambda value: getattr(value, "path", value))
def test_every_answer_has_the_headers(clients, method, route):
    for client in (clients.nobody(), clients("Ann")):
        with client.stream(method, filled(route.path)) as answer:
            headers = answer.headers
        assert (
            "script-src 'self'" in headers["content-security-policy"] or "sandbox" in headers["content-security-policy"]
        )
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"


def test_a_route_without_a_rule_is_refused():
    router = APIRouter()

    @router.get("/open")
    def open_door():
        return {}

    with pytest.raises(TypeError, match="0 access rules"):
        check_rules(router.routes)


def test_the_application_has_no_other_routes(clients):
    assert all(isinstance(route, APIRoute) for route in clients.app.routes)
    assert len(clients.app.routes) == sum(len(router.routes) for router in ALL)
    assert "unsafe" not in POLICY


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/",
        "/static",
        "/audits/../../etc/passwd",
        "/audits/..%2f..%2fetc%2fpasswd",
        "/docs",
        "/openapi.json",
    ],
)
def test_no_path_leads_out_and_no_directory_is_listed(clients, path):
    answer = clients("Ann").get(path)
    assert answer.status_code in (404, 307)
    assert "root:" not in answer.text
    assert "import" not in answer.text
