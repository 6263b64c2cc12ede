"""Lower bounds of dependencies are above versions with known holes."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
# the last version with a published hole: jinja2 CVE-2025-27516, pyarrow CVE-2023-47248, scikit-learn CVE-2024-5206,
# joblib CVE-2022-21797, duckdb CVE-2024-41672
HOLES = {"jinja2": "3.1.5", "pyarrow": "14.0.0", "scikit-learn": "1.4.2", "joblib": "1.1.0", "duckdb": "1.0.0"}


@pytest.mark.parametrize("name", sorted(HOLES))
def test_no_version_with_a_known_hole_is_accepted(name):
    asked = {one.name: one for one in map(Requirement, PROJECT["dependencies"])}
    assert not asked[name].specifier.contains(HOLES[name])
