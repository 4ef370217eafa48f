"""Where modemd listens, and how long an attempt to connect may go on."""

import os

from ._errors import Disconnected

STANDARD_PATH = "/run/modemd/org.modemd"

# Seconds between attempts while the kernel's queue of the socket is full.
QUEUE_WAITS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def socket_path(given: str | os.PathLike[str] | None) -> str:
    """The given path, else that of MODEMD_SOCKET, else modemd's own."""
    if given is not None:
        return os.fspath(given)
    return os.environ.get("MODEMD_SOCKET") or STANDARD_PATH


def unreachable(path: str, error: OSError) -> Disconnected:
    """The error of a connection that could not be made."""
    reason = error.strerror or "it is no path of a socket"
    return Disconnected(f"{path} cannot be reached, is modemd running? ({reason})")


def lost() -> Disconnected:
    """The error of a connection that ended too early."""
    return Disconnected("modemd closed the connection before it answered")
