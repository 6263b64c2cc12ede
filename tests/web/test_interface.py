"""The JSON interface keeps what its description promises, whatever is sent."""

import warnings

import pytest
from hypothesis import HealthCheck, given, settings

from web.samples import start

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis


@pytest.mark.filterwarnings("ignore")
def test_every_operation_keeps_its_schema(clients, folder, role):
    start(folder / "my.audit", n=60)
    document = clients("Olga").get("/api/openapi.json").json()
    client = clients.nobody() if role is None else clients("Ann", role)
    operations = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert len(operations) >= 5
    # names of audits are free text: most examples should be about one that exists
    for methods in document["paths"].values():
        for about in methods.values():
            for part in about.get("parameters", ()):
                if part["name"] == "audit":
                    part["schema"] = {"type": "string", "enum": ["my.audit", "no.audit"]}
    schema = schemathesis.openapi.from_dict(document)
    tried = set()
    for result in schema.get_all_operations():
        operation = result.ok()
        tried.add((operation.path, operation.method.lower()))
        keeps_its_schema(operation, client)
    assert tried == operations


def keeps_its_schema(operation, client):
    """Send what the description allows, and more; every answer is one that it describes."""

    @settings(max_examples=12, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def check(case):
        body = case.body if isinstance(case.body, dict | list) else None
        answer = client.request(case.method, case.formatted_path, json=body)
        assert answer.status_code < 500
        assert str(answer.status_code) in operation.definition.raw["responses"]
        operation.validate_response(_response(answer))

    check()


def _response(answer):
    from schemathesis import Response

    return Response(
        status_code=answer.status_code,
        headers={name: [value] for name, value in answer.headers.items()},
        content=answer.content,
        request=None,
        elapsed=0.1,
        verify=False,
    )
