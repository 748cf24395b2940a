"""The words of specs/example.md: what the bytes are, and what happens at the table."""

from __future__ import annotations

from typing import Any

INTRO = """
# A whole table, byte by byte

This file is made by `python -m tests.conformance.make_example` and compared with what that makes in every
test run. It binds nobody: the norms are in the other files, whose clauses it names. The log is the one in
`specs/vectors/transcript.json`, and a second implementation that comes to all of its hashes has most of the
work behind it.

**The game.** Market is a toy for two to four players that asks several at once. Each trader has a deck of
their own of the cards 0, 0, 0, 1, 1, 2, 2, points, and a list of bids; the state is the record of the
traders (deck, points, bids) and the number of the round. A round is one stage. All seats bid 0, 1 or 2 at
once; in this phase who bids more than 0 draws a card of their own deck, is asked whether to keep it
(`"yes"` or `"no"`; its number in points), and it goes under the deck. Then the lowest bidder is asked for a
tip of 0, 1 or 2.

**The players.** Ada's secret key is 32 times the byte `02`, Zoë's 32 times `01`. Ada opens the table. In
the end Zoë resigns, and since fewer than two seats are played then, the table is over.

**How to read it.** The first column is the offset in the file, the second the bytes, both in hexadecimal,
the third says what they are; what is in an array or in signed bytes stands further to the right.
"""

HEADER: list[Any] = ["format", "protocol", "game", "rules digest (engine 6.2)", "engine"]

FIELDS: dict[str, list[Any]] = {
    "open": [
        "version",
        "game",
        "rules digest",
        "engine",
        ("options", [("an option", ["its name", "its value"])]),
        "seats",
        "the opener's key",
        "nonce",
    ],
    "sit": ["table", "key", ("names", ["for its first seat"]), "nonce", "tip, link 4096 (beacon 2.2)"],
    "charter": [
        "table",
        "number",
        "parent, none",
        "draw",
        "given, nothing",
        "sits",
        ("seats", [("a charter seat", ["the sit that plays it", "why, 0 is played"])]),
    ],
    "entry": ["charter", "step", "prev, T", "state, the digest", "author", "kind", "body"],
}

BODIES: dict[tuple[str, bool], list[Any]] = {
    ("share", False): ["share, a link (beacon 3.1)"],
    ("seal", False): ["seal (transcript 4.3)"],
    ("move", True): [("answers", ["an answer"]), "salt"],
    ("move", False): [("answers", ["an answer"]), "no share: no draw is next"],
    ("resign", False): [],
    ("result", False): ["how, 1 is too few seats", ("scores", ["of a charter seat"])],
}
"""By kind, and whether the move opens a seal."""

STEPS = {
    0: "the first draw (beacon 5.4)",
    1: "both bid, sealed (transcript 4.3)",
    2: "both open",
    3: "a draw inside the phase",
    4: "Ada is asked whether to keep the card",
    5: "Zoë is asked for a tip, and resigns (transcript 4.7)",
    6: "the result (transcript 4.5, 7)",
}

MEANING = {
    1: "Its `below(2)` gives the order p = `{table.places}`: charter seat `p[j]` plays the rules' seat j.",
    2: "Among the cards 0, 1 and 2 with the weights 3, 2 and 2 its `below(7)` chooses card {table.card}.",
}
"""What comes of each draw."""
