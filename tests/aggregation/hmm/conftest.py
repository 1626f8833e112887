import sys
from pathlib import Path

# The slow twins stand beside the tests that need them.
sys.path.insert(0, str(Path(__file__).parent))
