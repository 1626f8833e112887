"""The options that every student trained by our loop has."""

from pydantic import Field

from silverspan.training.loop import LoopSettings
from silverspan.training.trainer import Options


class LoopOptions(Options):
    """How long and how fast to learn, and when to stop."""

    dropout: float = Field(default=0.2, ge=0, lt=1)
    learn_rate: float = Field(default=0.001, gt=0)
    batch_words: int = Field(default=1000, ge=1)
    max_epochs: int = Field(default=30, ge=1)
    #: So many epochs in a row without progress on the documents held out end the training.
    patience: int = Field(default=3, ge=1)
    #: The share of documents held out.
    held_out: float = Field(default=0.1, ge=0, lt=1)

    def loop_settings(self) -> LoopSettings:
        """Return what the loop needs to know.

        >>> LoopOptions(patience=5).loop_settings().patience
        5
        """
        return LoopSettings(
            max_epochs=self.max_epochs,
            patience=self.patience,
            batch_words=self.batch_words,
            learn_rate=self.learn_rate,
            dropout=self.dropout,
        )
