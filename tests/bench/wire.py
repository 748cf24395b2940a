"""What a whole game sends: ``python -m tests.bench.wire``.

Bytes of all messages that a peer sends to all others, with their 4-byte lengths and without TLS, beside the
log, which every peer must have in the end: times the number of others it is the least that a mesh can send.
"""

from __future__ import annotations

from oaknet import registry
from tests.bench.table import SEATS, play


def main() -> None:
    print(f"{SEATS} peers, one game each")
    print("{:<12}{:>10}{:>10}{:>10}{:>10}{:>7}".format("game", "messages", "sent", "a peer", "log", "ratio"))
    for name in registry.games():
        peers = play(name).game
        sent, messages = sum(peer["bytes"] for peer in peers), sum(peer["messages"] for peer in peers)
        log = peers[0]["log"]
        least = (SEATS - 1) * log
        print(f"{name:<12}{messages:>10}{sent:>10}{sent // SEATS:>10}{log:>10}{sent / least:>7.2f}")


if __name__ == "__main__":
    main()
