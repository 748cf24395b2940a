"""Write the golden files anew: ``python -m tests.golden.write [--unreleased] [GAME …]``.

A playthrough that changes under the same rules digest means that peers would agree on the rules and then
disagree on the game, so it is not overwritten: raise the rules version first. Rules that nobody has been
given yet may change under their version with ``--unreleased``.
"""

from __future__ import annotations

import sys

from tests.golden import perft, playthrough


def main(arguments: list[str]) -> int:
    unreleased = "--unreleased" in arguments
    games = [argument for argument in arguments if argument != "--unreleased"]
    playthrough.FOLDER.mkdir(exist_ok=True)
    kept = []
    for name, seats, option in playthrough.tables():
        file = playthrough.file(name, seats, option)
        if games and name not in games:
            continue
        if file.exists() and not unreleased:
            fault = playthrough.fault(name, seats, option)
            if fault is None:
                continue
            if "under the same rules" in fault:
                kept.append(fault.splitlines()[0])
                continue
        answers = playthrough.mixed(name, seats)
        text = "\n".join(playthrough.play(name, seats, answers, option)) + "\n"
        file.write_text(text, encoding="ascii")
        print(f"{file.name}: {text.count(chr(10))} lines")
    if kept:
        print("\n".join(kept), file=sys.stderr)
        return 1
    perft.FILE.write_text(perft.counted(), encoding="ascii")
    print(perft.FILE.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
