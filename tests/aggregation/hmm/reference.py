"""Slow and obvious twins of the kernels and of the whole model; never made fast."""

import itertools

import numpy as np

from silverspan.aggregation.hmm.channel import Looks
from silverspan.aggregation.hmm.model import make_frame
from silverspan.observations.align import align
from silverspan.observations.tokens import TokenVotes


def every_path(enter, move, leave, emit):
    """Add up every state sequence of one island: marginals, expected moves, likelihood, best."""
    length, states = emit.shape
    gamma, moves, total = np.zeros((length, states)), np.zeros((states, states)), 0.0
    best, best_path = -1.0, None
    for path in itertools.product(range(states), repeat=length):
        p = enter[path[0]] * leave[path[-1]]
        for t, state in enumerate(path):
            p *= emit[t, state]
            if t:
                p *= move[path[t - 1], state]
        total += p
        for t, state in enumerate(path):
            gamma[t, state] += p
            if t:
                moves[path[t - 1], state] += p
        if p > best:
            best, best_path = p, path
    return gamma / total, moves / total, np.log(total), best_path, np.log(best)


def dense_posterior(model, votes):
    """Run forward-backward over every token of whole documents, in logarithms; no islands.

    Returns the probabilities of all tokens and the log likelihood.
    """
    votes = align(votes, functions=model.functions, space=model.space)
    settings, parameters = model.settings, model.parameters
    frame = make_frame(settings, model.space, model.functions, Looks.of(votes.features))
    said = TokenVotes.of(votes)
    names, kinds = 1 + len(model.space.names), frame.kinds
    emission = parameters.emission.reshape(frame.functions, -1, kinds)
    boundary = parameters.boundary.reshape(frame.functions, frame.places, -1)
    assert emission.shape[1] == names, "the twin knows the categorical emission only"
    score = np.zeros((votes.tokens, len(frame.kind)))
    allowed = np.zeros((votes.tokens, kinds), dtype=bool)
    allowed[:, 0] = True
    document = np.repeat(np.arange(len(votes.lengths)), votes.lengths)
    silent = votes.asked[document].astype(float)
    for entry in range(len(said.token)):
        token = said.position[said.token[entry]]
        function, label = said.function[entry], said.label[entry]
        p, place = float(said.probability[entry]), said.places(settings.scheme)[entry]
        silent[token, function] -= p
        score[token] += p * emission[function, 1 + label][frame.kind]
        if frame.spots:
            score[token] += p * boundary[function, place][frame.place]
        members = np.flatnonzero(frame.members()[label])
        allowed[token, 1 + members] = True
    score += (silent @ emission[:, 0])[:, frame.kind]
    for column, table in enumerate(parameters.channel):
        score += table[votes.features.ids[:, column]][:, frame.kind]
    if settings.constraint:
        score[~allowed[:, frame.kind]] = -np.inf
    with np.errstate(divide="ignore"):
        start, move = np.log(parameters.transitions.start), np.log(parameters.transitions.move)
        end = np.log(parameters.transitions.end)
    found, likelihood, first = np.zeros_like(score), 0.0, 0
    for length in votes.lengths.tolist():
        own = score[first : first + length]
        alpha, beta = np.empty_like(own), np.empty_like(own)
        for t in range(length):
            before = start if t == 0 else np.logaddexp.reduce(alpha[t - 1][:, None] + move, axis=0)
            alpha[t] = before + own[t]
        for t in reversed(range(length)):
            last = t == length - 1
            beta[t] = end if last else np.logaddexp.reduce(move + own[t + 1] + beta[t + 1], axis=1)
        if length:
            total = np.logaddexp.reduce(alpha[-1] + end)
            likelihood += total
            found[first : first + length] = np.exp(alpha + beta - total)
        first += length
    return found, likelihood
