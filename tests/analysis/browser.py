"""A headless Chromium, driven over pipes by its DevTools protocol: no driver and no network needed."""

import json
import os
import pathlib
import shutil
import subprocess
import time


def find_browser():
    """Return the path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


class BrowserError(RuntimeError):
    """The browser, or a script in its page, failed; the message says how."""


class Browser:
    """One page in a browser of its own; `errors` collects what its console and its scripts complain of."""

    def __init__(self, folder, width=1440, height=900, webgl=False):
        commands_out, commands_in = os.pipe()
        events_out, events_in = os.pipe()

        def place_pipes():
            # The protocol's place: 3 to read, 4 to write. Both copies first: one may stand where the other goes.
            first, second = os.dup(commands_out), os.dup(events_in)
            os.dup2(first, 3)
            os.dup2(second, 4)

        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run",
                 "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                 *(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if webgl else ["--disable-gpu"]), "about:blank"]
        self._process = subprocess.Popen([find_browser(), *flags], preexec_fn=place_pipes, close_fds=False,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands_out)
        os.close(events_in)
        self._commands, self._events = os.fdopen(commands_in, "wb"), os.fdopen(events_out, "rb", buffering=0)
        self._buffer, self._number, self._session = b"", 0, None
        self.errors, self.requests = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        self._commands.close()
        self._events.close()

    def call(self, method, **parameters):
        """Send a command of the protocol and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer)

    def _read(self):
        while b"\0" not in self._buffer:
            block = os.read(self._events.fileno(), 1 << 20)
            if not block:
                raise BrowserError("the browser has ended")
            self._buffer += block
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event):
        parameters = event.get("params", {})
        if event["method"] == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(value.get("value", value.get("description"))) for value in parameters["args"]))
        elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif event["method"] == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, path, seconds=120):
        """Load a page of ours and wait until it says that it is ready."""
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        end = time.monotonic() + seconds
        while not self.run("document.documentElement?.dataset.ready === 'yes'"):
            if self.errors or time.monotonic() > end:
                raise BrowserError(f"not ready: {self.errors}")
            time.sleep(0.05)

    def run(self, script):
        """Evaluate an expression in the page and return its value."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def drag(self, start, end):
        """Press the mouse at a place of the window, move it and let go."""
        for kind, (x, y), buttons in (("mousePressed", start, 1), ("mouseMoved", end, 1), ("mouseReleased", end, 0)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1)
