import multiprocessing

import pytest

from silverspan.errors import WorkspaceError
from silverspan.workspace.lock import locked
from silverspan.workspace.store import Store


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, tmp_path / "manifests")


def test_what_was_written_is_fresh_for_its_fingerprint_alone(store):
    store.write("votes/0.parquet", "one", b"content", note={"documents": 3})
    assert store.state("votes/0.parquet", "one") == "fresh"
    assert store.state("votes/0.parquet", "two") == "stale"
    assert store.read("votes/0.parquet") == b"content"
    assert store.note("votes/0.parquet") == {"documents": 3}
    assert store.names("votes/") == ["votes/0.parquet"]


def test_a_flipped_byte_is_found_and_named(store, caplog):
    store.write("a", "one", b"content")
    store.path("a").write_bytes(b"contEnt")
    assert not store.is_fresh("a", "one")
    assert "/a is damaged; it is made again" in caplog.text
    assert store.state("a", "one") == "damaged"
    with pytest.raises(WorkspaceError, match=r"/a: is damaged; run the project again"):
        store.read("a")


def test_a_file_without_a_manifest_was_not_finished(store):
    store.path("a").write_bytes(b"content")
    assert store.state("a", "one") == "missing"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff", b"[" * 100_000])
def test_a_damaged_manifest_counts_as_none(store, content):
    store.write("a", "one", b"content")
    store.manifest_path("a").write_bytes(content)
    assert store.state("a", "one") == "missing"


def test_a_manifest_of_another_version_counts_as_none(store, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr("silverspan.workspace.store.FORMAT", 1)
        store.write("a", "one", b"content")
        assert store.state("a", "one") == "fresh"
    assert store.state("a", "one") == "missing"


def test_a_manifest_with_any_byte_changed_counts_as_none(store):
    store.write("a", "one", b"content", note={"documents": 3})
    path = store.manifest_path("a")
    whole = path.read_bytes()
    for place in range(len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert store.state("a", "one") == "missing"
        assert store.note("a") is None


def test_a_folder_is_replaced_whole(store):
    store.write_folder("model", "one", lambda folder: (folder / "old").write_text("1"))
    store.write_folder("model", "two", lambda folder: (folder / "new").write_text("2"))
    assert [path.name for path in store.path("model").iterdir()] == ["new"]
    assert store.is_fresh("model", "two")


def test_a_folder_that_fails_leaves_the_old_one(store):
    store.write_folder("model", "one", lambda folder: (folder / "old").write_text("1"))
    with pytest.raises(ZeroDivisionError):
        store.write_folder("model", "two", lambda folder: 1 / 0)
    assert store.is_fresh("model", "one")
    assert sorted(path.name for path in store.root.iterdir()) == ["manifests", "model"]


def test_a_removed_result_is_missing(store):
    store.write("a", "one", b"x")
    store.remove("a")
    assert store.state("a", "one") == "missing"
    assert store.names("") == []


def hold(workspace, ready, stop):
    with locked(workspace):
        ready.set()
        stop.wait(30)


def test_a_second_run_is_told_who_holds_the_workspace(tmp_path):
    context = multiprocessing.get_context("spawn")
    ready, stop = context.Event(), context.Event()
    other = context.Process(target=hold, args=(tmp_path, ready, stop))
    other.start()
    assert ready.wait(30)
    try:
        with (
            pytest.raises(WorkspaceError, match=f"in use by process {other.pid} on"),
            locked(tmp_path),
        ):
            pass
    finally:
        other.kill()
        other.join()
    with locked(tmp_path):  # a killed owner holds nothing
        pass


def test_what_a_killed_process_left_is_swept_away(store):
    store.write("a", "one", b"content")
    (store.root / ".a.x1.part").write_bytes(b"half")
    (store.root / ".model.x2.part").mkdir()
    (store.root / ".model.x2.part" / "file").write_bytes(b"half")
    (store.manifests / ".a.json.x3.part").write_bytes(b"half")
    store.sweep()
    assert store.is_fresh("a", "one")
    assert not list(store.root.rglob("*.part"))
