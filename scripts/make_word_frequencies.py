"""Make src/silverspan/labelling/data/word_frequencies_en.txt.gz from the package ``wordfreq``.

Run ``python scripts/make_word_frequencies.py`` (needs ``pip install wordfreq``). Words are cut as
spaCy's English tokenizer cuts them, so that "n't" and "'s" have a rank of their own.
"""

import gzip
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import spacy
import wordfreq

SIZE = 60_000
TARGET = Path(__file__).parents[1] / "src/silverspan/labelling/data/word_frequencies_en.txt.gz"
HEADER = """\
# English words by falling frequency, one to a line: the line after this header has rank 1.
# Source: wordfreq {version} (Robyn Speer), https://github.com/rspeer/wordfreq, "large" list of
# "en", re-cut with spaCy's English tokenizer; words with digits left out. Contains data of Google
# Books Ngrams (http://books.google.com/ngrams), the Leeds Internet Corpus, Wikipedia, ParaCrawl,
# OPUS OpenSubtitles 2018 (http://www.opensubtitles.org/), SUBTLEX and
# others, see wordfreq's README.
# Licence of this file: CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/
"""


def main() -> None:
    tokenizer = spacy.blank("en").tokenizer
    frequencies: Counter[str] = Counter()
    for word, frequency in wordfreq.get_frequency_dict("en", wordlist="large").items():
        for token in tokenizer(word):
            if any(c.isalpha() for c in token.text) and not any(c.isdigit() for c in token.text):
                frequencies[token.text.lower()] += frequency
    ranked = sorted(frequencies, key=lambda word: (-frequencies[word], word))[:SIZE]
    text = HEADER.format(version=version("wordfreq")) + "\n".join(ranked) + "\n"
    with TARGET.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text.encode())
    print(f"{TARGET.name}: {len(ranked)} words, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
