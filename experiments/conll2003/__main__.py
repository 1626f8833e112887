"""``python -m experiments.conll2003``: see README.md in the folder above."""

import sys
from pathlib import Path

from experiments.paper.command import main

if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent))
