"""Calls whose reply comes with a socket, or before a stream, against a scripted service."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import unittest
from collections.abc import Callable

from modemd import AsyncConnection, BadReply, CallTimeout, Connection, Disconnected

from .served import PATIENCE, Peer, Served

REPLY = {"id": "s1", "modem": "m1", "interface": "wwan0", "source": "10.64.0.2", "address": None}


def given(number: int = 1, index: int = 0) -> Callable[[Peer], None]:
    """A service that hands over sockets, each with its index to read."""

    def serve(peer: Peer) -> None:
        peer.call()
        for_them = []
        for each in range(number):
            ours, theirs = socket.socketpair()
            ours.sendall(str(each).encode())
            ours.close()
            for_them.append(theirs)
        peer.send_with({"parameters": REPLY | {"socketFileDescriptor": index}}, for_them)
        for theirs in for_them:
            theirs.close()
        peer.call()

    return serve


def echo(peer: Peer) -> None:
    """A service whose connection becomes a stream that says everything again."""
    peer.call()
    peer.send({"parameters": REPLY | {"address": "198.51.100.10"}})
    peer.echo()


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


class Sockets(unittest.TestCase):
    def test_it_waits_and_is_closed_for_programs_that_are_started(self) -> None:
        with Served(given()) as service, Connection(service.path) as connection:
            with connection.bearer.open_socket(host="a.example", port=1, timeout=PATIENCE) as taken:
                self.assertIsNone(taken.gettimeout())
                self.assertFalse(taken.get_inheritable())
                self.assertEqual((taken.family, taken.recv(9)), (socket.AF_UNIX, b"0"))

    def test_nothing_stays_open_whatever_came(self) -> None:
        def no_socket(peer: Peer) -> None:
            peer.call()
            with open("/dev/null", "rb") as file:
                peer.send_with({"parameters": REPLY | {"socketFileDescriptor": 0}}, [file])
            peer.call()

        services = [given(3, 1), given(2, 2), given(1, -1), given(0, 0), no_socket]
        for serve in services:
            with Served(serve) as service, Connection(service.path) as connection:
                # The service is this process too: its ends are closed once it has seen ours closed.
                before = open_files()
                for _ in range(20):
                    try:
                        connection.bearer.open_socket(timeout=PATIENCE).close()
                    except BadReply:
                        pass
                service.join()
                self.assertLessEqual(open_files(), before)

    def test_each_call_has_a_connection_of_its_own(self) -> None:
        with Served(given()) as service, Connection(service.path) as connection:
            taken = [connection.bearer.open_socket() for _ in range(3)]
            self.assertEqual(service.connections, 3)
        # They are the program's: the client's end leaves them alone.
        for each in taken:
            with each:
                self.assertEqual(each.recv(9), b"0")

    def test_closing_the_connection_ends_a_call_that_waits(self) -> None:
        called = threading.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            called.set()
            peer.call()

        with Served(serve) as service, Connection(service.path) as connection:

            def close() -> None:
                called.wait(PATIENCE)
                connection.close()

            threading.Thread(target=close).start()
            with self.assertRaises(Disconnected):
                connection.bearer.open_socket(timeout=PATIENCE)

    def test_a_limit_of_time_holds(self) -> None:
        with Served(lambda peer: void(peer.call(), peer.call())) as service:
            with Connection(service.path) as connection, self.assertRaises(CallTimeout):
                connection.bearer.open_socket(timeout=0.1)
            with Connection(service.path) as connection, self.assertRaises(CallTimeout):
                connection.bearer.open_stream("a.example", 1, timeout=0.1)


class Streams(unittest.TestCase):
    def test_it_carries_what_is_sent_and_lives_on_after_the_client(self) -> None:
        with Served(echo) as service:
            with Connection(service.path) as connection:
                reply, stream = connection.bearer.open_stream_with_reply("a.example", 1)
            with stream:
                self.assertEqual(reply.address, "198.51.100.10")
                self.assertIsNone(stream.gettimeout())
                stream.sendall(b"one\0two")
                stream.shutdown(socket.SHUT_WR)
                received = b""
                while data := stream.recv(100):
                    received += data
                self.assertEqual(received, b"one\0two")


class Tasks(unittest.IsolatedAsyncioTestCase):
    async def test_a_socket_is_ready_for_a_loop(self) -> None:
        with Served(given()) as service:
            async with AsyncConnection(service.path) as connection:
                taken = await connection.bearer.open_socket()
                self.assertEqual(taken.gettimeout(), 0)
                with taken:
                    self.assertEqual(await asyncio.get_running_loop().sock_recv(taken, 9), b"0")

    async def test_a_stream_is_a_reader_and_a_writer(self) -> None:
        with Served(echo) as service:
            async with AsyncConnection(service.path) as connection:
                reader, writer = await connection.bearer.open_stream("a.example", 1)
            sent = bytes(range(256)) * 8000
            writer.write(sent)
            writer.write_eof()
            self.assertEqual(await reader.read(), sent)
            writer.close()
            await writer.wait_closed()

    async def test_cancelling_closes_the_connection(self) -> None:
        for is_stream in (False, True):
            called, ended = threading.Event(), threading.Event()

            def serve(peer: Peer) -> None:
                peer.call()
                called.set()
                if peer.call() is None:
                    ended.set()

            with Served(serve) as service:
                async with AsyncConnection(service.path) as connection:
                    bearer = connection.bearer
                    call = asyncio.ensure_future(
                        bearer.open_stream_with_reply("a.example", 1)
                        if is_stream
                        else bearer.open_socket_with_reply()
                    )
                    await asyncio.to_thread(called.wait, PATIENCE)
                    call.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await call
                    self.assertTrue(await asyncio.to_thread(ended.wait, PATIENCE))


def void(*_: object) -> None:
    """Makes a statement of expressions."""
