"""A server for what programs fetch: files of a folder, and at /drip bytes without end."""
import http.server
import os
import socket
import sys
import time


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/drip":
            return super().do_GET()
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"drip\n")
            time.sleep(0.1)


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6

    def handle_error(self, request, client_address):
        pass


os.chdir(sys.argv[1])
server = Server(("::", int(sys.argv[2])), Handler)
print("ready", flush=True)
server.serve_forever()
