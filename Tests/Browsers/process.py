"""What both browsers share: time limits, a process that ends with its parent, and a machine's own files."""

import ctypes
import os
import shutil
import signal
import subprocess
import time

_libc = ctypes.CDLL(None, use_errno=True)
_NEW_MOUNTS, _SET_PARENT_DEATH_SIGNAL = 0x20000, 1


class Failure(Exception):
    """Something a test must be told, in one sentence."""


class Limit:
    """The end of one thing that was asked for."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self, what):
        left = self.end - time.monotonic()
        if left <= 0:
            raise Failure(f"{what} did not come in time")
        return left


class Identity:
    """The user whom a browser runs as: this process's own, unless it takes another one."""

    ids = None

    def take(self, ids, folder):
        self.ids, self.folder = ids, folder

    def give(self):
        """Gives the user what is in the browser's folder."""
        for path, folders, files in os.walk(self.folder) if self.ids else []:
            for name in ["", *files]:
                os.chown(os.path.join(path, name), self.ids[0], self.ids[1], follow_symlinks=False)

    def become(self):
        if self.ids:
            os.setgroups(self.ids[2:]), os.setgid(self.ids[1]), os.setuid(self.ids[0])


identity = Identity()


def start(command, folder, files=None):
    """Starts a browser with a home of its own. It ends with this process, however that ends."""
    if not os.access(command[0], os.X_OK):
        raise Failure(f"{command[0]} is not installed; scripts/install-dependencies test installs it")
    files = files or {}

    def before():
        identity.become()
        # After that, which takes it back.
        _libc.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        # Out of the way first: one of them may have the number of another one's place.
        held = {place: os.dup(file) for place, file in files.items()}
        for place, file in held.items():
            while file in files:
                file = os.dup(file)
            os.dup2(file, place)

    environment = {
        **os.environ, "HOME": folder, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_CACHE_HOME": f"{folder}/cache",
        "XDG_RUNTIME_DIR": folder, "TMPDIR": folder, "MOZ_DISABLE_CONTENT_SANDBOX": "1", "LANG": "C.UTF-8",
        # There is no bus, and none is to be started.
        "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/no-bus",
    }  # fmt: skip
    with open(f"{folder}/log", "ab") as log:
        identity.give()
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=before,
            close_fds=not files, cwd=folder,
        )  # fmt: skip


def end(process):
    """By its id, and not before it had the time to end by itself."""
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def overlay(folder):
    """Lays a folder's `etc` and `usr` over the machine's, for this process and its children alone."""
    if _libc.unshare(_NEW_MOUNTS) != 0:
        raise Failure(f"unshare: {os.strerror(ctypes.get_errno())}")
    subprocess.run(["mount", "--make-rslave", "/"], check=True)
    for name in ["etc", "usr"]:
        if not os.path.isdir(f"{folder}/{name}"):
            continue
        if name == "etc":  # a world's name servers are mounted there, and would be hidden
            shutil.copyfile("/etc/resolv.conf", f"{folder}/etc/resolv.conf")
        command = ["mount", "-t", "overlay", "-o", f"lowerdir={folder}/{name}:/{name}", "overlay", f"/{name}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{' '.join(command)}: {done.stderr.strip()}")
