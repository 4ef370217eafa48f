#!/usr/bin/env python3
"""site.py FOLDER

The websites of a test, for the hosts of kind `program` of a simulated world: it answers at the Unix socket FOLDER/socket
with the file FOLDER/HOST/PATH, `index.html` for a path that ends in `/`. A line of FOLDER/requests tells of each
request, as JSON: its method, host, path, query and body.

A file FOLDER/HOST/PATH.answer is an answer of another kind: `{"status": 302, "fields": {"Location": …}, "body": …}`.
"""

import http.server
import json
import os
import socketserver
import sys
from urllib.parse import urlsplit

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".css": "text/css"}
LIMIT = 256 * 1024


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 30

    def do_GET(self):
        host, place = self.headers.get("Host", "").split(":")[0], urlsplit(self.path)
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), LIMIT)).decode(errors="replace")
        note = {"method": self.command, "host": host, "path": place.path, "query": place.query, "body": body}
        with open(f"{folder}/requests", "a") as file:
            file.write(json.dumps(note) + "\n")
        path = os.path.normpath(f"{folder}/{host}/{place.path}" + ("/index.html" if place.path.endswith("/") else ""))
        try:
            if not path.startswith(f"{folder}/"):
                raise FileNotFoundError
            if os.path.exists(path + ".answer"):
                with open(path + ".answer") as file:
                    answer = json.load(file)
                return self.send(answer.get("status", 200), answer.get("fields", {}), answer.get("body", "").encode())
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            return self.send(404, {"Content-Type": "text/plain"}, b"there is no such page\n")
        self.send(200, {"Content-Type": TYPES.get(os.path.splitext(path)[1], "application/octet-stream")}, data)

    do_POST = do_GET

    def send(self, status, fields, body):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "-"

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


folder = os.path.realpath(sys.argv[1])
with Server(f"{folder}/socket", Handler) as server:
    print("ready", flush=True)
    server.serve_forever()
