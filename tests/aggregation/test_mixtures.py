import warnings

import numpy as np
import pytest

from silverspan.aggregation import aggregators, load
from silverspan.aggregation.chains import Runs
from silverspan.aggregation.confusions import confusion_matrix
from silverspan.aggregation.indicators import Indicators, most_probable_symbols
from silverspan.aggregation.mixture_em import Expected, Parameters, Sequence, expect, maximise
from silverspan.aggregation.mixtures import (
    AccuracyModel,
    ConfusionMatrix,
    ConfusionVector,
    DependentConfusionMatrix,
    SequentialConfusionMatrix,
)
from silverspan.aggregation.voting import MajorityVote
from silverspan.labels import LabelSpace
from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import Votes

MODELS = {
    "acc": AccuracyModel,
    "cv": ConfusionVector,
    "cm": ConfusionMatrix,
    "seq": SequentialConfusionMatrix,
    "dcm": DependentConfusionMatrix,
}
every = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_mixtures_are_registered_by_the_papers_names(name):
    assert aggregators[name] is MODELS[name]


@every
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"boundaries": "joint"},
        {"boundaries": "apart", "scheme": "biluo"},
        {"silence": "o", "frequencies": "all"},
        {"silence": "abstain"},
        {"start": "reliable", "matching": "reliable"},
        {"matching": "hmm"},
        {"matching": "none"},
    ],
    ids=str,
)
def test_every_setting_finds_names_that_clear_votes_agree_on(model, options, make_votes, score):
    votes, gold = make_votes(7, documents=150, functions=8)
    plain = score(MajorityVote().fit(votes).posterior(votes), gold)
    # SEQ counts a symbol that goes on for less, so "O" takes the later tokens of some names.
    slack = 0.25 if model is SequentialConfusionMatrix else 0.04
    assert score(model(**options).fit(votes).posterior(votes), gold) > plain - slack > 0.7


@every
def test_rows_are_distributions_over_voted_labels(model, make_votes):
    votes, _ = make_votes(8)
    posterior = model().fit(votes).posterior(votes)
    assert posterior.probability.sum(axis=1) == pytest.approx(np.ones(len(posterior.position)))
    vote = MajorityVote().fit(votes).posterior(votes)
    unvoted = vote.by_label() == 0
    unvoted[:, 0] = False
    assert (posterior.by_label()[unvoted] < 1e-12).all()


@pytest.mark.parametrize("name", ["acc", "cv", "cm", "dcm"])
def test_the_likelihood_never_falls(name, make_votes):
    for seed in range(12):
        votes, _ = make_votes(seed, documents=12, functions=4, labels=("A", "B", "C"))
        options = {
            "frequencies": ("voted", "all")[seed % 2],
            "silence": ("o", "abstain")[seed % 3 > 0],
        }
        history = np.array(MODELS[name](**options, tolerance=0.0, rounds=25).fit(votes).likelihoods)
        assert (np.diff(history) >= -1e-7 * np.abs(history[1:])).all(), (seed, options)


@every
def test_the_order_of_functions_and_documents_does_not_matter(model, make_votes):
    votes, _ = make_votes(1)
    settings = model(rounds=10, tolerance=0.0)
    expected = settings.fit(votes).posterior(votes)
    shuffled = votes.select(reversed(votes.functions))
    result = settings.fit(shuffled).posterior(shuffled)
    assert result.probability == pytest.approx(expected.probability, abs=1e-5)
    turned = Votes.concatenate([votes.slice(i, i + 1) for i in reversed(range(30))])
    result = settings.fit(turned).posterior(turned)
    for document in range(30):
        there = result.probabilities(document)
        assert there == pytest.approx(expected.probabilities(29 - document), abs=1e-5)


@every
def test_a_part_of_the_documents_gets_what_the_whole_gets(model, make_votes):
    votes, _ = make_votes(7)
    fitted = model().fit(votes)
    whole = fitted.posterior(votes)
    parts = [fitted.posterior(votes.slice(i, i + 7)) for i in range(0, 30, 7)]
    parted = np.concatenate([part.probability for part in parts])
    assert parted == pytest.approx(whole.probability, abs=1e-6)


@every
def test_labels_permuted_give_permuted_results(model, make_votes):
    votes, _ = make_votes(2, labels=("LOC", "ORG", "PER"))
    settings = model(rounds=10, tolerance=0.0)
    expected = settings.fit(votes).posterior(votes)
    turned = votes.relabelled(LabelSpace(outputs=("PER", "LOC", "ORG")))
    result = settings.fit(turned).posterior(turned)
    back = [0, 2, 3, 1]
    assert result.by_label()[:, back] == pytest.approx(expected.by_label(), abs=1e-5)


@every
def test_a_function_that_always_abstains_changes_nothing(model, make_votes):
    votes, _ = make_votes(3)
    more = Votes.concatenate(
        [
            votes,
            Votes.build([{}], lengths=[0], space=votes.space, functions={"silent": ["LOC"]}),
        ]
    )
    asked = more.asked.copy()
    asked[:, -1] = True
    silent = Votes(**{f: getattr(more, f) for f in Votes.__slots__} | {"asked": asked})
    expected = model().fit(votes).posterior(votes)
    result = model().fit(silent).posterior(silent)
    assert result.probability == pytest.approx(expected.probability, abs=1e-6)


@every
def test_an_absent_function_is_not_a_silent_one(model, make_votes):
    votes, _ = make_votes(4, documents=60)
    fitted = model(silence="o").fit(votes)
    # Functions that said nothing in the first document: asked or not makes a difference.
    quiet = Votes.build(
        [{"f0": [(0, 1, "LOC", 1.0)]}] * 2,
        lengths=[2, 2],
        space=votes.space,
        functions=dict.fromkeys(votes.functions, votes.space.names),
        asked=np.array([[True] * 5, [True, False, False, False, False]]),
    )
    posterior = fitted.posterior(quiet)
    assert posterior.probabilities(0)[0, 1] <= posterior.probabilities(1)[0, 1]
    assert most_probable_symbols(TokenVotes.of(quiet), "io").tolist() == [
        [1, 0, 0, 0, 0],
        [1, -1, -1, -1, -1],
    ]


@every
def test_a_saved_model_is_the_same_model(model, make_votes, tmp_path):
    votes, _ = make_votes(5)
    fitted = model().fit(votes)
    fitted.save(tmp_path)
    again = load(tmp_path)
    assert again.describe() == fitted.describe()
    assert (again.posterior(votes).probability == fitted.posterior(votes).probability).all()


@every
def test_new_votes_with_fewer_and_other_functions_are_understood(model, make_votes):
    votes, _ = make_votes(6)
    fitted = model().fit(votes.select(["f0", "f1", "f2"]))
    posterior = fitted.posterior(votes.select(["f4", "f2", "f1"]))
    assert np.isfinite(posterior.probability).all()


def test_coarse_votes_help_but_choose_no_label(make_votes):
    votes, _ = make_votes(9, documents=100)
    coarse = Votes.build(
        [{"f0": [(0, 2, "ENT", 1.0)], "f1": [(0, 2, "LOC", 1.0)], "f2": [(4, 5, "ENT", 1.0)]}] * 20,
        lengths=[6] * 20,
        space=votes.space,
        functions=dict.fromkeys(votes.functions, votes.space.names),
    )
    for model in MODELS.values():
        posterior = model().fit(Votes.concatenate([votes, coarse])).posterior(coarse)
        assert posterior.probabilities(0)[0, 1] > 0.5
        assert posterior.probabilities(0)[4, 0] == pytest.approx(1)


def test_the_description_names_how_far_each_function_is_trusted(make_votes):
    votes, _ = make_votes(10, documents=200)
    description = ConfusionMatrix().fit(votes).describe()
    assert description["estimated"] == "without gold"
    rows = {(row["function"], row["label"]): row for row in description["functions"]}
    assert set(rows) == {(f, label) for f in votes.functions for label in ("LOC", "PER")}
    assert all(0.5 < row["precision"] <= 1 and 0.3 < row["recall"] <= 1 for row in rows.values())


@every
def test_no_votes_give_an_empty_posterior(model):
    votes = Votes.build(
        [{}], lengths=[3], space=LabelSpace(outputs=("LOC",)), functions={"f": ["LOC"]}
    )
    fitted = model().fit(votes)
    assert len(fitted.posterior(votes).position) == 0


@pytest.mark.parametrize("name", ["cv", "cm"])
def test_a_known_model_is_recovered(name):
    generator = np.random.default_rng(0)
    names, labels = [f"f{i}" for i in range(6)], ("LOC", "PER")
    # One table for each function: rows are truths ("O", LOC, PER), columns what it says.
    accuracy = np.array([0.95, 0.9, 0.85, 0.8, 0.75, 0.7])
    wrong = (1 - accuracy[:, None, None]) / 2
    tables = np.where(np.eye(3, dtype=bool), accuracy[:, None, None], wrong)
    truth = generator.choice(3, size=20_000, p=[0.5, 0.3, 0.2])
    said = np.stack(
        [
            (generator.random(len(truth))[:, None] > table.cumsum(axis=1)[truth]).sum(axis=1)
            for table in tables
        ],
        axis=1,
    )
    votes = Votes.build(
        [
            {name: [(0, 1, labels[k - 1], 1.0)] for name, k in zip(names, row, strict=True) if k}
            for row in said.tolist()
        ],
        lengths=[1] * len(said),
        space=LabelSpace(outputs=labels),
        functions=dict.fromkeys(names, labels),
    )
    fitted = MODELS[name](silence="o", frequencies="all", rounds=200).fit(votes)
    assert fitted.parameters.start == pytest.approx([0.5, 0.3, 0.2], abs=0.02)
    # CV spreads what is wrong over every label there is, also the coarse one that nobody says.
    close = 0.04 if name == "cm" else 0.06
    assert fitted.parameters.said[:, :, 0, :3] == pytest.approx(tables, abs=close)


def symbols_as_indicators(symbols, states):
    """Columns of a complete table of symbols, every state allowed everywhere: no constraint."""
    tokens, functions = symbols.shape
    spoken = symbols >= 0
    column = np.tile(np.arange(states), functions)
    owner = np.repeat(np.arange(functions), states)
    holds = np.zeros((tokens, functions * states), dtype=np.uint8)
    where, function = np.nonzero(spoken)
    holds[where, function * states + symbols[spoken]] = 1
    return Indicators(
        function=owner,
        previous=np.zeros_like(owner),
        symbol=column,
        holds=holds,
        count=np.ones(tokens),
        allowed=np.ones((tokens, states), dtype=bool),
        row=np.arange(tokens),
        silent=np.zeros(len(owner)),
        unvoted=0,
    )


def random_symbols(seed, tokens=300, functions=4, states=3, absent=0.3):
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, states, size=tokens)
    said = np.where(
        generator.random((tokens, functions)) < 0.7,
        truth[:, None],
        generator.integers(0, states, size=(tokens, functions)),
    )
    said[generator.random((tokens, functions)) < absent] = -1
    said[:, 0] = np.maximum(said[:, 0], 0)  # everybody says something somewhere
    return said


def step(expected, indicators, functions, states, smoothing=0.0):
    return maximise(
        expected,
        indicators,
        update=confusion_matrix,
        right=np.ones((functions, states, states), dtype=bool),
        legal=np.ones((states, states), dtype=bool),
        prior=np.full((functions, states), 1e-12),
        smoothing=smoothing,
        history=False,
        quiet=(0, 0),
    )


@pytest.mark.slow
def test_cm_agrees_with_the_dawid_skene_of_crowd_kit():
    pandas = pytest.importorskip("pandas")
    crowdkit = pytest.importorskip("crowdkit.aggregation")
    symbols = random_symbols(0)
    tokens, functions = np.nonzero(symbols >= 0)
    frame = pandas.DataFrame(
        {"task": tokens, "worker": functions, "label": symbols[tokens, functions]}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas, about how crowd-kit calls it
        theirs = crowdkit.DawidSkene(n_iter=60, tol=0).fit(frame)
    indicators = symbols_as_indicators(symbols, 3)
    shares = np.stack([(symbols == k).sum(axis=1) for k in range(3)], axis=1).astype(float)
    shares /= shares.sum(axis=1, keepdims=True)
    expected = Expected(
        state=shares, responsibility=shares, start=shares.sum(axis=0), move=None, log_likelihood=0.0
    )
    for _ in range(60):
        parameters = step(expected, indicators, 4, 3)
        expected = expect(parameters, indicators, None)
    assert expected.state == pytest.approx(
        theirs.probas_.sort_index()[[0, 1, 2]].to_numpy(), abs=1e-3
    )
    assert parameters.start == pytest.approx(theirs.priors_.sort_index().to_numpy(), abs=1e-3)
    ours = parameters.said[:, :, 0, :]
    for worker in range(4):
        table = theirs.errors_.loc[worker].sort_index()[[0, 1, 2]].to_numpy().T
        assert ours[worker] == pytest.approx(table, abs=1e-3)


def test_dcm_agrees_with_the_categorical_hmm_of_hmmlearn():
    hmm = pytest.importorskip("hmmlearn.hmm")
    generator = np.random.default_rng(1)
    lengths = generator.integers(1, 9, size=40)
    symbols = generator.integers(0, 4, size=(lengths.sum(), 1))
    start, move = generator.dirichlet(np.ones(3)), generator.dirichlet(np.ones(3), size=3)
    said = generator.dirichlet(np.ones(4), size=3)
    theirs = hmm.CategoricalHMM(n_components=3, n_iter=5, tol=-np.inf, init_params="")
    theirs.startprob_, theirs.transmat_, theirs.emissionprob_ = start, move, said
    theirs.n_features = 4
    theirs.fit(symbols, lengths)
    indicators = symbols_as_indicators(symbols, 4)
    indicators = Indicators(
        **{name: getattr(indicators, name) for name in Indicators.__slots__}
        | {"allowed": np.ones((len(symbols), 3), dtype=bool)}
    )
    breaks = np.zeros(len(symbols), dtype=bool)
    breaks[np.cumsum(lengths) - lengths] = True
    edges = np.ones(len(symbols), dtype=bool)
    sequence = Sequence(runs=Runs.of(breaks, edges, edges), quiet_starts=0, quiet_moves=0)
    parameters = Parameters(start=start, move=move, said=said[None, :, None, :])
    for _ in range(5):
        parameters = maximise(
            expect(parameters, indicators, sequence),
            indicators,
            update=confusion_matrix,
            right=np.ones((1, 3, 4), dtype=bool),
            legal=np.ones((3, 3), dtype=bool),
            prior=np.full((1, 4), 1e-12),
            smoothing=0.0,
            history=False,
            quiet=(0, 0),
        )
    assert parameters.start == pytest.approx(theirs.startprob_, abs=1e-8)
    assert parameters.move == pytest.approx(theirs.transmat_, abs=1e-8)
    assert parameters.said[0, :, 0] == pytest.approx(theirs.emissionprob_, abs=1e-8)
    posterior = expect(parameters, indicators, sequence).state
    assert posterior == pytest.approx(theirs.predict_proba(symbols, lengths), abs=1e-8)
