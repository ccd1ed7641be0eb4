"""Runs callcheck watch on a terminal, feeds it entries, and shows what becomes of the screen."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

OPENS, CLOSES = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"


def entry(number):
    return json.dumps(
        {
            "insertId": f"id-{number}",
            "jsonPayload": {
                "message": "Callable request verification passed", "verifications": {"app": "VALID", "auth": "VALID"}},
            "labels": {"firebase-log-type": "callable-request-verification"},
            "logName": "projects/demo/logs/cloudfunctions.googleapis.com%2Fcloud-functions",
            "resource": {
                "labels": {"function_name": "addMessage", "project_id": "demo", "region": "us-central1"},
                "type": "cloud_function"},
            "severity": "DEBUG",
            "timestamp": f"2026-10-14T12:00:0{number}Z",
        }, indent=2)


class Terminal:
    def __init__(self, *arguments):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        environment = dict(os.environ, TERM="xterm", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(
            ["callcheck", "watch", "--color", "never", *arguments], stdin=subprocess.PIPE, stdout=slave, stderr=slave, env=environment,
            start_new_session=True)
        os.close(slave)
        self.shown = b""

    def write(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def read(self, seconds):
        """Reads what comes; False at the end."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            part = os.read(self.master, 65536)
        except OSError:
            part = b""
        self.shown += part
        return bool(part)

    def wait(self, text):
        """True once the terminal has shown a text since the last time."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if text in self.shown:
                self.shown = self.shown.split(text, 1)[1]
                return True
            if not self.read(0.1):
                break
        return False

    def end(self):
        while self.read(20):
            pass
        return self.process.wait()


def requests(count):
    return f"UTC · {count} request".encode()


screen = Terminal()
print("takes the screen:", screen.wait(OPENS))
screen.write("[\n  " + entry(1))
print("the last entry shows at once:", screen.wait(requests(1)))
screen.write(",\n  " + entry(2)[:40])
time.sleep(1.5)
screen.write(entry(2)[40:] + ",\n  " + entry(1))
print("and the next one, copies apart:", screen.wait(requests(2)))
print("is still there:", screen.process.poll() is None)
screen.process.stdin.close()
print("gives the screen back:", screen.wait(CLOSES), "and leaves the table:", screen.wait(requests(2)))
print("status", screen.end())

for number in (signal.SIGINT, signal.SIGTERM):
    screen = Terminal()
    screen.write("[\n  " + entry(1))
    print("shows:", screen.wait(requests(1)))
    screen.process.send_signal(number)
    print("gives the screen back:", screen.wait(CLOSES), "and leaves the table:", screen.wait(requests(1)))
    print("status", screen.end() % 256)

screen = Terminal("--set", "clear=false", "--brief")
screen.write(entry(1))
print("one below the other:", screen.wait(b"0 of 1 function"))
screen.process.stdin.close()
status = screen.end()
print("the screen is left alone:", re.search(rb"\x1b\[\?", screen.shown) is None, "status", status)
