"""Training: a posterior and its documents become a spaCy pipeline that needs no function."""

from silverspan.training.trainer import Options, Trainer, make_trainer, train, trainers

__all__ = ["Options", "Trainer", "make_trainer", "train", "trainers"]
