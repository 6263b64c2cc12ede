"""A real server in a process of its own."""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from http.cookiejar import CookieJar


class Server:
    """`justesse serve` on a port that stays the same when it is started again."""

    def __init__(self, folder, state, port=0):
        self.folder, self.state, self.port = folder, state, port
        self.process = None
        self.start()

    def start(self):
        command = [
            sys.executable,
            "-m",
            "justesse",
            "serve",
            str(self.folder),
            "--no-browser",
            "--port",
            str(self.port),
        ]
        environment = {**os.environ, "XDG_STATE_HOME": str(self.state)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self.line = self.process.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/enter\?token=\S+\n", self.line), self.process.stderr.read()
        self.address = self.line.strip()
        self.root = self.address.partition("/enter")[0]
        self.port = int(self.root.rpartition(":")[2])

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        code = self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def person(self):
        """Log in by a one-time token; return a function that sends requests."""
        return Visitor(self)

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)


class Visitor:
    """A person with a cookie, for requests that need no browser."""

    def __init__(self, server, link=None):
        """Log in as owner, or with the link of an invitation."""
        jar = CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        page, _, token = (link or server.address).partition("?")
        with opener.open(page, token.encode()) if link else opener.open(server.address) as answer:
            answer.read()
        self.cookie = "; ".join(f"{each.name}={each.value}" for each in jar)
        with opener.open(f"{server.root}/") as answer:
            self.csrf = re.search(r'name="csrf" content="([^"]*)"', answer.read().decode())[1]
        self.headers = {"cookie": self.cookie, "x-csrf-token": self.csrf, "content-type": "application/json"}


LAUNCHER = """
import os, signal, sys
from pathlib import Path
import justesse.web.serve as web
import justesse.verbs.audit.status
from justesse.web.people import Users
from justesse.web.shelf import Directory
folder, port = Path(sys.argv[1]), int(sys.argv[2])
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in sys.stdin:
    child = os.fork()
    if not child:
        web.serve(Directory(folder), people=Users(owner="olga"), port=port, browser=False,
                  ready=lambda address: print(os.getpid(), address, flush=True))
        os._exit(0)
"""


class QuickServer(Server):
    """A server that starts in no time: a process with everything loaded makes a copy of itself."""

    def __init__(self, folder, state, port):
        environment = {**os.environ, "XDG_STATE_HOME": str(state)}
        self.launcher = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, str(folder), str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        super().__init__(folder, state, port)

    def start(self):
        self.launcher.stdin.write("start\n")
        self.launcher.stdin.flush()
        number, self.address = self.launcher.stdout.readline().split()
        self.number, self.root = int(number), self.address.partition("/enter")[0]

    def kill(self, number=signal.SIGKILL):
        os.kill(self.number, number)
        with contextlib.suppress(ProcessLookupError):
            while True:  # its port is free once it is gone
                os.kill(self.number, 0)
                time.sleep(0.002)

    def close(self):
        self.kill()
        self.launcher.stdin.close()
        self.launcher.stdout.close()
        self.launcher.wait()
