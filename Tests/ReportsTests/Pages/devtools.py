"""Drives a headless Chromium over its DevTools pipe, with nothing but Python's standard library.

The browser reads commands from its file descriptor 3 and writes answers and events to 4, each a JSON text that ends
with a zero byte (https://chromedevtools.github.io/devtools-protocol/).
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """A browser with one tab; `with Browser(program) as browser`."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="callcheck-browser-")
        command_read, self.commands = os.pipe()
        self.answers, answer_write = os.pipe()
        # The shell puts the pipes where the browser looks for them.
        arguments = [
            "sh", "-c", f'exec "$@" 3<&{command_read} 4>&{answer_write}', "sh", program, "--headless=new",
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
            f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank",
        ]
        self.process = subprocess.Popen(
            arguments, pass_fds=(command_read, answer_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.last = 0
        self.buffer = b""
        self.events = []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Gives a command and waits for its answer; events that come in between are kept in `events`."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.commands, text):]
        while True:
            answer = self.read()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self, limit=60):
        """The next answer or event."""
        end = time.monotonic() + limit
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser has gone")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def open(self, path, width, height, scheme, phone=False, script=True):
        """Opens a file at a size, in `light` or `dark`, and waits until it is loaded and drawn."""
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.load(path, script)

    def load(self, path, script=True):
        """Opens a file, with what follows it in an address, and waits until it is loaded and drawn."""
        self.events = []
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.read())
        if script:
            self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def run(self, expression):
        """The value of an expression of JavaScript in the page."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def screenshot(self, path, full=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"]))
