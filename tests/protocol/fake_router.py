"""A router of the tests' own: description and answers (SOAP) over real HTTP on the loopback, and SSDP."""

from __future__ import annotations

import re
import socket
import socketserver
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAN = "urn:schemas-upnp-org:service:WANIPConnection:1"
DEVICE = "urn:schemas-upnp-org:device:"

DESCRIPTION = f"""<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>
<device><deviceType>{DEVICE}InternetGatewayDevice:1</deviceType><UDN>uuid:1</UDN><deviceList>
<device><deviceType>{DEVICE}WANDevice:1</deviceType><UDN>uuid:2</UDN><deviceList>
<device><deviceType>{DEVICE}WANConnectionDevice:1</deviceType><UDN>uuid:3</UDN><serviceList><service>
<serviceType>{WAN}</serviceType><serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId>
<controlURL>/control</controlURL><eventSubURL>/event</eventSubURL><SCPDURL>/scpd.xml</SCPDURL>
</service></serviceList></device></deviceList></device></deviceList></device></root>
"""


def envelope(inside: str) -> str:
    space = "http://schemas.xmlsoap.org/soap/envelope/"
    return f'<?xml version="1.0"?><s:Envelope xmlns:s="{space}"><s:Body>{inside}</s:Body></s:Envelope>'


def tag(name: str, value: object) -> str:
    return f"<{name}>{value}</{name}>"


class FakeRouter:
    """How it answers is set by the tests; ``asked`` has every request, ``mappings`` what is forwarded."""

    def __init__(self) -> None:
        self.external = "203.0.112.9"
        self.codes: list[int] = []
        """The faults of the next AddPortMapping requests; 0 is none, the last stays."""
        self.only_permanent = False
        self.html = False
        self.silent = threading.Event()
        self.shows: tuple[str, str] | None = None
        """What is shown for every mapping, if not the truth."""
        self.forgets = False
        self.mappings: dict[str, dict[str, str]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.url = ""
        self.over = threading.Event()
        self.before: Callable[[str], None] = lambda _: None
        """Called with each action before it is done."""

    def added(self) -> list[tuple[int, int]]:
        """The external ports and leases of every AddPortMapping."""
        return [
            (int(words["NewExternalPort"]), int(words["NewLeaseDuration"]))
            for action, words in self.asked
            if action == "AddPortMapping"
        ]

    def answer(self, action: str, words: dict[str, str]) -> tuple[int, str]:
        """A fault's code, or 0, and what stands in the answer."""
        self.before(action)
        self.asked.append((action, words))
        outside = words.get("NewExternalPort", "")
        match action:
            case "GetExternalIPAddress":
                return 0, tag("NewExternalIPAddress", self.external)
            case "AddPortMapping":
                code = (self.codes.pop(0) if len(self.codes) > 1 else self.codes[0]) if self.codes else 0
                if not code and self.only_permanent and words["NewLeaseDuration"] != "0":
                    code = 725
                if not code and not self.forgets:
                    self.mappings[outside] = words
                return code, ""
            case "DeletePortMapping":
                return 0 if self.mappings.pop(outside, None) else 714, ""
            case "GetSpecificPortMappingEntry" if outside in self.mappings:
                found = self.mappings[outside]
                client, port = self.shows or (found["NewInternalClient"], found["NewInternalPort"])
                shown = tag("NewInternalPort", port) + tag("NewInternalClient", client)
                rest = tag("NewEnabled", 1) + tag("NewPortMappingDescription", "oaknet")
                return 0, shown + rest + tag("NewLeaseDuration", found["NewLeaseDuration"])
            case _:
                return 714, ""


class Server(ThreadingHTTPServer):
    """Does not ask a name server for its own name, which can take seconds."""

    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]


@contextmanager
def running(host: str = "127.0.0.1") -> Iterator[FakeRouter]:
    """A router that answers at ``url`` until the end."""
    router = FakeRouter()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:  # type: ignore[override]
            pass

        def say(self, status: int, text: str, kind: str = "text/xml") -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.say(200, DESCRIPTION)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if router.silent.is_set():
                router.over.wait()
                return
            if router.html:
                self.say(200, "<html><body><h1>Please log in</h1>\x1b[2J</body></html>", "text/html")
                return
            action = self.headers["SOAPAction"].strip('"').partition("#")[2]
            code, inside = router.answer(action, dict(re.findall(r"<(New\w+)>([^<]*)<", body)))
            if code:
                fault = f"<errorCode>{code}</errorCode><errorDescription>\x1b[2J</errorDescription>"
                upnp = f'<UPnPError xmlns="urn:schemas-upnp-org:control-1-0">{fault}</UPnPError>'
                detail = f"<faultcode>s:Client</faultcode><detail>{upnp}</detail>"
                self.say(500, envelope(f"<s:Fault>{detail}</s:Fault>"))
            else:
                self.say(200, envelope(f'<u:{action}Response xmlns:u="{WAN}">{inside}</u:{action}Response>'))

    server = Server((host, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    router.url = f"http://{host}:{server.server_port}/description.xml"
    try:
        yield router
    finally:
        router.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def answer_searches(router: FakeRouter, host: str = "127.0.0.1") -> None:
    """Answer SSDP searches on the interface with this address, for good."""
    group = "239.255.255.250"
    ears = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ears.bind((group, 1900))
    ears.setsockopt(
        socket.IPPROTO_IP,
        socket.IP_ADD_MEMBERSHIP,
        struct.pack("4s4s", socket.inet_aton(group), socket.inet_aton(host)),
    )
    kind = f"{DEVICE}InternetGatewayDevice:1"
    lines = ["HTTP/1.1 200 OK", f"ST: {kind}", f"USN: uuid:1::{kind}", f"LOCATION: {router.url}", "", ""]
    while True:
        _, sender = ears.recvfrom(2000)
        ears.sendto("\r\n".join(lines).encode(), sender)


def main() -> None:
    """Find the router as the product does, in a network that has nothing else; print what comes of it."""
    from oaknet_protocol.nat import errand

    with running() as router:
        threading.Thread(target=answer_searches, args=(router,), daemon=True).start()
        found = errand.find(search=50)
        print(errand.open_port(found, 4711))
        errand.close_port(found, 4711)
        print(router.mappings)


if __name__ == "__main__":
    main()
