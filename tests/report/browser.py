"""A headless Chromium that a test drives by the DevTools protocol, over a pair of pipes: no port, no library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NONE = "Chromium is not installed (Debian: apt-get install chromium)"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
WAIT_SECONDS = 120  # for an answer, on a machine that has much else to do


def program():
    """The browser's path, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class BrowserError(Exception):
    pass


class Browser:
    """One process. Pages are opened one after the other; what they log and what their policy forbids is kept."""

    def __init__(self, downloads=None):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, our_end = os.pipe()
        their_end, from_browser = os.pipe()
        # The protocol is spoken over the descriptors 3 and 4.
        command = [
            program(),
            "--headless=new",
            # Its sandbox takes rights that neither root nor a container has; the pages are the tests' own.
            "--no-sandbox",
            "--remote-debugging-pipe",
            "--no-first-run",
            "--disable-gpu",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            "--user-data-dir=" + self.profile.name,
            "about:blank",
        ]
        shell = ["/bin/sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (to_browser, from_browser), "sh", *command]
        self.process = subprocess.Popen(
            shell,
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.write_end, self.read_end = our_end, their_end
        self.held = b""
        self.number = 0
        self.events = []
        self.session = None
        self.logged = []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        if downloads is not None:
            self.call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": downloads}, whole=True)

    def close(self):
        try:
            self.call("Browser.close", whole=True)
            self.process.wait(20)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def processor_seconds(self):
        """What all its processes worked so far, with those that have ended."""
        children = {}
        used = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            children.setdefault(int(fields[1]), []).append(int(name))
            used[int(name)] = sum(map(int, fields[11:15]))
        ticks = 0
        waiting = [self.process.pid]
        for pid in waiting:
            ticks += used.get(pid, 0)
            waiting += children.get(pid, [])
        return ticks / os.sysconf("SC_CLK_TCK")

    def receive(self, deadline):
        while b"\0" not in self.held:
            if not select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))[0]:
                raise BrowserError("the browser does not answer")
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise BrowserError("the browser has ended")
            self.held += piece
        message, self.held = self.held.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, parameters=None, whole=False, seconds=WAIT_SECONDS):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if self.session is not None and not whole:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data) :]
        deadline = time.monotonic() + seconds
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.note(answer)

    def note(self, event):
        """What a page logged, threw or was refused, and what it asked the network for."""
        kind, what = event.get("method"), event.get("params", {})
        if kind == "Log.entryAdded":
            self.logged.append("%s: %s" % (what["entry"]["level"], what["entry"]["text"]))
        elif kind == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.logged.append(
                "exception: %s %s" % (details["text"], details.get("exception", {}).get("description", ""))
            )
        elif kind == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            self.logged.append("console: %s" % [each.get("value") for each in what["args"]])
        elif kind == "Network.requestWillBeSent" and not what["request"]["url"].startswith(
            ("file:", "data:", "blob:", "about:")
        ):
            self.logged.append("request: " + what["request"]["url"])
        elif kind == "Page.javascriptDialogOpening":
            self.logged.append("dialog: " + what["message"])

    def evaluate(self, expression):
        """The value of an expression, or of its promise."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True})
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(
                "%s: %s" % (expression, details.get("exception", {}).get("description", details["text"]))
            )
        return answer["result"].get("value")

    def open(self, path, address=""):
        """Another page, even where only the address behind the # differs."""
        self.call("Page.navigate", {"url": "about:blank"})
        self.call("Page.navigate", {"url": "file://" + os.path.abspath(path) + address})

    def until(self, expression, seconds=WAIT_SECONDS):
        """Waits until it is true, and gives its value."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.evaluate(expression)
                if value:
                    return value
            except BrowserError as failure:
                if "context" not in str(failure) and "Cannot read" not in str(failure):
                    raise
            if time.monotonic() > deadline:
                raise BrowserError("never came true: " + expression)
            time.sleep(0.02)

    KEYS = {"Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "Tab": ("Tab", 9, "")}

    def press(self, *keys):
        for key in keys:
            name, code, text = self.KEYS.get(key, (key, ord(key.upper()[0]), key))
            pressed = {"type": "keyDown", "key": name, "windowsVirtualKeyCode": code}
            if text:
                pressed["text"] = text
            self.call("Input.dispatchKeyEvent", pressed)
            self.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": name, "windowsVirtualKeyCode": code})

    def size(self, width, height=900):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def dark(self, dark=True):
        self.call(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]},
        )

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"]))
