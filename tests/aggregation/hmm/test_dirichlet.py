import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silverspan.aggregation.hmm import dirichlet
from silverspan.aggregation.hmm.dirichlet import Dirichlet, fit_dirichlet
from silverspan.observations.islands import Patterns

POSITIVE = st.floats(1e-3, 1e3)


@settings(deadline=None)
@given(POSITIVE)
def test_the_special_functions_agree_with_scipy(x):
    special = pytest.importorskip("scipy.special")
    value = np.array([x])
    np.testing.assert_allclose(
        dirichlet.gammaln(value), special.gammaln(value), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        dirichlet.digamma(value), special.digamma(value), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        dirichlet.trigamma(value), special.polygamma(1, value), rtol=1e-8, atol=1e-9
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_the_estimate_is_the_one_that_numerical_optimisation_finds(seed):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(seed)
    vectors = rng.dirichlet(rng.gamma(1.0, 3.0, size=3) + 0.1, size=20) + 0.01
    mean = np.log(vectors / vectors.sum(axis=1, keepdims=True)).mean(axis=0)

    def loss(logarithm):
        return -float(dirichlet._density(np.exp(logarithm)[None], mean[None])[0])

    best = optimize.minimize(loss, np.zeros(3), method="Nelder-Mead", options={"maxiter": 4000})
    assert loss(np.log(fit_dirichlet(mean[None]))[0]) <= best.fun + 1e-8


def test_a_function_that_only_ever_says_one_thing_stays_finite():
    model = Dirichlet(stands_for=((0,), (1,), (0, 1)), outputs=2)
    said = np.zeros((1, 4))
    said[0, 1] = 1e6
    statistics = model.columns(said)[:, None] * np.ones(3) + model.columns(np.ones((1, 4)))[:, None]
    assert np.isfinite(model.estimate(statistics, 1)).all()


def test_the_density_of_a_vector_is_the_dirichlets():
    stats = pytest.importorskip("scipy.stats")
    model = Dirichlet(stands_for=((0,), (1,)), outputs=2)
    patterns = Patterns(
        asked=np.ones((1, 1), dtype=bool), entry=np.array([0, 0]), function=np.array([0, 0]),
        label=np.array([0, 1]), place=np.array([0, 0]), probability=np.array([0.6, 0.3]),
    )  # fmt: skip
    vector = (np.array([0.1, 0.6, 0.3]) + model.epsilon) / (1 + 3 * model.epsilon)
    alpha = np.array([2.0, 3.0, 0.5])
    # Statistics of which the estimate is alpha: 10 tokens spoken, 10 silent.
    mean = dirichlet.digamma(alpha) - dirichlet.digamma(np.array([alpha.sum()]))
    statistics = np.concatenate([[10.0, 10.0], 10 * mean])[:, None]
    found = model.design(patterns, 2) @ model.estimate(statistics, 1)
    expected = np.log(0.5) + stats.dirichlet.logpdf(vector, alpha)
    assert found[0, 0] == pytest.approx(expected, abs=1e-6)
