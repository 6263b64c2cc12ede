"""One small server for the tests of the web page."""

import pytest

from justesse.web.people import ROLES
from web.clients import Clients, make_settings


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "served").mkdir()
    return tmp_path / "served"


@pytest.fixture
def clients(folder):
    return Clients(make_settings(folder))


@pytest.fixture(params=[None, *ROLES])
def role(request):
    return request.param
