from silverspan.labelling.models.sources.cleaning import (
    Sentence,
    clean_agreements,
    clean_tweets,
    rename_labels,
)


def sentence(text, *spans):
    return Sentence(tuple(text.split()), tuple(spans))


def cleaned(clean, *sentences):
    return [(" ".join(one.tokens), one.spans) for one in clean(sentences)]


def test_a_user_mention_is_one_token_and_no_entity():
    tweet = sentence("@ anna met Bo Li", (0, 1, "PERSON"), (1, 2, "PERSON"), (3, 5, "PERSON"))
    assert cleaned(clean_tweets, tweet) == [("@anna met Bo Li", ((2, 4, "PERSON"),))]


def test_a_name_that_begins_with_a_mention_keeps_its_rest():
    tweet = sentence("@ anna Berg left", (0, 3, "PERSON"))
    assert cleaned(clean_tweets, tweet) == [("@anna Berg left", ((1, 2, "PERSON"),))]


def test_an_at_sign_before_no_name_stays_a_token():
    tweet = sentence("@ # Oslo", (2, 3, "LOC"))
    assert cleaned(clean_tweets, tweet) == [("@ # Oslo", ((2, 3, "LOC"),))]


def test_a_labelled_hashtag_is_the_name_and_another_one_is_left_alone():
    tweet = sentence("#Oslo #sunny", (0, 1, "LOC"))
    assert cleaned(clean_tweets, tweet) == [("Oslo #sunny", ((0, 1, "LOC"),))]


def test_a_repeated_tweet_counts_once():
    assert len(cleaned(clean_tweets, sentence("hi Oslo"), sentence("hi Oslo"))) == 1


def test_the_part_that_a_party_plays_is_no_name():
    line = sentence(
        "the Borrower pays Acme Bank the Administrative Agent",
        (1, 2, "PERSON"),
        (3, 5, "ORG"),
        (5, 8, "ORG"),
    )
    assert cleaned(clean_agreements, line) == [(" ".join(line.tokens), ((3, 5, "ORG"),))]


def test_people_are_called_as_other_functions_call_them():
    assert cleaned(rename_labels, sentence("Anna", (0, 1, "PER"))) == [
        ("Anna", ((0, 1, "PERSON"),))
    ]
