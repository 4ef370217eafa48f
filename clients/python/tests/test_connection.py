"""The connection: what calls share, what they do not, and what becomes of them."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import unittest
from unittest import mock

import modemd
from modemd import AsyncConnection, CallTimeout, Connection, Disconnected, modem, verify

from .served import PATIENCE, Peer, Served, outcome, step

NUMBER = "+447700900123"


def list_modems(peer: Peer) -> None:
    """Answers every call with no modems."""
    while peer.call() is not None:
        peer.reply({"modems": []})


class Sharing(unittest.TestCase):
    def test_calls_one_after_the_other_share_a_connection(self) -> None:
        with Served(list_modems) as service, Connection(service.path) as connection:
            for _ in range(5):
                self.assertEqual(connection.modem.list().modems, ())
            self.assertEqual(service.connections, 1)

    def test_a_connection_that_the_service_closed_meanwhile_is_not_used(self) -> None:
        closed = threading.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            peer.reply({"modems": []})
            peer.close()
            closed.set()

        with Served(serve) as service, Connection(service.path) as connection:
            for count in (1, 2, 3):
                connection.modem.list()
                self.assertTrue(closed.wait(PATIENCE))
                closed.clear()
                self.assertEqual(service.connections, count)

    def test_threads_do_not_wait_for_each_other(self) -> None:
        both = threading.Barrier(2)

        def serve(peer: Peer) -> None:
            while peer.call() is not None:
                both.wait(PATIENCE)
                peer.reply({"modems": []})

        found: list[int] = []
        with Served(serve) as service, Connection(service.path) as connection:

            def call() -> None:
                found.append(len(connection.modem.list(timeout=PATIENCE).modems))

            threads = [threading.Thread(target=call) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(found, [0, 0])


class Ending(unittest.TestCase):
    def test_close_ends_the_calls_of_other_threads(self) -> None:
        called = threading.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            called.set()
            peer.call()

        found: list[BaseException] = []
        with Served(serve) as service:
            connection = Connection(service.path)

            def call() -> None:
                try:
                    connection.modem.list(timeout=PATIENCE)
                except modemd.ModemdError as error:
                    found.append(error)

            thread = threading.Thread(target=call)
            thread.start()
            self.assertTrue(called.wait(PATIENCE))
            connection.close()
            thread.join(PATIENCE)
            self.assertEqual([type(each) for each in found], [Disconnected])
            with self.assertRaises(ValueError):
                connection.modem.list()

    def test_leaving_a_loop_ends_the_flow(self) -> None:
        ended = threading.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            peer.reply({"event": "ready"}, continues=True)
            if peer.call() is None:
                ended.set()

        with Served(serve) as service, Connection(service.path) as connection:
            for reply in connection.verify.number_replies(NUMBER):
                self.assertEqual(reply.event, "ready")
                break
            self.assertTrue(ended.wait(PATIENCE))
            ended.clear()
            with self.assertRaises(ZeroDivisionError):
                connection.verify.number(NUMBER, on_reply=lambda reply: 1 / 0)
            self.assertTrue(ended.wait(PATIENCE))

    def test_a_loss_is_a_connection_error_and_a_limit_a_timeout_error(self) -> None:
        with Connection("/nowhere/at/all") as connection, self.assertRaises(ConnectionError) as caught:
            connection.modem.list()
        self.assertIn("/nowhere/at/all", str(caught.exception))

        def serve(peer: Peer) -> None:
            peer.call()
            peer.call()

        with Served(serve) as service:
            with Connection(service.path) as connection, self.assertRaises(TimeoutError) as late:
                connection.modem.list(timeout=0.2)
            self.assertIsInstance(late.exception, CallTimeout)

    def test_a_bad_limit_is_an_error_of_its_own(self) -> None:
        with Connection("/nowhere") as connection:
            for limit in (0, -1, float("nan")):
                with self.assertRaises(ValueError):
                    connection.modem.list(timeout=limit)

    def test_a_full_queue_is_waited_for(self) -> None:
        with Served(list_modems, queue=0) as service:
            with Connection(service.path) as connection:
                threads = [threading.Thread(target=connection.modem.list) for _ in range(12)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()

    def test_a_queue_that_stays_full_is_a_loss(self) -> None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind("\0modemd-client-test")
        listener.listen(0)
        waiting = []
        try:
            while True:
                one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                one.setblocking(False)
                waiting.append(one)
                try:
                    one.connect("\0modemd-client-test")
                except BlockingIOError:
                    break
            with Connection("\0modemd-client-test") as connection:
                with self.assertRaises(modemd.ModemdError) as caught:
                    connection.modem.list(timeout=0.3)
                self.assertIsInstance(caught.exception, (CallTimeout, Disconnected))
        finally:
            for each in [listener, *waiting]:
                each.close()


class Paths(unittest.TestCase):
    def test_the_environment_names_the_socket(self) -> None:
        with Served(list_modems) as service:
            with mock.patch.dict(os.environ, {"MODEMD_SOCKET": service.path}):
                with Connection() as connection:
                    self.assertEqual(connection.modem.list().modems, ())
        with mock.patch.dict(os.environ, {"MODEMD_SOCKET": ""}):
            with Connection() as connection:
                self.assertEqual(connection._caller._path, "/run/modemd/org.modemd")


class Progress(unittest.TestCase):
    def serve(self, peer: Peer) -> None:
        call = peer.call()
        if call is None:
            return
        self.call = call
        if call.get("more"):
            peer.reply({"event": "ready"}, continues=True)
            peer.reply(step(), continues=True)
        peer.reply(outcome(number="matches"))
        peer.call()

    def test_steps_are_told_as_they_come(self) -> None:
        steps: list[verify.Step] = []
        with Served(self.serve) as service, Connection(service.path) as connection:
            result = connection.verify.number(NUMBER, on_step=steps.append)
        self.assertEqual([each.name for each in steps], ["createCheck"])
        self.assertEqual(result.unwrap().outcome.number, verify.OutcomeNumber.MATCHES)

    def test_without_functions_nothing_but_the_outcome_is_asked_for(self) -> None:
        with Served(self.serve) as service, Connection(service.path) as connection:
            self.assertTrue(connection.verify.number(NUMBER, provider="p").outcome.succeeded)
        self.assertEqual(self.call["parameters"], {"number": NUMBER, "provider": "p"})
        self.assertNotIn("more", self.call)


class Tasks(unittest.IsolatedAsyncioTestCase):
    async def test_cancelling_a_task_ends_the_flow_and_no_other(self) -> None:
        ended = threading.Event()
        begun = threading.Barrier(3)

        def serve(peer: Peer) -> None:
            call = peer.call() or {}
            begun.wait(PATIENCE)
            if call["method"] == verify.NUMBER.name:
                if peer.call() is None:
                    ended.set()
            else:
                ended.wait(PATIENCE)
                peer.reply({"modems": []})

        with Served(serve) as service:
            async with AsyncConnection(service.path) as connection:
                flow = asyncio.create_task(connection.verify.number(NUMBER))
                other = asyncio.create_task(connection.modem.list())
                await asyncio.to_thread(begun.wait, PATIENCE)
                flow.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await flow
                self.assertEqual((await other).modems, ())
        self.assertTrue(ended.is_set())

    async def test_functions_may_be_awaited(self) -> None:
        given: list[str] = []
        answered = threading.Event()

        def serve(peer: Peer) -> None:
            call = peer.call() or {}
            if call["method"].endswith("GivePIN"):
                given.append(call["parameters"]["pin"])
                peer.reply({})
                answered.set()
                return
            question = {"what": "pin", "purpose": "shop", "seconds": 60}
            peer.reply({"event": "ready", "flow": "f"}, continues=True)
            peer.reply({"event": "question", "flow": "f", "question": question}, continues=True)
            answered.wait(PATIENCE)
            peer.reply(outcome("signedIn"))
            peer.call()

        async def pin(question: modemd.miracl.Question) -> str:
            await asyncio.sleep(0)
            return f"pin of {question.purpose}"

        with Served(serve) as service:
            async with AsyncConnection(service.path) as connection:
                result = await connection.miracl.login(user="ada", on_pin=pin)
        self.assertEqual((result.outcome.result, given), ("signedIn", ["pin of shop"]))

    async def test_a_question_is_taken_back_when_the_flow_ends(self) -> None:
        asked, taken_back = threading.Event(), asyncio.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            question = {"what": "pin", "seconds": 60}
            peer.reply({"event": "question", "flow": "f", "question": question}, continues=True)
            asked.wait(PATIENCE)
            peer.reply(step(), continues=True)
            peer.reply(outcome("expired"))
            peer.call()

        async def pin(_: modemd.miracl.Question) -> str:
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                taken_back.set()
            return "4711"

        with Served(serve) as service:
            async with AsyncConnection(service.path) as connection:
                result = await connection.miracl.login(user="ada", on_pin=pin, timeout=PATIENCE)
        self.assertEqual(result.outcome.result, "expired")
        self.assertTrue(taken_back.is_set())

    async def test_a_loss_ends_an_open_question(self) -> None:
        asked = threading.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            question = {"what": "pin", "seconds": 60}
            peer.reply({"event": "question", "flow": "f", "question": question}, continues=True)
            asked.wait(PATIENCE)
            peer.close()

        async def pin(_: modemd.miracl.Question) -> str:
            asked.set()
            await asyncio.Event().wait()
            return "4711"

        with Served(serve) as service:
            async with AsyncConnection(service.path) as connection:
                with self.assertRaises(Disconnected):
                    await connection.miracl.login(user="ada", on_pin=pin, timeout=PATIENCE)

    async def test_a_watch_that_is_left_is_closed(self) -> None:
        ended = threading.Event()

        def serve(peer: Peer) -> None:
            peer.call()
            peer.reply({"change": "ready"}, continues=True)
            if peer.call() is None:
                ended.set()

        with Served(serve) as service:
            async with AsyncConnection(service.path) as connection:
                async with connection.modem.watch() as changes:
                    async for change in changes:
                        self.assertEqual(change.change, modem.WatchReplyChange.READY)
                        break
                self.assertTrue(await asyncio.to_thread(ended.wait, PATIENCE))
