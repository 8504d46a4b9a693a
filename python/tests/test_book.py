"""The book's chapter on Python: every line of it, in the project's folder."""

import doctest
import os
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_line_of_the_chapter_answers_as_printed() -> None:
    chapter = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    # A fence ends an example as an empty line does.
    text = "\n".join("" if line.startswith("```") else line for line in chapter.splitlines())
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/python.md", 0)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        failed, tried = doctest.DocTestRunner(optionflags=flags).run(test)
    finally:
        os.chdir(before)
    assert tried >= 15 and not failed


def test_what_is_installed_has_its_licences_and_types() -> None:
    names = {file.name for file in metadata.files("isx-pareto") or ()}
    assert {"LICENSE-APACHE", "LICENSE-MIT", "py.typed", "_isx.pyi"} <= names
