"""Asking isx for `attack.py`: commands, what is different, and where an answer is spoilt."""

import json
from fractions import Fraction
from functools import cache
from os import getpid

from harness import run_isx, scratch


class Wrong(Exception):
    """A difference between isx and the truth."""


# Beginnings of differences that are passed over, to look behind what is known already.
ignored = ()


def wrong(what):
    if not ignored or not what.startswith(ignored):
        raise Wrong(what)


def same(what, isx, truth):
    if isx != truth:
        wrong(f"{what}: isx {isx}, truth {truth}")


# What `--plant` does to an answer: the kind of question, and a function of exit code and document.
spoiled = None


def ask(kind, *words):
    """Exit code, documents and messages of a command; spoiled answers where they are planted."""
    done = run_isx(*words, "--quiet", allowed=range(-64, 256))
    code, rest, documents = done.returncode, done.stdout.strip(), []
    if code < 0 or code > 7:
        raise Wrong(f"{words[0]}: exit {code}: {done.stderr.strip()}")
    while rest:
        document, end = json.JSONDecoder().raw_decode(rest)
        documents, rest = [*documents, document], rest[end:].strip()
    if spoiled and spoiled[0] == kind:
        code, documents = spoiled[1](code, documents)
    return code, documents, done.stderr.strip()


def ask_one(kind, *words):
    """As `ask`, of a command that prints one document or, where it fails, none."""
    code, documents, message = ask(kind, *words)
    return code, documents[0] if documents else None, message


@cache
def knows(command, flag):
    """Whether this isx has a flag that came later."""
    return flag in run_isx(command, "--help").stdout


def folder():
    """A folder of this process."""
    path = scratch() / str(getpid())
    path.mkdir(exist_ok=True)
    return path


def fraction(record):
    number = Fraction(int(record["num"]), int(record["den"]))
    same("lowest terms", record["den"], str(number.denominator))
    return number
