"""What functions say at voted tokens as columns of zeros and ones, each distinct token once.

Label models that read one symbol per function and token (mixtures.py, chains.py) work on these:
a likelihood is the matrix of columns times a table of log probabilities, expected counts are its
transpose times the responsibilities. Tokens at which the same things were said share a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from jaxtyping import Bool, Float64, Int32, Int64, UInt8
from numpy import ndarray

from silverspan.aggregation.tallies import label_totals, totals
from silverspan.observations.tokens import TokenVotes
from silverspan.tagging import prefixes

_BLOCK: Final = 16_384


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Indicators:
    """Columns (function, previous symbol, symbol) and the distinct tokens at which they hold.

    Symbols count as the tags of the label space do, coarse labels after the others; 0 is silence.
    Without ``history`` every previous symbol is 0.
    """

    function: Int64[ndarray, " columns"]
    previous: Int64[ndarray, " columns"]
    symbol: Int64[ndarray, " columns"]
    holds: UInt8[ndarray, "distinct columns"]
    count: Float64[ndarray, " distinct"]
    allowed: Bool[ndarray, "distinct states"]  # somebody voted for the state, or it is "O"
    row: Int64[ndarray, " voted"]  # the distinct token of each voted one
    silent: Float64[ndarray, " columns"]  # unvoted tokens at which the column holds
    unvoted: int

    @classmethod
    def of(
        cls,
        tokens: TokenVotes,
        scheme: str,
        *,
        common: Float64[ndarray, " labels"] | None = None,
        silence: bool = True,
        history: bool = False,
    ) -> "Indicators":
        """Return the columns of the most probable symbols; without ``silence`` it has none.

        ``common`` breaks ties between labels; without it these votes do.
        """
        space = tokens.votes.space
        symbols = 1 + len(space.names) * len(prefixes(scheme))
        states = 1 + len(space.outputs) * len(prefixes(scheme))
        symbol = most_probable_symbols(tokens, scheme, common)
        functions = symbol.shape[1]
        previous = _previous(tokens, symbol) if history else np.zeros_like(symbol)
        codes = (np.arange(functions, dtype=np.int32) * symbols + previous) * symbols + symbol
        speaks_up = symbol > 0 if not silence else symbol >= 0
        codes = np.where(speaks_up, codes, -1).astype(np.int32)
        state = tokens.states(scheme).astype(np.int64)
        named = state >= 0
        allowed = np.zeros((len(symbol), states), dtype=bool)
        allowed[:, 0] = True
        allowed[tokens.token[named], state[named]] = True
        first, row = _distinct(np.concatenate([codes, allowed], axis=1))
        codes, allowed = codes[first], allowed[first]
        background = (
            _silence_between(tokens, symbol, symbols, history)
            if silence
            else np.zeros(functions * symbols * symbols)
        )
        column = np.union1d(codes[codes >= 0], np.flatnonzero(background))
        holds = np.zeros((len(codes), len(column)), dtype=np.uint8)
        where, _ = np.nonzero(codes >= 0)
        holds[where, np.searchsorted(column, codes[codes >= 0])] = 1
        return cls(
            function=column // (symbols * symbols),
            previous=column // symbols % symbols,
            symbol=column % symbols,
            holds=holds,
            count=np.bincount(row, minlength=len(first)).astype(np.float64),
            allowed=allowed,
            row=row,
            silent=background[column],
            unvoted=tokens.votes.tokens - len(tokens.position),
        )

    def log_likelihood(
        self, table: Float64[ndarray, "columns states"]
    ) -> Float64[ndarray, "distinct states"]:
        """Return log P(what was said | state), given the log probability of every column."""
        said = np.empty((len(self.holds), table.shape[1]))
        for rows in self._blocks():
            said[rows] = self.holds[rows].astype(np.float64) @ table
        return np.where(self.allowed, said, -np.inf)

    def expected_counts(
        self, responsibility: Float64[ndarray, "distinct states"]
    ) -> Float64[ndarray, "columns states"]:
        """Return how often each column is expected to hold in each state, over all tokens."""
        weight = self.count[:, None] * responsibility
        counts = np.zeros((self.holds.shape[1], weight.shape[1]))
        for rows in self._blocks():
            counts += self.holds[rows].astype(np.float64).T @ weight[rows]
        counts[:, 0] += self.silent
        return counts

    def _blocks(self) -> Iterator[slice]:
        """Yield parts of the rows: zeros and ones are kept as bytes, and multiplied as floats."""
        return (slice(i, i + _BLOCK) for i in range(0, len(self.holds), _BLOCK))


def most_probable_symbols(
    tokens: TokenVotes, scheme: str, common: Float64[ndarray, " labels"] | None = None
) -> Int32[ndarray, "voted functions"]:
    """Return what each function most probably says at each voted token; -1 if it was not asked.

    A label wins a tie against "O", and the label said more often overall against another.
    """
    size = len(prefixes(scheme))
    symbol = 1 + tokens.label.astype(np.int64) * size + tokens.places(scheme)
    said = tokens.probability.astype(np.float64)
    overall = label_totals(tokens) if common is None else common
    pair = tokens.token * len(tokens.votes.functions) + tokens.function
    order = np.lexsort((-tokens.label, overall[tokens.label], said, pair))
    pair, symbol, said = pair[order], symbol[order], said[order]
    last = np.append(pair[1:] != pair[:-1], True)[: len(pair)]
    belief = totals(pair, said, len(tokens.position) * len(tokens.votes.functions))
    speaks = last & (said >= 1 - belief[pair] - 1e-9)
    best = np.where(tokens.asked(), np.int32(0), np.int32(-1))
    best.ravel()[pair[speaks]] = symbol[speaks]
    return best


def _previous(
    tokens: TokenVotes, symbol: Int32[ndarray, "voted functions"]
) -> Int32[ndarray, "voted functions"]:
    """Return each function's symbol one token before; silence where nobody voted or text begins."""
    previous: Int32[ndarray, "voted functions"] = np.zeros_like(symbol)
    adjoins = _adjoins(tokens)
    previous[1:][adjoins] = np.maximum(symbol[:-1][adjoins], 0)
    return previous


def _adjoins(tokens: TokenVotes) -> Bool[ndarray, " _"]:
    """Return, for each voted token but the first, whether it follows the voted one before."""
    near: Bool[ndarray, " _"] = (np.diff(tokens.position) == 1) & (np.diff(tokens.document) == 0)
    return near


def _silence_between(
    tokens: TokenVotes, symbol: Int32[ndarray, "voted functions"], symbols: int, history: bool
) -> Float64[ndarray, " codes"]:
    """Return how often each column holds at unvoted tokens: all who are asked are silent."""
    votes = tokens.votes
    functions = len(votes.functions)
    asked = (votes.asked * votes.lengths[:, None].astype(np.float64)).sum(axis=0)
    quiet = asked - (symbol >= 0).sum(axis=0)
    counts = np.zeros((functions, symbols, symbols))
    counts[:, 0, 0] = quiet
    if history and len(symbol):
        # The token after a run is silent, but the functions' last symbols were not.
        ends = np.append(~_adjoins(tokens), True)
        after = np.cumsum(votes.lengths, dtype=np.int64)[tokens.document]
        ends &= tokens.position + 1 < after
        for function in range(functions):
            last = symbol[ends, function]
            spoken = np.bincount(last[last > 0], minlength=symbols)
            counts[function, :, 0] += spoken
            counts[function, 0, 0] -= spoken.sum()
    return counts.ravel()


def _distinct(
    rows: Int32[ndarray, "rows columns"],
) -> tuple[Int64[ndarray, " distinct"], Int64[ndarray, " rows"]]:
    """Return the first of every group of equal rows, and the group of each row."""
    # Sorting one hash a row is far faster than sorting rows; equal hashes are then verified.
    generator = np.random.default_rng(0)
    factors = generator.integers(1, 2**63 - 1, size=(rows.shape[1],), dtype=np.int64)
    key = np.zeros(len(rows), dtype=np.int64)
    with np.errstate(over="ignore"):
        for column, factor in zip(rows.T, factors.tolist(), strict=True):
            key += (column.astype(np.int64) + 2) * factor
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    leader = first[group]
    if any((column != column[leader]).any() for column in rows.T):
        _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int64), group.reshape(-1).astype(np.int64)
