"""A longer search among random programs of the idioms: ``python -m tests.conformance``.

The options are those of ``python -m tests.property``.
"""

from __future__ import annotations

import sys

from tests.conformance.generator import IDIOMS
from tests.property.__main__ import parser, run

if __name__ == "__main__":
    sys.exit(run(IDIOMS, parser("tests.conformance").parse_args()))
