import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silverspan.errors import WorkspaceError
from silverspan.labelling.apply import Failure, Labelled
from silverspan.labels import LabelSpace
from silverspan.workspace.vote_shard import VoteShard, from_bytes, to_bytes

NAMES = ("geo", "BTC+c", "x/../y")
spans = st.lists(
    st.tuples(
        st.integers(0, 4), st.just(5), st.sampled_from(["LOC", "PER"]), st.floats(0.01, 1)
    ).map(tuple),
    min_size=1,
    max_size=3,
).map(sorted)
documents = st.builds(
    Labelled,
    proposals=st.dictionaries(st.sampled_from(NAMES), spans).map(lambda d: dict(sorted(d.items()))),
    absent=st.frozensets(st.sampled_from(NAMES)),
    failures=st.lists(st.builds(Failure, st.sampled_from(NAMES), st.text(), st.text())).map(tuple),
)
shards = st.lists(documents, max_size=4).map(
    lambda labelled: VoteShard(
        documents=tuple(map(str, range(len(labelled)))),
        lengths=(5,) * len(labelled),
        functions={name: f"print of {name}" for name in sorted(NAMES)},
        labelled=tuple(labelled),
    )
)


@settings(deadline=None)
@given(shards)
def test_a_shard_survives_its_bytes(shard):
    assert from_bytes(to_bytes(shard), "a") == shard
    assert to_bytes(from_bytes(to_bytes(shard), "a")) == to_bytes(shard)


@settings(deadline=None)
@given(shards)
def test_a_function_redone_gives_the_same_shard_as_all_done_at_once(shard):
    others = {name: made for name, made in shard.functions.items() if name != "geo"}
    alone = {"geo": shard.functions["geo"]}
    again = shard.kept(others).extended(alone, shard.kept(alone).labelled)
    assert to_bytes(again) == to_bytes(
        VoteShard(
            documents=shard.documents,
            lengths=shard.lengths,
            functions=shard.functions,
            labelled=tuple(
                Labelled(
                    one.proposals,
                    one.absent,
                    tuple(sorted(one.failures, key=lambda f: (f.function, f.document, f.reason))),
                )
                for one in shard.labelled
            ),
        )
    )


def test_a_changed_fingerprint_drops_what_the_function_said():
    one = Labelled({"geo": [(0, 1, "LOC", 1.0)]}, frozenset({"geo"}), (Failure("geo", "0", "x"),))
    shard = VoteShard(documents=("0",), lengths=(5,), functions={"geo": "old"}, labelled=(one,))
    kept = shard.kept({"geo": "new"})
    assert kept.functions == {}
    assert kept.labelled == (Labelled({}),)


def test_absent_functions_are_not_asked_in_the_votes():
    labelled = (Labelled({"geo": [(0, 1, "LOC", 1.0)]}), Labelled({}, frozenset({"geo"})))
    shard = VoteShard(
        documents=("0", "1"), lengths=(5, 5), functions={"geo": "a"}, labelled=labelled
    )
    votes = shard.votes(LabelSpace(outputs=("LOC",)), {"geo": ("LOC",)})
    assert votes.asked.tolist() == [[True], [False]]
    assert len(votes) == 1


@pytest.mark.parametrize("content", [b"", b"PAR1", b"x" * 100])
def test_another_file_is_refused(content):
    with pytest.raises(WorkspaceError, match=r"a\.parquet: is no votes file"):
        from_bytes(content, "a.parquet")
