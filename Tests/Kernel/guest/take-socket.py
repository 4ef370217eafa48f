"""Takes a socket over the bearer from modemd, as a program without any library of modemd's would, and
reads from it until it ends."""
import errno
import json
import socket
import sys

service = socket.socket(socket.AF_UNIX)
service.connect("/run/modemd/org.modemd")
call = {"method": "org.modemd.Bearer.OpenSocket", "parameters": {"host": sys.argv[1], "port": int(sys.argv[2])}}
service.sendall(json.dumps(call).encode() + b"\0")
answer, descriptors, _, _ = socket.recv_fds(service, 65536, 1)
while not answer.endswith(b"\0"):
    answer += service.recv(65536)
reply = json.loads(answer[:-1])
if "error" in reply:
    sys.exit("refused: %s" % reply)
taken = socket.socket(fileno=descriptors[reply["parameters"]["socketFileDescriptor"]])
taken.sendall(b"GET /drip HTTP/1.0\r\n\r\n")
try:
    while True:
        if not taken.recv(4096):
            sys.exit("ended as if all had come")
        print("receiving", flush=True)
except OSError as error:
    print(errno.errorcode[error.errno], flush=True)
