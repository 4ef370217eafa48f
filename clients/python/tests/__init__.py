"""The client's own tests: `python3 -m unittest discover -s tests -t .` in this project's folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
