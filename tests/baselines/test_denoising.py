import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from silverspan.baselines.denoising import DenoisingFeatures, restoring_map, token_features


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.2, 0.5, 0.8]))
def test_the_closed_form_is_the_least_squares_map_over_very_many_corrupted_copies(seed, dropped):
    generator = np.random.default_rng(seed)
    clean = (generator.random((30, 4)) < 0.5).astype(np.float64)
    clean[:, -1] = 1.0
    found = restoring_map(clean.T @ clean, 3, dropped)
    # Every pattern of dropping three features, weighed by its chance: the average is exact.
    wanted_p, wanted_q = np.zeros((3, 4)), np.zeros((4, 4))
    for pattern in np.ndindex(2, 2, 2):
        chance = np.prod([1 - dropped if keep else dropped for keep in pattern])
        copy = clean * np.array([*pattern, 1])
        wanted_p += chance * clean[:, :3].T @ copy
        wanted_q += chance * copy.T @ copy
    ridge = 1e-5 * np.trace(wanted_q) / 4
    expected = np.linalg.solve(wanted_q + ridge * np.eye(4), wanted_p.T).T
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_features_look_two_tokens_left_and_right(source):
    features = list(token_features(source[0]))
    assert "1=smith" in features[1]
    assert "-2=mr" in features[2]
    assert "shape=Xxxxx" in features[2]


def test_shared_features_have_a_row_for_every_token_and_are_bounded(source, target):
    made = DenoisingFeatures([*source, *target], size=20, inputs=60, layers=2, dropped=0.5)
    rows = made.of(target)
    assert [row.shape for row in rows] == [(len(doc), 20) for doc in target]
    assert all(np.abs(row).max() <= 1 for row in rows)


def test_words_of_the_target_alone_share_features_with_their_neighbours_of_the_source(
    source, target
):
    made = DenoisingFeatures([*source, *target], size=40, inputs=200, layers=2, dropped=0.5)
    by_word = {}
    for doc, rows in zip([*source, *target], made.of([*source, *target]), strict=True):
        for token, row in zip(doc, rows, strict=True):
            by_word.setdefault(token.text, []).append(row)
    mean = {word: np.mean(rows, axis=0) for word, rows in by_word.items()}

    def alike(a, b):
        return mean[a] @ mean[b] / np.linalg.norm(mean[a]) / np.linalg.norm(mean[b])

    assert alike("Quito", "Oslo") > alike("Quito", "today")
