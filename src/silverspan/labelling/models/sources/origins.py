"""Where the corpora of the shipped recognisers come from, and on what terms."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model card says of the data."""

    corpus: str
    citation: str
    licence: str
    cleaning: str = "none"


ORIGINS = {
    "BTC": Origin(
        corpus="the Broad Twitter Corpus: tweets of 2009 to 2014",
        citation="Derczynski, Bontcheva and Roberts (2016), Broad Twitter Corpus: a diverse named "
        "entity recognition resource. COLING",
        licence="CC BY 4.0",
        cleaning="User mentions, cut into two entities in four of the six sections, are one token "
        "and no entity. Labelled hashtags lose their sign. Repeated tweets are dropped.",
    ),
    "SEC": Origin(
        corpus="financial agreements filed with the US Securities and Exchange Commission",
        citation="Salinas Alvarado, Verspoor and Baldwin (2015), Domain adaption of named entity "
        "recognition to support credit risk assessment. ALTA",
        licence="CC BY 3.0",
        cleaning="The parts that parties play (Borrower, Lender, Bank, Agent ...), half of all "
        "entities, are no names.",
    ),
    "conll2003": Origin(
        corpus="the English training part of CoNLL-2003: Reuters news of 1996",
        citation="Tjong Kim Sang and De Meulder (2003), Introduction to the CoNLL-2003 shared "
        "task: language-independent named entity recognition. CoNLL",
        licence="annotation by the University of Antwerp; the text is the Reuters Corpus (RCV1), "
        "whose terms allow research only. The weights hold no text; whether a product may use "
        "them is for its makers to judge",
    ),
}
