"""One call of org.modemd.Port at a port's socket, as modemd makes it: prints the answer. Python's small package has no module json."""
import socket
import sys

path, method, parameters = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "{}"
connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
connection.settimeout(120)
connection.connect(path)
connection.sendall(('{"method":"org.modemd.Port.%s","parameters":%s}' % (method, parameters)).encode() + b"\0")
answer = b""
while not answer.endswith(b"\0"):
    part = connection.recv(65536)
    if not part:
        sys.exit("the port hung up")
    answer += part
text = answer[:-1].decode()
print(text)
sys.exit(1 if '"error":"org.' in text.replace(" ", "") else 0)
