"""The site on 127.0.0.1, as the client's HTTP proxy: every host and port of every URL arrives here, and none leaves.

A proxy gets the whole URL in the request line (RFC 9112 3.2.2), octet by octet as the client has it, so
`www.site.example`, `https://` and port 8080 are told apart without DNS, and nothing is ever looked up
or sent on. `https:` comes through CONNECT (RFC 9110 9.3.6) and is real TLS from there.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from types import TracebackType
from typing import Self
from urllib.parse import quote

from sample_project.certificate import server_context
from sample_project.pages import ASCII, Reply, Site, wire

HEAD_LIMIT = 64 * 1024
REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 303: "See Other", 307: "Temporary Redirect",
           308: "Permanent Redirect", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
           410: "Gone", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable"}  # fmt: skip


class SiteServer:
    """Serves one `Site` in a thread of its own, as a context manager; `proxy` is its URL.

    Only hosts under `.example` (and 127.0.0.1 in its forms) are tunnelled to, so that a client library
    that wants something else from the network is told so at once.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self.port = 0
        self._tls: ssl.SSLContext = server_context(site.hosts("https"))
        self._ready = threading.Event()
        self._failure: OSError | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="site", daemon=True)

    @property
    def proxy(self) -> str:
        """What a client puts into `http_proxy` and `https_proxy`."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        clients: set[asyncio.Task[None]] = set()

        async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            clients.add(task)
            try:
                await self._converse(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ssl.SSLError):
                pass  # The client went away or does not speak HTTP: its connection ends, the site goes on.
            except asyncio.CancelledError:
                pass  # The site ends, and Python 3.11 would log a connection that is cut short for it.
            finally:
                clients.discard(task)
                writer.close()

        try:
            server = await asyncio.start_server(client, "127.0.0.1", 0, limit=HEAD_LIMIT)
        except OSError as error:
            self._failure = error
            self._ready.set()
            return
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in list(clients):
            task.cancel()
        await asyncio.gather(*clients, return_exceptions=True)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it ends."""
        origin = ""
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            line, *fields = head[:-4].decode("latin-1").split("\r\n")
            method, _, rest = line.partition(" ")
            target = rest.rpartition(" ")[0]
            headers = {
                name.strip().lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)
            }
            length = headers.get("content-length", "0")
            if not rest or not length.isdecimal() or int(length) > HEAD_LIMIT:
                await _refuse(writer, 400)
                return
            await reader.readexactly(int(length))
            if method == "CONNECT":
                if not target.rpartition(":")[0].endswith((".example", "127.0.0.1")):
                    writer.write(
                        b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    )
                    await writer.drain()
                    return
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                await writer.drain()
                await writer.start_tls(self._tls)
                origin = "https://" + target
                continue
            # Octets that a client left raw stay the octets they are.
            url = origin + quote(target.encode("latin-1"), safe=ASCII)
            reply = self.site.respond(method, wire(url), _cookies(headers.get("cookie", "")))
            writer.write(self._message(reply))
            await writer.drain()

    def _message(self, reply: Reply) -> bytes:
        body = self.site.body(reply).encode()
        lines = [f"HTTP/1.1 {reply.status} {REASONS[reply.status]}", "Content-Type: text/html; charset=utf-8",
                 f"Content-Length: {len(body)}"]  # fmt: skip
        if reply.location is not None:
            lines.append(f"Location: {reply.location}")
        lines += [f"Set-Cookie: {cookie}" for cookie in reply.cookies]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def _refuse(writer: asyncio.StreamWriter, status: int) -> None:
    head = f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    await writer.drain()


def _cookies(header: str) -> dict[str, str]:
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return {name: value for name, _, value in pairs if name}
