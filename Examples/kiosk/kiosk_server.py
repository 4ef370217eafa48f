#!/usr/bin/env python3
"""kiosk_server.py --public-url URL --token-file FILE [--listen PLACE] [--bridge URL]

The backend of a kiosk: it serves the pages beside it, gives modemd-web the tickets that its pages link to, takes the
verdicts, and shows each to the browser that brought the ticket and no other. Python 3.9 or later and its standard
library are all that it needs.

  --public-url URL   under which https URL browsers and modemd-web reach it
  --token-file FILE  the secret that modemd-web has as its credential; no other user may read the file
  --listen PLACE     ADDRESS:PORT on loopback, or unix:PATH; a proxy before it ends TLS (127.0.0.1:8090)
  --bridge URL       where modemd-web is (http://127.0.0.1:61977)

Exit status: 0 after SIGTERM or SIGINT; 2 if the call is wrong.
"""

import argparse
import hmac
import http.server
import json
import os
import re
import secrets
import signal
import socketserver
import stat
import sys
import threading
import time
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote, urlsplit

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pages")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
BODY_LIMIT = 16 * 1024  # bytes
TICKET_SECONDS = 300  # until a ticket and its verdict are forgotten
TICKET_LIMIT = 1000  # at one time
STARTS_PER_MINUTE = 60  # of all visitors together: a check may cost money
NUMBER = re.compile(r"\+[1-9][0-9]{6,14}")
COOKIE = "__Host-visit"

FIELDS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Refusal(Exception):
    """An answer other than success. Its text has no secret."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def same(one, other):
    """Takes as long for texts that begin alike as for others."""
    return hmac.compare_digest(str(one).encode(), str(other).encode())


class Tickets:
    """What visitors have asked, each for some minutes. A ticket is claimed once and gets one verdict."""

    def __init__(self):
        self.lock, self.tickets, self.starts = threading.Lock(), {}, []

    def make(self, visit, number):
        with self.lock:
            now = time.monotonic()
            self.tickets = {key: one for key, one in self.tickets.items() if one["end"] > now}
            self.starts = [then for then in self.starts if then > now - 60]
            if len(self.starts) >= STARTS_PER_MINUTE or len(self.tickets) >= TICKET_LIMIT:
                raise Refusal(429, "too many have asked; try again in a minute")
            self.starts.append(now)
            key = secrets.token_urlsafe(24)
            self.tickets[key] = {"visit": visit, "number": number, "end": now + TICKET_SECONDS, "state": "open"}
            return key

    def find(self, key):
        ticket = self.tickets.get(key)
        if ticket is None or ticket["end"] <= time.monotonic():
            raise Refusal(404, "there is no such ticket")
        return ticket

    def offer(self, key):
        """What modemd-web shows before the person agrees: nothing of the number."""
        with self.lock:
            ticket = self.find(key)
            if ticket["state"] != "open":
                raise Refusal(410, "the ticket was used")
            seconds = max(1, int(ticket["end"] - time.monotonic()))
            return {"id": key, "ask": "verify", "expiresInSeconds": seconds}

    def claim(self, key):
        with self.lock:
            ticket = self.find(key)
            if ticket["state"] != "open":
                raise Refusal(409, "the ticket was used")
            ticket["state"] = "claimed"
            return {"id": key, "ask": "verify", "number": ticket["number"]}

    def decide(self, key, verdict):
        with self.lock:
            ticket = self.find(key)
            # modemd-web tells it again if it did not get the answer.
            if ticket["state"] == "decided" and ticket["verdict"] == verdict:
                return
            if ticket["state"] != "claimed" or verdict.get("ticket") != key or verdict.get("ask") != "verify":
                raise Refusal(409, "the ticket does not wait for a verdict")
            if not isinstance(verdict.get("result"), str) or not isinstance(verdict.get("returnCode"), str):
                raise Refusal(400, "a verdict has result and returnCode")
            ticket["state"], ticket["verdict"] = "decided", verdict

    def finish(self, key, visit, code):
        """The verdict, for the browser that began and came back from the device that was asked; once."""
        with self.lock:
            ticket = self.find(key)
            if ticket["state"] != "decided" or not visit or not same(ticket["visit"], visit):
                raise Refusal(403, "this browser did not ask that")
            if not code or not same(ticket["verdict"]["returnCode"], code):
                raise Refusal(403, "this browser's device was not asked")
            del self.tickets[key]
            return ticket["verdict"]


class Kiosk:
    def __init__(self, public, token, bridge):
        self.public, self.token, self.bridge = public, token, bridge
        self.tickets, self.results, self.lock = Tickets(), {}, threading.Lock()

    def start(self, visit, fields):
        number = fields.get("number")
        if not isinstance(number, str):
            raise Refusal(400, "number is missing or no text")
        number = re.sub(r"[\s()./-]", "", number)
        if not NUMBER.fullmatch(number):
            raise Refusal(400, "number is not in the international form, + and 7 to 15 digits")
        visit = visit or secrets.token_urlsafe(24)
        self.forget(visit)
        ticket = f"{self.public}/modem/tickets/{self.tickets.make(visit, number)}"
        return {"link": f"{self.bridge}/start?ticket={quote(ticket, safe='')}"}, visit

    def back(self, visit, query):
        """The browser comes back; where it goes from here does not depend on what it brings."""
        key, code = query.get("ticket", ""), query.get("code", "")
        try:
            verdict = self.tickets.finish(key, visit, code)
        except Refusal:
            return
        with self.lock:
            if len(self.results) >= TICKET_LIMIT:
                self.results.clear()
            self.results[visit] = (time.monotonic() + TICKET_SECONDS, verdict)

    def result(self, visit):
        """What a page may show of a verdict."""
        with self.lock:
            end, verdict = self.results.get(visit, (0, None))
        if verdict is None or end <= time.monotonic():
            raise Refusal(404, "there is no result")
        return {"result": verdict["result"], "steps": verdict.get("steps", [])}

    def forget(self, visit):
        with self.lock:
            self.results.pop(visit, None)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version, server_version, sys_version, timeout = "HTTP/1.1", "kiosk", "", 30

    def do_GET(self):
        self.serve({"/result": self.show_result, "/modem/back": self.come_back})

    def do_POST(self):
        self.serve({"/start": self.start})

    def serve(self, own):
        self.close_connection = True
        try:
            place = urlsplit(self.path)
            if self.host() != urlsplit(self.server.kiosk.public).netloc:
                raise Refusal(421, "this is another host's server")
            if place.path.startswith("/modem/tickets/"):
                return self.ticket(place.path.split("/")[3:])
            if place.path in own:
                return own[place.path](place)
            if self.command == "GET":
                return self.page(place.path)
            raise Refusal(404, "there is no such page")
        except Refusal as refusal:
            self.send(refusal.status, json.dumps({"error": str(refusal)}).encode())

    # --- for modemd-web

    def ticket(self, parts):
        given = self.headers.get("Authorization", "")
        if not same(given, f"Bearer {self.server.kiosk.token}"):
            raise Refusal(401, "the token is missing or wrong")
        tickets, key = self.server.kiosk.tickets, parts[0]
        if self.command == "GET" and len(parts) == 1:
            return self.send(200, json.dumps(tickets.offer(key)).encode())
        if self.command == "POST" and parts[1:] == ["claim"]:
            self.fields()
            return self.send(200, json.dumps(tickets.claim(key)).encode())
        if self.command == "POST" and parts[1:] == ["verdict"]:
            tickets.decide(key, self.fields())
            return self.send(204, b"")
        raise Refusal(404, "there is no such call")

    # --- for browsers

    def start(self, _):
        # A page of another site can make a browser send a request, but not with this field.
        if self.headers.get("Origin") != self.server.kiosk.public:
            raise Refusal(403, "pages of other sites may not ask")
        answer, visit = self.server.kiosk.start(self.visit(), self.fields())
        cookie = f"{COOKIE}={visit}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={TICKET_SECONDS}"
        self.send(201, json.dumps(answer).encode(), {"Set-Cookie": cookie})

    def come_back(self, place):
        query = {name: values[0] for name, values in parse_qs(place.query).items() if len(values) == 1}
        self.server.kiosk.back(self.visit(), query)
        # The code does not stay in the address.
        self.send(303, b"", {"Location": "/#result"})

    def show_result(self, _):
        self.send(200, json.dumps(self.server.kiosk.result(self.visit())).encode())

    def page(self, path):
        name = "index.html" if path == "/" else path[1:]
        kind = TYPES.get(os.path.splitext(name)[1])
        # A name, and no way elsewhere.
        if not re.fullmatch(r"[a-z]+\.[a-z]+", name) or kind is None:
            raise Refusal(404, "there is no such page")
        try:
            with open(os.path.join(PAGES, name), "rb") as file:
                self.send(200, file.read(), {"Content-Type": kind})
        except OSError:
            raise Refusal(404, "there is no such page") from None

    # --- reading and writing

    def host(self):
        return self.headers.get("X-Forwarded-Host") or self.headers.get("Host", "")

    def visit(self):
        try:
            morsel = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return None
        return morsel.value if morsel and re.fullmatch(r"[\w-]{32}", morsel.value) else None

    def fields(self):
        if self.headers.get_content_type() != "application/json":
            raise Refusal(415, "a request is JSON")
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            raise Refusal(411, "a request has a Content-Length") from None
        if not 0 <= length <= BODY_LIMIT:
            raise Refusal(413, f"a request has {BODY_LIMIT} bytes at most")
        try:
            value = json.loads(self.rfile.read(length))
        except (ValueError, RecursionError):
            raise Refusal(400, "the request is no JSON") from None
        if not isinstance(value, dict):
            raise Refusal(400, "the request is no JSON object")
        return value

    def send(self, status, body, fields=None):
        self.send_response(status)
        for name, value in {**FIELDS, "Content-Type": "application/json", **(fields or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "-"

    def log_message(self, *_):
        """Nothing: a request's target may hold a ticket."""


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64

    def handle_error(self, *_):
        """A browser that left is no error."""


class LocalServer(Server):
    address_family = socketserver.UnixStreamServer.address_family


def token_of(path):
    with open(path) as file:
        if os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SystemExit(f"kiosk_server.py: {path} is open to other users; chmod 600 closes it")
        token = file.read().strip()
    if not re.fullmatch(r"[\x21-\x7e]{16,512}", token):
        raise SystemExit(f"kiosk_server.py: {path} has no token of 16 to 512 characters without blanks")
    return token


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--public-url", required=True)
    parser.add_argument("--token-file", required=True)
    parser.add_argument("--listen", default="127.0.0.1:8090")
    parser.add_argument("--bridge", default="http://127.0.0.1:61977")
    options = parser.parse_args()
    if not re.fullmatch(r"https://[a-z0-9.-]+(:[0-9]+)?", options.public_url):
        parser.error("--public-url is no https origin, as in https://kiosk.example")
    try:
        kiosk = Kiosk(options.public_url, token_of(options.token_file), options.bridge.rstrip("/"))
        if options.listen.startswith("unix:"):
            path = options.listen[5:]
            if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):
                os.unlink(path)
            server = LocalServer(path, Handler)
            os.chmod(path, 0o660)
        else:
            address, _, port = options.listen.rpartition(":")
            if address != "127.0.0.1" or not port.isdigit():
                parser.error("--listen is neither 127.0.0.1:PORT nor unix:PATH")
            server = Server((address, int(port)), Handler)
    except OSError as error:
        print(f"kiosk_server.py: {error}", file=sys.stderr)
        return 2
    server.kiosk = kiosk
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    print("ready", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
    return 0


sys.exit(main())
