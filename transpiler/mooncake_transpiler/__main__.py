"""The start of the command: nothing is imported before an interrupt is a quiet end."""

from __future__ import annotations

import sys

INTERRUPTED = 130  # 128 and the number of the signal, as shells count


def main() -> None:
    try:
        from mooncake_transpiler.cli import main

        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
