"""One call of org.modemd.Port at a port's socket, as modemd makes it: prints the answer as one line."""
import json
import socket
import sys

path, method, parameters = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "{}"
connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
connection.settimeout(120)
connection.connect(path)
call = {"method": "org.modemd.Port." + method, "parameters": json.loads(parameters)}
connection.sendall(json.dumps(call).encode() + b"\0")
answer = b""
while not answer.endswith(b"\0"):
    part = connection.recv(65536)
    if not part:
        sys.exit("the port hung up")
    answer += part
reply = json.loads(answer[:-1])
print(json.dumps(reply, sort_keys=True))
sys.exit(1 if "error" in reply else 0)
