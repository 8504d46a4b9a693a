"""What the tests share: where the repository and the command are, and task sets to ask about."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isx

ROOT = Path(__file__).resolve().parents[2]
ALL_SETS = sorted((ROOT / "tasksets").glob("*.yaml"))
COUNTED_SETS = [path for path in ALL_SETS if "\nresources:" in path.read_text(encoding="utf-8")]
"""Those that count several resources."""
TASK_SETS = [path for path in ALL_SETS if path not in COUNTED_SETS]
"""Those with an area."""


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


def hub() -> dict[str, Any]:
    """The set with three resources of docs/hardware.md."""
    mac = {"name": "mac", "uses": ["multiplier"], "cost": {"LUT": 60}, "wcet": 40000}
    table = {"name": "table", "cost": {"LUT": 20, "BRAM": 2.5}, "wcet": 70000}
    sbox = {"name": "sbox", "cost": {"LUT": 464}, "wcet": 60000}
    rom = {"name": "rom", "cost": {"LUT": 90, "BRAM": 2}, "wcet": 70000}
    return {
        "name": "sensor hub",
        "clock": "24 MHz",
        "resources": ["LUT", "DSP", "BRAM"],
        "device": "iCE40UP5K",
        "base": {"LUT": 1614, "BRAM": 4},
        "blocks": [{"name": "multiplier", "cost": {"LUT": -30, "DSP": 4}}],
        "tasks": [
            {"name": "fir", "wcet": 100000, "period": "10 ms", "choices": [mac, table]},
            {"name": "aes", "wcet": 150000, "period": "10 ms", "choices": [sbox, rom]},
        ],
    }


def long_lasting() -> isx.TaskSet:
    """A set whose front takes minutes."""
    return isx.generate(tasks=120, choices="30..40", area="1000..9000000", savings="correlated:0.01..0.6", seed=3)
