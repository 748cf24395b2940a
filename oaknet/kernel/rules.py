"""What a game is, as the kernel, the protocol and the client see it (engine 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, TypeVar

from oaknet.kernel.ask import Ask, Option, Rule
from oaknet.kernel.canonical import H, Plain, canonical
from oaknet.kernel.plain import plain

if TYPE_CHECKING:
    from oaknet.kernel.data import Data
    from oaknet.kernel.game import Game

Options: TypeAlias = Mapping[str, str]
"""The table options of a game, by name."""


class Position(Protocol):
    """A state: plain data in slotted dataclasses, with a hand-written copy."""

    def copy(self) -> Self:
        """An independent copy; the box may be shared."""
        ...


S = TypeVar("S", bound=Position)


class WrongSeats(ValueError):
    """The game is not played by that many."""


class BadOptions(ValueError):
    """A table option that the game does not have, or a value it cannot have."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """A choice made when a table is opened: its name, its values (the first is the default), its meaning."""

    name: str
    values: tuple[str, ...]
    text: str


class Rules(Protocol[S]):
    """A game's rules over states of type ``S``; made by `oaknet.registry.rules`."""

    @property
    def name(self) -> str:
        """The identifier on the wire, such as ``"oak"``."""
        ...

    @property
    def title(self) -> str:
        """The name that people use."""
        ...

    @property
    def version(self) -> int:
        """Raised by hand whenever a playthrough changes."""
        ...

    @property
    def seats(self) -> range:
        """How many may play."""
        ...

    @property
    def options(self) -> tuple[TableOption, ...]:
        """What may be chosen when a table is opened."""
        ...

    @property
    def data(self) -> Data[object]:
        """The printed numbers (``data.box``) and where each comes from."""
        ...

    @property
    def state(self) -> type[S]:
        """The class of the states."""
        ...

    def setup(self, seats: int, options: Options) -> S:
        """The state before anything is drawn or asked."""
        ...

    def stage(self, s: S) -> Rule[None]:
        """One turn or phase, chosen by the state's own phase."""
        ...

    def over(self, s: S) -> bool:
        """Whether no stage follows."""
        ...

    def score(self, s: S) -> tuple[int, ...]:
        """The points of each seat, now."""
        ...

    def winners(self, s: S) -> tuple[int, ...]:
        """The seats that win with the state as it is, by the game's own tie-break; empty if nobody does."""
        ...

    def breakdown(self, s: S, seat: int) -> dict[str, int]:
        """Where the points of a seat come from; the values add up to its score."""
        ...

    def stand_in(self, game: Game[S], seat: int) -> Option:
        """The answer for an absent seat: the same on every peer, from integers alone."""
        ...

    def say(self, s: S, ask: Ask, option: Option) -> str:
        """An answer in words, for log and screen: no markup; ``s`` is the state it was given in."""
        ...


def rules_digest(rules: Rules[S]) -> bytes:
    """What peers and logs must agree on (engine 6.2): H("rules", name, version, canonical box)."""
    version = rules.version.to_bytes(4, "big")
    return H("rules", rules.name.encode(), version, canonical(boxed(rules)))


def boxed(rules: Rules[S]) -> Plain:
    """The plain form of the game's printed numbers."""
    return plain(rules.data.box)


def checked_options(rules: Rules[S], seats: int, options: Options) -> dict[str, str]:
    """All table options with their values, defaults filled in, by name.

    Raises `WrongSeats` and `BadOptions`, each with a sentence that says what would be right.
    """
    if seats not in rules.seats:
        low, high = rules.seats[0], rules.seats[-1]
        raise WrongSeats(f"{rules.title} is for {low} to {high} players, not {seats}.")
    known = {option.name: option for option in rules.options}
    for name, value in options.items():
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            raise BadOptions(f"{rules.title} has no option {name!r}; its options: {names}.")
        if value not in known[name].values:
            values = ", ".join(known[name].values)
            raise BadOptions(f"Option {name!r} of {rules.title} can be {values}; not {value!r}.")
    return {name: options.get(name, known[name].values[0]) for name in sorted(known)}
