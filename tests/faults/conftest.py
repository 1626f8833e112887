import pytest

from tests.faults.harness import Commands, Tally


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """Commands in processes of their own."""
    runner = Commands(tmp_path_factory.mktemp("commands"))
    yield runner
    runner.close()


@pytest.fixture(scope="module")
def tally():
    """What was tried, for the figures in the docs."""
    return Tally()
