"""Sockets as any user of the machine may make them: prints what became of one, an errno's name or a word."""
import errno
import os
import socket
import sys
import threading
import time


def words(work):
    try:
        return work()
    except socket.timeout:
        return "TIMEOUT"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))


def make(kind, address, device, source):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, kind)
    made.settimeout(3)
    if device.startswith("#"):
        index = socket.if_nametoindex(device[1:])
        made.setsockopt(socket.SOL_SOCKET, 62, index)  # SO_BINDTOIFINDEX
    elif device != "-":
        made.setsockopt(socket.SOL_SOCKET, 25, device.encode())  # SO_BINDTODEVICE
    if source != "-":
        made.bind((source, 0))
    return made


def tcp(address, port, device="-", source="-"):
    made = make(socket.SOCK_STREAM, address, device, source)
    made.connect((address, int(port)))
    return "CONNECTED"


def udp(address, port, device="-", source="-"):
    made = make(socket.SOCK_DGRAM, address, device, source)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    made.sendto(b"probe", (address, int(port)))
    return "SENT"


def hold(path, address, port, device="-"):
    """Connects, notes that in a file, and waits for the connection's end."""
    made = make(socket.SOCK_STREAM, address, device, "-")
    made.connect((address, int(port)))
    made.settimeout(120)
    with open(path, "w") as note:
        note.write("ready\n")
    return "DATA" if made.recv(1) else "CLOSED"


def keep(path, address, port, device="-"):
    """Connects a datagram socket, notes that in a file, and tells what it is bound to when the file is gone."""
    made = make(socket.SOCK_DGRAM, address, device, "-")
    made.connect((address, int(port)))
    with open(path, "w") as note:
        note.write("ready\n")
    for _ in range(1200):
        if not os.path.exists(path):
            index = made.getsockopt(socket.SOL_SOCKET, 62)  # SO_BINDTOIFINDEX
            return "BOUND" if index == socket.if_nametoindex(device) else "FREE"
        time.sleep(0.1)
    return "TIMEOUT"


def listen(path, port):
    """Listens on every address, both families and protocols, and notes each peer in a file, until it is ended."""
    with open(path, "w", buffering=1) as notes:

        def serve(family, kind, address):
            made = socket.socket(family, kind)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((address, int(port)))
            if kind == socket.SOCK_STREAM:
                made.listen()
            while True:
                peer = made.accept()[1] if kind == socket.SOCK_STREAM else made.recvfrom(100)[1]
                notes.write("%s %s\n" % ("tcp" if kind == socket.SOCK_STREAM else "udp", peer[0]))

        threads = [
            threading.Thread(target=serve, args=(family, kind, address), daemon=True)
            for family, address in [(socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")]
            for kind in [socket.SOCK_STREAM, socket.SOCK_DGRAM]
        ]
        for thread in threads:
            thread.start()
        notes.write("ready\n")
        for thread in threads:
            thread.join()


print(words(lambda: globals()[sys.argv[1]](*sys.argv[2:])))
