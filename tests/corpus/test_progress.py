import logging

from silverspan.corpus import progress
from silverspan.corpus.progress import reporting_to, track


def test_a_listener_hears_of_every_loop_in_its_block_only():
    heard = []

    def listener(items, description, total):
        heard.append((description, total))
        yield from items

    with reporting_to(listener):
        assert list(track([1, 2], "numbers", total=2)) == [1, 2]
    assert list(track([3], "later")) == [3]
    assert heard == [("numbers", 2)]


def test_without_a_listener_progress_is_logged_and_never_printed(monkeypatch, caplog, capsys):
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", -1.0)
    with caplog.at_level(logging.INFO, logger="silverspan"):
        list(track("ab", "letters", total=2))
    assert caplog.messages[-1] == "letters: 2 of 2"
    assert capsys.readouterr() == ("", "")
