"""Chromium, driven by its DevTools protocol over two pipes: no port that others could reach.

Messages are JSON, each ended by a NUL: the browser reads file descriptor 3 and writes 4
(--remote-debugging-pipe). https://chromedevtools.github.io/devtools-protocol
"""

import base64
import json
import os
import select
import time

from process import Failure, start


class Chromium:
    program = "/usr/bin/chromium"

    def __init__(self, folder, limit):
        flags = [
            "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={folder}/profile",
            "--no-first-run", "--no-default-browser-check", "--disable-gpu",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--disable-breakpad",
            "--password-store=basic", "--window-size=1000,900", "--lang=en-GB", "about:blank",
        ]  # fmt: skip
        reading, self.to = os.pipe()
        self.source, writing = os.pipe()
        self.process = start([self.program] + flags, folder, {3: reading, 4: writing})
        os.close(reading), os.close(writing)
        self.bytes, self.count, self.session = b"", 0, None
        pages = self.call("Target.getTargets", {}, limit)["targetInfos"]
        page = next(target for target in pages if target["type"] == "page")
        self.attach(page["targetId"], limit)

    def attach(self, target, limit):
        self.session = None
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True}, limit)["sessionId"]
        for name in ["Page.enable", "Runtime.enable", "Accessibility.enable"]:
            self.call(name, {}, limit)
        self.resize(1, limit)

    def call(self, method, parameters, limit):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data) :]
        while True:
            answer = self.next(limit)
            # An answer to a call that was given up comes late.
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def next(self, limit):
        while b"\0" not in self.bytes:
            if not select.select([self.source], [], [], limit.left("Chromium's answer"))[0]:
                continue
            more = os.read(self.source, 1 << 20)
            if not more:
                raise Failure("Chromium has ended")
            self.bytes += more
        message, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(message)

    # --- what a test asks for

    def open(self, url, limit):
        answer = self.call("Page.navigate", {"url": url}, limit)
        # Chromium gives loads up when a link of the machine comes up meanwhile, as the world's do.
        while answer.get("errorText") == "net::ERR_NETWORK_CHANGED":
            limit.left("a load of the page")
            answer = self.call("Page.navigate", {"url": url}, limit)
        if answer.get("errorText"):
            return answer["errorText"]
        while self.read("document.readyState", limit) not in ("interactive", "complete"):
            time.sleep(0.02)
        return None

    def read(self, expression, limit):
        parameters = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        try:
            answer = self.call("Runtime.evaluate", parameters, limit)
        except Failure as failure:
            # Another page is on its way.
            if any(word in str(failure) for word in ["context", "navigated"]):
                return None
            raise
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def click(self, selector, limit):
        place = f"document.querySelector({json.dumps(selector)})"
        found = self.read(
            f"(e => e && (e.scrollIntoView({{block: 'center', behavior: 'instant'}}),"
            f" (b => [b.x + b.width / 2, b.y + b.height / 2])(e.getBoundingClientRect())))({place})",
            limit,
        )
        if not found:
            raise Failure(f"the page has no {selector}")
        event = {"x": found[0], "y": found[1], "button": "left", "clickCount": 1}
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", {"type": kind, **event}, limit)

    def type(self, text, limit):
        self.call("Input.insertText", {"text": text}, limit)

    KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Space": (32, " "), "Escape": (27, "")}

    def key(self, name, limit):
        code, text = self.KEYS[name]
        event = {"key": " " if name == "Space" else name, "code": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown" if text else "rawKeyDown", "text": text, **event}, limit)
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event}, limit)

    def resize(self, zoom, limit):
        # To a page, zoom is a narrower window with more pixels to each of its own.
        size = {"width": int(1000 / zoom), "height": int(900 / zoom), "deviceScaleFactor": zoom, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", size, limit)

    def named(self, selector, limit):
        """Role and name of an element, as a screen reader gets them."""
        node = self.call(
            "Runtime.evaluate", {"expression": f"document.querySelector({json.dumps(selector)})"}, limit
        )["result"]
        if "objectId" not in node:
            raise Failure(f"the page has no {selector}")
        tree = {"objectId": node["objectId"], "fetchRelatives": False}
        nodes = self.call("Accessibility.getPartialAXTree", tree, limit)["nodes"]
        return [nodes[0].get(key, {}).get("value", "") for key in ["role", "name"]]

    def screenshot(self, limit):
        parameters = {"format": "png", "captureBeyondViewport": True}
        return base64.b64decode(self.call("Page.captureScreenshot", parameters, limit)["data"])

    def quit(self, limit):
        self.session = None
        try:
            self.call("Browser.close", {}, limit)
        except Failure:
            pass
