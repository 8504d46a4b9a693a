"""What the tests share: where the repository and the command are, and task sets to ask about."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isx

ROOT = Path(__file__).resolve().parents[2]
TASK_SETS = sorted((ROOT / "tasksets").glob("*.yaml"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow; python/test --slow runs it"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than a second or two")


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs the command of the same sources."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    asked = os.environ.get("ISX_BIN")
    places = [Path(asked)] if asked else [target / "release/isx", target / "debug/isx"]
    program = next((place for place in places if place.is_file()), None)
    if program is None:
        if os.environ.get("ISX_REQUIRE_BIN") == "1":
            pytest.fail("no isx command to compare with: build it, or name it in ISX_BIN")
        pytest.skip("no isx command to compare with: build it, or name it in ISX_BIN")

    def run(*arguments: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([program, *map(str, arguments)], capture_output=True, check=False)

    return run


def two_tasks() -> dict[str, Any]:
    """A small set with three points."""
    return {
        "name": "two tasks",
        "tasks": [
            {"name": "control", "wcet": 6, "period": 10, "choices": [{"name": "mac", "area": 120, "wcet": 4}]},
            {"name": "filter", "wcet": 5, "period": 10, "choices": [{"name": "fir", "area": 300, "saves": 2}]},
        ],
    }


def long_lasting() -> isx.TaskSet:
    """A set whose front takes minutes."""
    return isx.generate(tasks=120, choices="30..40", area="1000..9000000", savings="correlated:0.01..0.6", seed=3)
