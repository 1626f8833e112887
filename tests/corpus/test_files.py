import gzip
import os
import threading

import pytest

from silverspan.corpus import files
from silverspan.corpus.files import atomic_folder, atomic_write, read_lines, read_text
from silverspan.errors import InputError


def lines_of(path, content):
    path.write_bytes(content)
    return [line for _, line in read_lines(path)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"a\x00b\n", ["a\x00b"]),
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b 😀 שלום\n".encode(), ["a\u2028b 😀 שלום"]),
    ],
)
def test_lines_end_in_newlines_and_nothing_else(tmp_path, content, expected):
    assert lines_of(tmp_path / "a.txt", content) == expected
    packed = tmp_path / "a.txt.gz"
    assert lines_of(packed, gzip.compress(content)) == expected


def test_gzip_is_told_by_content_not_by_name(tmp_path):
    assert lines_of(tmp_path / "a.txt", gzip.compress(b"a\n")) == ["a"]


def test_a_pipe_is_read_like_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(gzip.compress(b"a"),))
    writer.start()
    assert [line for _, line in read_lines(tmp_path / "pipe")] == ["a"]
    writer.join()


def test_a_line_longer_than_a_chunk_comes_whole(tmp_path):
    long = "token " * 500_000
    assert lines_of(tmp_path / "a.txt", f"{long}\nb".encode()) == [long, "b"]


def test_a_wrong_byte_is_named_with_its_line(tmp_path):
    with pytest.raises(InputError, match=r"a\.txt:2: byte 0xff where UTF-8 was expected"):
        lines_of(tmp_path / "a.txt", b"fine\nbad \xff\n")
    with pytest.raises(InputError, match=r"a\.txt:2: byte 0xff"):
        read_text(tmp_path / "a.txt")


def test_utf_16_is_recognised(tmp_path):
    with pytest.raises(InputError, match="UTF-16 text where UTF-8 was expected"):
        lines_of(tmp_path / "a.txt", "text\n".encode("utf-16"))


@pytest.mark.parametrize(
    "content", [b"", b"plain", gzip.compress(b"text" * 99)[:-9], gzip.compress(b"a") + b"junk"]
)
def test_a_damaged_gzip_file_is_an_error(tmp_path, content):
    with pytest.raises(InputError, match="gzip"):
        lines_of(tmp_path / "a.gz", content)


def test_a_gzip_bomb_is_refused_before_it_unpacks(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_SUSPICIOUS_SIZE", 2 * 1024 * 1024)
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(8 * 1024 * 1024)))
    with pytest.raises(InputError, match="unpacks to more than 200 times"):
        list(read_lines(tmp_path / "a.gz"))
    with pytest.raises(InputError, match="unpacks to more than 200 times"):
        read_text(tmp_path / "a.gz")


def test_a_line_or_a_file_of_absurd_length_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LONGEST", 3 * 1024 * 1024)
    with pytest.raises(InputError, match=r"a\.txt:1: a line of more than"):
        lines_of(tmp_path / "a.txt", b"a" * 4 * 1024 * 1024)
    with pytest.raises(InputError, match="longer than"):
        read_text(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("name", "message"), [("no", "no such file"), ("", "a folder"), ("a\0", "cannot")]
)
def test_an_unreadable_path_is_an_input_error(tmp_path, name, message):
    with pytest.raises(InputError, match=message):
        list(read_lines(str(tmp_path / name)))


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def fail():
        with atomic_write(path) as out:
            out.write("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_what_a_killed_process_left_is_used_again(tmp_path):
    (tmp_path / ".out.txt.part").write_text("much longer than what comes now")
    (tmp_path / ".model.part" / "new").mkdir(parents=True)
    (tmp_path / ".model.part" / "new" / "half").write_text("half")
    with atomic_write(tmp_path / "out.txt") as out:
        out.write("new")
    with atomic_folder(tmp_path / "model") as folder:
        (folder / "file").write_text("new")
    assert (tmp_path / "out.txt").read_text() == "new"
    assert os.listdir(tmp_path / "model") == ["file"]
    assert sorted(os.listdir(tmp_path)) == ["model", "out.txt"]


def test_two_writers_of_one_target_do_not_spoil_each_other(tmp_path):
    with atomic_write(tmp_path / "a") as first:
        first.write("first")
        with atomic_write(tmp_path / "a") as second:
            second.write("second, longer")
        assert (tmp_path / "a").read_text() == "second, longer"
    assert (tmp_path / "a").read_text() == "first"
    with atomic_folder(tmp_path / "b") as one:
        with atomic_folder(tmp_path / "b") as two:
            (two / "two").write_text("")
        (one / "one").write_text("")
    assert os.listdir(tmp_path / "b") == ["one"]
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_folder_that_fails_leaves_the_old_one_and_nothing_else(tmp_path):
    with atomic_folder(tmp_path / "model") as folder:
        (folder / "file").write_text("old")

    def fail():
        with atomic_folder(tmp_path / "model") as folder:
            (folder / "file").write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (tmp_path / "model" / "file").read_text() == "old"
    assert os.listdir(tmp_path) == ["model"]


@pytest.mark.parametrize("name", ["out.txt", "new/folder/out.txt", "out.txt.gz"])
def test_what_is_written_is_read_again(tmp_path, name):
    with atomic_write(tmp_path / name) as out:
        out.write("a\n😀\n")
    assert [line for _, line in read_lines(tmp_path / name)] == ["a", "😀"]


def test_equal_content_gives_equal_gzip_bytes(tmp_path):
    for name in ("a.gz", "b.gz"):
        with atomic_write(tmp_path / name) as out:
            out.write("same")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path):
    with atomic_write(tmp_path / "a") as out:
        out.write("a")
    (tmp_path / "b").write_text("b")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    with atomic_write("/dev/null") as out:
        out.write("a")
    assert os.path.exists("/dev/null")
    assert not os.path.isfile("/dev/null")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with atomic_write(tmp_path / "link.txt") as out:
        out.write("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_target_that_cannot_be_written_is_an_input_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"), atomic_write(tmp_path / "file/a"):
        pass
    with pytest.raises(InputError, match="it is a folder"), atomic_write(tmp_path):
        pass
