"""The paper's first experiment: CoNLL 2003, four labels."""
