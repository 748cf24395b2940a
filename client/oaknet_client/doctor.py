"""What works here, found out without leaving the local network, and what to do about what does not.

Each check gives findings and never fails: what cannot be found out is said to be unknown.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import shutil
import socket
import ssl
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, final

from oaknet_client.config import Folders, folders, read_config
from oaknet_client.failures import Failure, explain, log
from oaknet_client.words import inert, listed

if TYPE_CHECKING:
    from oaknet_protocol.nat.forwarding import Ways

GOOD, POOR, BAD, UNKNOWN = "good", "poor", "bad", "unknown"
"""The states of a finding: works, works in part, does not work, not found out."""

ROUTER_TIME = 10
"""Seconds in which the router must have answered."""

SCREEN = (80, 24)
"""The least columns and lines of the screen."""

DISK_LEAST = 50 * 1024 * 1024
"""Bytes that should be free: a log has less than one MiB."""

BUILT = datetime.date(2026, 11, 1)
"""No clock that is right shows an earlier day."""

_SHARED = ipaddress.IPv4Network("100.64.0.0/10")

Ip: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Address"


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, one of the four states, what was found, and what to do: sentences, or empty."""

    check: str
    state: str
    says: str
    advice: str = ""

    def record(self) -> dict[str, str]:
        """The finding as the documented JSON object."""
        return asdict(self)


def examine() -> Iterator[Finding]:
    """All findings, one after the other as they are found out; the slow ones last."""
    where = folders()
    checks: dict[str, Callable[[], Iterator[Finding]]] = {
        "program": program,
        "terminal": lambda: terminal(os.environ, shutil.get_terminal_size(), sys.stdout.encoding or ""),
        "folders": lambda: writable(where),
        "settings": settings,
        "identity": lambda: identity(where),
        "clock": lambda: clock(where, datetime.datetime.now(datetime.UTC)),
        "addresses": lambda: addresses(own_addresses()),
        "port": port,
        "nearby": nearby,
        "router": router,
    }
    for name, check in checks.items():
        try:
            yield from check()
        except Exception as error:  # whatever it is, the other checks go on
            log.info("check %s", name, exc_info=error)
            yield Finding(name, UNKNOWN, f"This could not be found out: {explain(error).sentence}")


# -- this machine --------------------------------------------------------------------------------------------


def program() -> Iterator[Finding]:
    """Which oaknet on what, and whether connections can be as safe as they must be."""
    from oaknet import __version__

    python = ".".join(map(str, sys.version_info[:3]))
    says = f"oaknet {__version__}, Python {python}, {ssl.OPENSSL_VERSION}"
    if ssl.HAS_TLSv1_3:
        yield Finding("program", GOOD, f"{says}.")
    else:
        yield Finding("program", BAD, f"{says}: without TLS 1.3.", "Use a Python with a newer OpenSSL.")


def terminal(environ: Mapping[str, str], size: Sequence[int], encoding: str) -> Iterator[Finding]:
    """Whether the screen can be drawn."""
    kind = environ.get("TERM", "")
    says = f"Terminal {inert(kind) or 'of an unknown kind'}, {size[0]}×{size[1]}, {inert(encoding)}"
    if os.name == "posix" and kind in ("", "dumb"):
        advice = "Use another terminal, or --plain, which needs none of it."
        yield Finding("terminal", POOR, f"{says}: no screen can be drawn there.", advice)
    elif size[0] < SCREEN[0] or size[1] < SCREEN[1]:
        advice = f"Make the window at least {SCREEN[0]} columns wide and {SCREEN[1]} lines high."
        yield Finding("terminal", POOR, f"{says}: that is small.", advice)
    elif encoding.lower().replace("-", "") != "utf8":
        yield Finding(
            "terminal", POOR, f"{says}: not all signs can be shown.", "Set it to UTF-8, or use --ascii."
        )
    else:
        yield Finding("terminal", GOOD, f"{says}.")


def writable(where: Folders) -> Iterator[Finding]:
    """Whether games can be kept."""
    for folder in dict.fromkeys((where.data, where.config)):
        near = next((path for path in (folder, *folder.parents) if path.exists()), folder)
        try:
            with tempfile.TemporaryFile(dir=near):
                free = shutil.disk_usage(near).free
        except OSError as error:
            why = (error.strerror or type(error).__name__).lower()
            yield Finding(
                "folder",
                BAD,
                f"Nothing can be written to {inert(str(folder))}: {why}.",
                "Give yourself the right to write there, or set OAKNET_HOME to another folder.",
            )
            continue
        if free < DISK_LEAST:
            says = f"Only {free // 2**20} MiB are free for {inert(str(folder))}."
            yield Finding("folder", BAD, says, "Make room: a game is kept on the disk, move by move.")
        else:
            yield Finding("folder", GOOD, f"{inert(str(folder))} can be written to.")


def settings() -> Iterator[Finding]:
    """Whether what the user may edit can be read."""
    from oaknet_client.players import FILE, Players

    try:
        config = read_config()
        known = len(Players.read(folders().data / FILE))
    except Failure as failure:
        yield Finding("settings", BAD, failure.sentence)
    else:
        yield Finding("settings", GOOD, f"Your name is {inert(config.name)}; you have met {known} players.")


def identity(where: Folders) -> Iterator[Finding]:
    """Whether the key is there and readable; nothing is made."""
    from oaknet_protocol.identity import Identity, IdentityFault

    if not os.path.lexists(where.identity):
        yield Finding("identity", GOOD, "There is no key yet; it is made when you play first.")
        return
    try:
        found = Identity.load(where.identity)
    except IdentityFault as fault:
        yield Finding("identity", BAD, str(fault))
    else:
        yield Finding("identity", GOOD, f"You are {found.fingerprint}.")


def clock(where: Folders, now: datetime.datetime) -> Iterator[Finding]:
    """Whether the clock can be right: games do not need it, dates in lists do."""
    newest = max((_changed(path) for path in where.data.glob("**/*") if path.is_file()), default=0.0)
    advice = "Set the clock. Games do not depend on it, but the dates in your lists do."
    if now.date() < BUILT:
        says = f"The clock shows {now.date()}, before this program was made."
        yield Finding("clock", POOR, says, advice)
    elif newest > now.timestamp() + 24 * 3600:
        then = datetime.datetime.fromtimestamp(newest, datetime.UTC).date()
        says = f"The clock shows {now.date()}, but one of your files is from {then}."
        yield Finding("clock", POOR, says, advice)
    else:
        yield Finding("clock", GOOD, f"The clock shows {now:%Y-%m-%d %H:%M} UTC.")


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0


# -- the network ---------------------------------------------------------------------------------------------


def own_addresses() -> list[Ip]:
    """The addresses of this machine, without the loopback and link-local IPv6."""
    from oaknet_protocol.discovery import every_address

    found = [ipaddress.ip_address(place.host) for place in every_address()]
    outside = [ip for ip in found if not ip.is_loopback and not (ip.version == 6 and ip.is_link_local)]
    return sorted(outside, key=lambda ip: (ip.version, int(ip)))


def addresses(own: Sequence[Ip]) -> Iterator[Finding]:
    """By which addresses others might reach this machine."""
    if not own:
        yield Finding("addresses", BAD, "This machine is in no network.", "Connect it to one.")
        return
    yield Finding("addresses", GOOD, f"This machine has {listed(map(str, own))}.")
    public = [ip for ip in own if ip.is_global and not ip.is_multicast]
    six = [str(ip) for ip in public if ip.version == 6]
    if six:
        says = "IPv6 works to the provider: others with IPv6 may reach you directly."
        advice = "If they do not, let your router's firewall pass your port (--port) to this machine."
        yield Finding("ipv6", GOOD, says, advice)
    else:
        says = "This machine has no public IPv6 address."
        yield Finding("ipv6", POOR, says, "Switch IPv6 on in your router, if your provider has it.")
    shared = [ip for ip in own if ip.version == 4 and ip in _SHARED]
    if any(ip.version == 4 for ip in public):
        yield Finding("ipv4", GOOD, "This machine has a public IPv4 address.")
    elif shared:
        says = f"{shared[0]} is shared with other customers (carrier-grade NAT), or belongs to a VPN."
        advice = (
            "Over such a VPN friends reach you directly. Otherwise nobody can by IPv4: use IPv6 or a VPN."
        )
        yield Finding("ipv4", POOR, says, advice)
    else:
        says = "Over the internet nobody reaches this machine by IPv4 unless the router forwards a port."
        yield Finding("ipv4", POOR, says, "See below for the router, or let somebody else open the table.")


def port() -> Iterator[Finding]:
    """Whether the port of the settings, or any, can be listened at."""
    number = read_config().port
    failed: list[str] = []
    for family, host, name in ((socket.AF_INET, "0.0.0.0", "IPv4"), (socket.AF_INET6, "::", "IPv6")):  # noqa: S104
        try:
            with socket.socket(family, socket.SOCK_STREAM) as listener:
                if os.name == "posix":
                    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listener.bind((host, number))
                listener.listen(1)
        except OSError as error:
            failed.append(f"{name}: {(error.strerror or type(error).__name__).lower()}")
    what = f"Port {number}" if number else "A port"
    if len(failed) == 2:
        advice = "Choose another with port in config.toml, or end the program that has it."
        yield Finding("port", BAD, f"{what} cannot be listened at ({'; '.join(failed)}).", advice)
    elif failed:
        yield Finding("port", POOR, f"{what} can be listened at, but not by {failed[0]}.")
    elif number:
        yield Finding("port", GOOD, f"{what} can be listened at.")
    else:
        says = "A port can be listened at; each table takes any that is free."
        yield Finding("port", GOOD, says, "To have one forwarded, fix it with --port or in config.toml.")


def nearby() -> Iterator[Finding]:
    """Whether tables in the local network can be found: a question must come back from each interface."""
    from oaknet_protocol.discovery import NO_INTERFACE, hears_itself, interfaces

    places = interfaces()
    if all(place.loopback for place in places):
        yield Finding("nearby", BAD, NO_INTERFACE)
        return
    heard = [place for place in places if hears_itself(place)]
    deaf = [place for place in places if place not in heard]
    shown = listed(f"{inert(place.host)} ({inert(place.name)})" for place in heard or deaf)
    if not heard:
        says = f"Tables nearby cannot be found: multicast does not work on {shown}."
        advice = "Let your firewall pass UDP port 5353, or join by an invite."
        yield Finding("nearby", BAD, says, advice)
    else:
        says = f"Tables nearby can be looked for on {shown}"
        says += f", not on {listed(inert(place.host) for place in deaf)}." if deaf else "."
        yield Finding("nearby", POOR if deaf else GOOD, says)


def router(ways: Ways | None = None) -> Iterator[Finding]:
    """What the router says by each way to ask it; nothing is forwarded."""
    import trio

    from oaknet_protocol import nat

    answers = trio.run(nat.addresses, ways or nat.every_way, ROUTER_TIME)
    told = {name: answer for name, answer in answers.items() if isinstance(answer, str)}
    if told:
        says = (
            f"The router speaks {listed(told)} and has the public address {next(iter(told.values()))}: "
            "it can be asked to forward a port."
        )
        yield Finding("router", GOOD, says)
        return
    fault = nat.telling([answer for answer in answers.values() if isinstance(answer, nat.RouterFault)])
    state = UNKNOWN if str(fault) == nat.NO_EXTRA else POOR
    yield Finding("router", state, str(fault))
