"""Observations: what every labelling function said, as flat arrays; spaCy is not met here.

The table of votes, and the same votes token by token.
"""

from silverspan.observations.tokens import TokenVotes
from silverspan.observations.votes import TokenFeatures, Votes
from silverspan.observations.votes_file import VotesFile, read_votes, write_votes

__all__ = ["TokenFeatures", "TokenVotes", "Votes", "VotesFile", "read_votes", "write_votes"]
