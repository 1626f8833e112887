"""The paper's second experiment: crowd-annotated sentences of financial news, eight labels."""
