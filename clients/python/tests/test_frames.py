"""Messages: where they end, and which of them are replies."""

from __future__ import annotations

import unittest

from modemd import BadReply, ServiceError
from modemd._frames import LONGEST, Splitter, call_frame, read_reply


class Splitting(unittest.TestCase):
    def test_every_cut_of_two_messages_gives_both(self) -> None:
        whole = '{"a":"ü"}\0{"b":"📱"}\0'.encode()
        for first in range(len(whole) + 1):
            for second in range(first, len(whole) + 1):
                splitter, found = Splitter(), []
                for part in (whole[:first], whole[first:second], whole[second:]):
                    splitter.append(part)
                    while (frame := splitter.next()) is not None:
                        found.append(frame.decode())
                self.assertEqual(found, ['{"a":"ü"}', '{"b":"📱"}'])
                self.assertTrue(splitter.is_empty)

    def test_the_longest_message_passes_and_a_longer_one_does_not(self) -> None:
        splitter = Splitter()
        splitter.append(b"a" * LONGEST + b"\0")
        self.assertEqual(len(splitter.next() or b""), LONGEST)
        splitter.append(b"a" * LONGEST)
        self.assertIsNone(splitter.next())
        splitter.append(b"a")
        with self.assertRaises(BadReply):
            splitter.next()


class Reading(unittest.TestCase):
    def test_replies(self) -> None:
        self.assertEqual(read_reply(b"{}"), ({}, False))
        whole = read_reply(b'{"parameters":{"a":1},"continues":true,"later":[]}')
        self.assertEqual(whole, ({"a": 1}, True))
        self.assertFalse(read_reply(b'{"parameters":{},"continues":null,"error":null}').continues)

    def test_what_is_no_reply(self) -> None:
        deep = b'{"parameters":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
        for frame in [
            b"", b"nothing", b"[]", b"null", b'"a"', b"7", b'{"parameters":null}', b'{"parameters":[]}',
            b'{"parameters":{"a":NaN}}', b'{"parameters":{"a":-Infinity}}', b'{"error":5}',
            b'{"continues":"yes"}', b'{"parameters":{"a":"\xff"}}', b'{"parameters":{"a":"\\ud800"}}',
            b'{"parameters":{"a":' + b"9" * 5000 + b"}}", b"{} {}", b"\xef\xbb\xbf{}", deep,
        ]:  # fmt: skip
            with self.subTest(frame=frame[:30]), self.assertRaises(BadReply):
                read_reply(frame)

    def test_errors(self) -> None:
        for frame in [b'{"error":"a.B"}', b'{"error":"a.B","parameters":null,"continues":5}']:
            with self.assertRaises(ServiceError) as caught:
                read_reply(frame)
            self.assertEqual((caught.exception.name, caught.exception.parameters), ("a.B", {}))


class Writing(unittest.TestCase):
    def test_none_is_left_out(self) -> None:
        frame = call_frame("a.B", {"x": None, "y": "ü", "z": ("a",)}, more=False)
        self.assertEqual(frame, '{"method":"a.B","parameters":{"y":"ü","z":["a"]}}\0'.encode())

    def test_what_json_cannot_hold_is_refused_without_the_value(self) -> None:
        for value in [float("nan"), object(), b"4711", "\ud800"]:
            with self.assertRaises(ValueError) as caught:
                call_frame("a.B", {"pin": value}, more=True)
            self.assertEqual(str(caught.exception), "a parameter of a.B is nothing that JSON can hold")
            self.assertIsNone(caught.exception.__cause__)
