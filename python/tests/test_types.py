"""The types that are declared are those that are there."""

import subprocess
import sys
from pathlib import Path

import pytest

import isx

pytest.importorskip("mypy")

CONFIGURATION = Path(__file__).parents[1] / "pyproject.toml"
INSTALLED = Path(isx.__file__).parent


def run(tmp_path: Path, *arguments: object) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.slow
def test_the_package_is_typed_strictly(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    run(tmp_path, "mypy", "--strict", "--cache-dir", cache, "-p", "isx")


@pytest.mark.slow
def test_users_see_its_types(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(
        "from fractions import Fraction\n"
        "import isx\n"
        "front: isx.Front = isx.explore('set.yaml', max_area=0.5)\n"
        "area: Fraction = front[0].area\n"
        "points: list[isx.Point] = front[1:]\n"
        "text: bytes = front.to_json()\n"
        "front.to_csv('front.csv')\n"
        "number: isx.Number = '9/10'\n"
        "fronts: list[isx.Front | isx.Error | OSError] = isx.explore_many(['set.yaml'], max_area=number)\n"
        "solved: list[isx.Solution | isx.Error] = isx.solve_many([{'profits': [1], 'weights': [1], 'capacity': 1}])\n"
        "left: Fraction = isx.compare(front, 'front.json').spans[0].most\n"
        "known: bool | None = isx.check({'name': 'n'}, 7).schedulable\n"
        "limited: isx.Front = isx.explore('set.yaml', objectives=['LUT'], within={'LUT': 5000}, device='UP5K', gpu=0)\n"
        "some: Fraction = limited.min_schedulable[0].cost['LUT']\n"
        "fits: dict[str, bool | None] = {row.device: row.schedulable for row in isx.fit('set.yaml', ['UP5K']).rows}\n"
        "parts: isx.Partitions = isx.partition('set.yaml', (1, 8), margin='10%', max_time=5)\n"
        "cores: dict[str, int] = dict(parts.rows[0].assignment)\n"
        "modes: dict[str, Fraction] = dict(isx.explore('set.yaml', overruns=1)[0].mode_utilization)\n"
        "names: list[str] = [device.name for device in isx.fpga_devices()]\n"
    )
    run(tmp_path, "mypy", "--strict", "use.py")
    (tmp_path / "wrong.py").write_text("import isx\nisx.explore('set.yaml', threads='two')\n")
    with pytest.raises(AssertionError, match="threads"):
        run(tmp_path, "mypy", "--strict", "wrong.py")


@pytest.mark.slow
def test_the_stubs_are_what_the_module_holds(tmp_path: Path) -> None:
    # What the decorator leaves on the class.
    (tmp_path / "allowed").write_text("isx._document.Record.__dataclass_transform__\n")
    run(tmp_path, "mypy.stubtest", "isx", "--allowlist", "allowed")
