"""A connection of MQTT 5 that comes back by itself, with paho-mqtt 1.6 (Debian 12) or 2.x (PyPI).

Everything happens on the thread that calls `Link.run`: callbacks, timers and messages. Nothing needs a lock.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import ssl
import sys
import time
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

# An object of JSON. Nobody may send more than the agents do.
Body = dict[str, Any]
MOST_BYTES = 16 << 10


def log(text: str) -> None:
    """To stderr, where systemd puts it into the journal. No number is ever logged."""
    print(text, file=sys.stderr, flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How a broker is reached, and as whom."""
    parser.add_argument("--broker", metavar="HOST[:PORT]", required=True, help="the office's side of the broker")
    parser.add_argument("--name", required=True, help="client id; the common name of the certificate")
    parser.add_argument("--authorities", metavar="FILE", help="PEM file of the authorities of the broker")
    parser.add_argument("--certificate", metavar="FILE", help="PEM file")
    parser.add_argument("--key", metavar="FILE", help="PEM file")
    parser.add_argument("--plain", action="store_true", help="without TLS: for tests on loopback")


def is_name(text: str) -> bool:
    """Whether a level of a topic is a name: no wildcard, no separator, 1 to 64 characters."""
    return 1 <= len(text) <= 64 and all(c.isascii() and (c.isalnum() or c in "-_.") for c in text)


class Message:
    """What came in: its body, and the properties that a conversation needs."""

    def __init__(self, message: Any) -> None:
        properties = message.properties
        self.topic: str = message.topic
        self.levels: list[str] = message.topic.split("/")
        self.payload: bytes = message.payload
        self.qos: int = message.qos
        self.id: int = message.mid
        self.is_retained: bool = message.retain
        self.correlation: bytes = getattr(properties, "CorrelationData", b"")
        self.response_topic: str | None = getattr(properties, "ResponseTopic", None)
        # Seconds that are left, by the broker's count.
        self.expiry: int | None = getattr(properties, "MessageExpiryInterval", None)

    def body(self) -> Body | None:
        """The JSON object; None if it is none, or too large."""
        if len(self.payload) > MOST_BYTES:
            return None
        try:
            value = json.loads(self.payload)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None


class Link:
    """The connection of one client.

    `on_up` is called after each connect: subscriptions are made there. `on_message` gets each message, and must call
    `settle` with it when it need not come again. `on_granted` gets the topics of a subscription that is in place.
    """

    def __init__(
        self,
        arguments: argparse.Namespace,
        *,
        session_seconds: int,
        on_up: Callable[[], None],
        on_message: Callable[[Message], None],
        on_granted: Callable[[list[str]], None] = lambda topics: None,
    ) -> None:
        host, separator, port = arguments.broker.rpartition(":")
        self.host = (host if separator else arguments.broker).strip("[]")
        self.port = int(port) if separator else (1883 if arguments.plain else 8884)
        self.session_seconds = session_seconds
        self.on_up, self.on_message, self.on_granted = on_up, on_message, on_granted
        self.is_up = False
        # Why there is no connection.
        self.failure: str | None = None
        self._told: str | None = None
        self._subscriptions: dict[int, list[str]] = {}
        self._client = self._make(arguments)

    def _make(self, arguments: argparse.Namespace) -> Any:
        options: dict[str, Any] = {"client_id": arguments.name, "protocol": mqtt.MQTTv5}
        # paho 2 can leave the acknowledgement to us, so that what we have not settled comes again after a crash.
        # paho 1.6 acknowledges when the callback returns.
        self._settles = hasattr(mqtt, "CallbackAPIVersion")
        if self._settles:
            options |= {"callback_api_version": getattr(mqtt, "CallbackAPIVersion").VERSION2, "manual_ack": True}
        client = mqtt.Client(**options)
        if not arguments.plain:
            context = ssl.create_default_context(cafile=arguments.authorities)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            if arguments.certificate:
                context.load_cert_chain(arguments.certificate, arguments.key)
            client.tls_set_context(context)
        client.on_connect = self._connected
        client.on_subscribe = self._subscribed
        client.on_message = self._received
        client.on_socket_open = self._opened
        client.max_inflight_messages_set(1000)
        client.max_queued_messages_set(10_000)
        return client

    # --- what paho calls; the number of arguments differs by its version ----------------------------------------------

    @staticmethod
    def _opened(client: Any, data: Any, connection: Any) -> None:
        # Small messages must not wait for the acknowledgement of the last one.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, *rest: Any) -> None:
        if reason.value >= 128:
            self.failure = f"the broker refuses {self.host}: {reason}"
            return
        self.is_up, self._told = True, None
        self.on_up()

    def _subscribed(self, client: Any, data: Any, message_id: int, reasons: Any, *rest: Any) -> None:
        topics = self._subscriptions.pop(message_id, [])
        for topic, reason in zip(topics, reasons):
            if reason.value >= 128:
                log(f"the broker refuses the subscription of {topic}: {reason}")
        self.on_granted(topics)

    def _received(self, client: Any, data: Any, message: Any) -> None:
        try:
            read = Message(message)
        except UnicodeDecodeError:
            return
        self.on_message(read)

    # --- what programs call -------------------------------------------------------------------------------------------

    def subscribe(self, topics: list[str], qos: int) -> None:
        _, message_id = self._client.subscribe([(topic, SubscribeOptions(qos=qos)) for topic in topics])
        if message_id is not None:
            self._subscriptions[message_id] = topics

    def publish(
        self,
        topic: str,
        body: Body,
        *,
        qos: int,
        expiry: int,
        correlation: bytes,
        response_topic: str | None = None,
    ) -> None:
        """Nothing is kept for later: without a connection, the message is lost."""
        if not self.is_up:
            return
        properties = Properties(PacketTypes.PUBLISH)
        properties.ContentType = "application/json"
        properties.PayloadFormatIndicator = 1
        properties.MessageExpiryInterval = max(1, expiry)
        properties.CorrelationData = correlation
        if response_topic is not None:
            properties.ResponseTopic = response_topic
        payload = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        self._client.publish(topic, payload, qos=qos, properties=properties)

    def settle(self, message: Message) -> None:
        """Acknowledges a message, which does not come again."""
        if self._settles and message.qos > 0:
            self._client.ack(message.id, message.qos)

    def run(self, tick: Callable[[], bool]) -> None:
        """Until `tick`, which is called some times a second, returns False.

        Lost connections come back after a random wait of up to 1 s, 2 s, 4 s and so on to 1 minute.
        """
        attempt = 0
        next_attempt = 0.0
        while tick():
            if self._client.socket() is not None:
                if self._client.loop(0.1) == mqtt.MQTT_ERR_SUCCESS:
                    if self.is_up:
                        attempt = 0
                    continue
                self._lost("the connection was lost")
            elif time.monotonic() < next_attempt:
                time.sleep(0.05)
                continue
            else:
                try:
                    self._connect()
                    continue
                except OSError as error:  # Among them ssl.SSLError: a wrong authority, or a clock that is not set.
                    self._lost(f"{self.host}:{self.port}: {error}")
            next_attempt = time.monotonic() + random.uniform(0, min(60, 2**attempt))
            attempt = min(attempt + 1, 6)

    def close(self) -> None:
        """Ends the connection in order: a session is kept, if it has seconds left."""
        self._client.disconnect()
        for _ in range(20):
            if self._client.socket() is None or self._client.loop(0.05) != mqtt.MQTT_ERR_SUCCESS:
                return

    def _connect(self) -> None:
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = self.session_seconds
        self._subscriptions.clear()
        self.failure = None
        self._client.connect(
            self.host, self.port, keepalive=15, clean_start=self.session_seconds == 0, properties=properties
        )

    def _lost(self, reason: str) -> None:
        self.is_up, self.failure = False, self.failure or reason
        if self.failure != self._told:
            log(self.failure)
            self._told = self.failure


def read_key(path: str) -> bytes:
    """The fleet's key as modemd-fleet reads it: all bytes of the file, without white space at its end."""
    with open(path, "rb") as file:
        key = file.read(4097).rstrip(b" \t\r\n")
        if os.fstat(file.fileno()).st_mode & 0o077:
            raise SystemExit(f"{path}: other users may read it; chmod 600")
    if not 16 <= len(key) <= 4096:
        raise SystemExit(f"{path}: expected 16 to 4096 bytes; make a key with: openssl rand -hex 32")
    return key
