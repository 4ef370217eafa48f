"""Firefox, driven by Marionette: JSON with its length before it, over TCP on loopback.

https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import base64
import json
import os
import socket
import time

from process import Failure, start

PREFERENCES = {
    "marionette.port": 0,  # any; the browser writes which one into its profile
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.region.network.url": "",
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "intl.accept_languages": "en-GB, en",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,none",
    "toolkit.telemetry.enabled": False,
}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name of a reference to an element


class Firefox:
    program = "/usr/bin/firefox-esr"

    def __init__(self, folder, limit):
        os.makedirs(f"{folder}/profile", exist_ok=True)
        with open(f"{folder}/profile/user.js", "w") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        flags = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", f"{folder}/profile"]
        self.process = start([self.program] + flags, folder)
        self.bytes, self.count = b"", 0
        self.socket = self.connect(f"{folder}/profile/MarionetteActivePort", limit)
        self.next(limit)  # its greeting
        # A page is there when it is read: what it loads may wait for a person's permission.
        wanted = {"unhandledPromptBehavior": "dismiss", "pageLoadStrategy": "eager"}
        self.call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": wanted}}, limit)
        self.call("WebDriver:SetWindowRect", {"width": 1000, "height": 985}, limit)

    def connect(self, note, limit):
        while True:
            limit.left("Firefox's start")
            if self.process.poll() is not None:
                raise Failure(f"Firefox has ended with {self.process.returncode}")
            try:
                with open(note) as file:
                    return socket.create_connection(("127.0.0.1", int(file.read())))
            except (OSError, ValueError):
                time.sleep(0.02)

    def call(self, method, parameters, limit):
        self.count += 1
        data = json.dumps([0, self.count, method, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        while True:
            kind, number, error, result = self.next(limit)
            if (kind, number) == (1, self.count):
                if error:
                    raise Failure(f"{method}: {error['error']}: {error['message']}")
                return result

    def next(self, limit):
        while True:
            head, colon, rest = self.bytes.partition(b":")
            if colon and len(rest) >= int(head):
                message, self.bytes = rest[: int(head)], rest[int(head) :]
                return json.loads(message)
            self.socket.settimeout(limit.left("Firefox's answer"))
            try:
                more = self.socket.recv(1 << 20)
            except TimeoutError:
                continue
            if not more:
                raise Failure("Firefox has ended")
            self.bytes += more

    # --- what a test asks for

    def open(self, url, limit):
        try:
            self.call("WebDriver:Navigate", {"url": url}, limit)
        except Failure as failure:
            return str(failure)
        return None

    def read(self, expression, limit):
        try:
            script = {"script": f"return ({expression})", "args": []}
            return self.call("WebDriver:ExecuteScript", script, limit)["value"]
        except Failure as failure:
            # Another page is on its way.
            if any(word in str(failure) for word in ["navigat", "unloaded", "no such window", "destroyed"]):
                return None
            raise

    def element(self, selector, limit):
        return self.call("WebDriver:FindElement", {"using": "css selector", "value": selector}, limit)["value"][ELEMENT]

    def click(self, selector, limit):
        self.call("WebDriver:ElementClick", {"id": self.element(selector, limit)}, limit)

    def press(self, keys, limit):
        actions = [{"type": kind, "value": key} for key in keys for kind in ["keyDown", "keyUp"]]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self.call("WebDriver:PerformActions", {"actions": [source]}, limit)

    def type(self, text, limit):
        self.press(text, limit)

    def key(self, name, limit):
        self.press([{"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Escape": "\ue00c"}[name]], limit)

    def resize(self, zoom, limit):
        self.call("Marionette:SetContext", {"value": "chrome"}, limit)
        try:
            script = {"script": "gBrowser.selectedBrowser.fullZoom = arguments[0]", "args": [zoom]}
            self.call("WebDriver:ExecuteScript", script, limit)
        finally:
            self.call("Marionette:SetContext", {"value": "content"}, limit)

    def named(self, selector, limit):
        """Role and name of an element, as a screen reader gets them."""
        element = {"id": self.element(selector, limit)}
        calls = ["WebDriver:GetComputedRole", "WebDriver:GetComputedLabel"]
        return [self.call(call, element, limit)["value"] for call in calls]

    def screenshot(self, limit):
        return base64.b64decode(self.call("WebDriver:TakeScreenshot", {"full": True, "hash": False}, limit)["value"])

    def quit(self, limit):
        try:
            self.call("Marionette:Quit", {"flags": ["eForceQuit"]}, limit)
        except Failure:
            pass
