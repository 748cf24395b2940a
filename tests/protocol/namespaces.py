"""Hosts of their own for the tests: network namespaces on one switch. They need root and iproute2."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PREFIX = "198.51.100."


def missing() -> str:
    """What is missing for namespaces, as the reason of a skip; empty if nothing is."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "network namespaces need iproute2"
    name = f"oak{os.getpid()}try"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"no network namespaces here: {tried.stderr.strip()}"
    ip("netns", "del", name)
    return ""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Host:
    """A namespace with an interface ``lan`` at the switch, and ``address`` on it."""

    def __init__(self, name: str, number: int, switch: str) -> None:
        self.name, self.address = name, f"{PREFIX}{number}"
        self._switch = switch
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
        self.plug("lan", self.address, "br0")
        self.up()

    def plug(self, interface: str, address: str, bridge: str) -> None:
        """One more interface, at a bridge of the switch, with an address of its /24."""
        plug = f"{self.name[3:]}{interface}"
        ip("link", "add", plug, "type", "veth", "peer", "name", interface, "netns", self.name)
        ip("link", "set", plug, "netns", self._switch)
        ip("-n", self._switch, "link", "set", plug, "master", bridge, "up")
        ip("-n", self.name, "addr", "add", f"{address}/24", "dev", interface)
        # Addresses are there at once, without a second's wait whether somebody else has them.
        accept = f"/proc/sys/net/ipv6/conf/{interface}/accept_dad"
        ip("netns", "exec", self.name, "sh", "-c", f"echo 0 > {accept}")
        ip("-n", self.name, "link", "set", interface, "up")

    def unplug(self, interface: str) -> None:
        """The interface is no more."""
        ip("-n", self.name, "link", "del", interface)

    def up(self) -> None:
        """Plug the host in; what a host does not know goes to its network."""
        ip("-n", self.name, "link", "set", "lan", "up")
        ip("-n", self.name, "route", "replace", "default", "dev", "lan")

    def down(self) -> None:
        """Pull the plug."""
        ip("-n", self.name, "link", "set", "lan", "down")

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Run Python on this host."""
        paths = os.pathsep.join(str(ROOT / part) for part in ("", "protocol", "client"))
        return subprocess.Popen(
            ["ip", "netns", "exec", self.name, sys.executable, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths},
        )


@contextmanager
def hosts(count: int) -> Iterator[Sequence[Host]]:
    """So many hosts at one bridge, ``br0``; ``br1`` of the same switch is another network."""
    switch = f"oak{os.getpid()}s"
    names = [f"oak{os.getpid()}h{number}" for number in range(1, count + 1)]
    try:
        ip("netns", "add", switch)
        for bridge in ("br0", "br1"):
            ip("-n", switch, "link", "add", bridge, "type", "bridge", "mcast_snooping", "0")
            ip("-n", switch, "link", "set", bridge, "up")
        yield [Host(name, number, switch) for number, name in enumerate(names, 1)]
    finally:
        for name in (*names, switch):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
