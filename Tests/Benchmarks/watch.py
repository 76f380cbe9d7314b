#!/usr/bin/env python3
"""Measures `market watch` on a terminal of 80 x 24, against exchanges on this machine.

    watch.py figures MARKET           what it takes while 36 exchanges are asked once a second, are down, and send by streams
    watch.py soak MARKET [SECONDS]    its memory, and that of `market stream`, after a tenth of the time, and how it has grown by
                                      the end (600 seconds)

Prints `name<TAB>value`. What streams bring needs the package websockets, without which that is not printed.
"""

import asyncio
import fcntl
import json
import multiprocessing
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

EXCHANGES, STREAMED, SECONDS = 36, 2000, 10
ASSETS = ["BTC", "ETH", "XRP", "SOL", "ADA", "DOGE", "TRX", "LINK", "DOT"]


def exchange(port, streams):
    own = {
        "baseUrls": [f"http://127.0.0.1:{port}"],
        "refresh": "1s",
        "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"},
        "markets": {"spot": {"tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p"}}}},
    }
    if streams:
        own["streams"] = {
            "urls": [f"ws://127.0.0.1:{port}/ws"],
            "rows": "$",
            "symbol": "$.s",
            "ticker": {"subscribe": {"op": "sub", "pairs": ["{symbol}"]}},
        }
    return own


def serve(path, streams, ready):
    """Exchanges whose prices change with each answer and each message."""
    answers = 0

    def table():
        nonlocal answers
        answers += 1
        rows = [{"s": f"{asset}-USDT", "p": f"{100 + place}.{answers % 100:02}"} for place, asset in enumerate(ASSETS)]
        return json.dumps(rows).encode()

    async def answer(reader, writer):
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                body = table()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def plain():
        return [await asyncio.start_server(answer, "127.0.0.1", 0) for _ in range(EXCHANGES)]

    async def streamed():
        from websockets.asyncio.server import serve as listen
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        def process(connection, request):
            if request.path == "/ws":
                return None
            body = table()
            return Response(200, "OK", Headers([("Content-Length", str(len(body)))]), body)

        async def speak(socket):
            await socket.recv()
            number = 0
            try:
                while True:
                    number += 1
                    place = number % len(ASSETS)
                    price = f"{100 + place}.{number % 100:02}"
                    await socket.send(f'{{"s":"{ASSETS[place]}-USDT","p":"{price}"}}')
                    await asyncio.sleep(EXCHANGES / STREAMED)
            except Exception:
                pass

        return [
            await listen(speak, "127.0.0.1", 0, process_request=process, compression=None) for _ in range(EXCHANGES)
        ]

    async def run():
        servers = await (streamed() if streams else plain())
        ports = [server.sockets[0].getsockname()[1] for server in servers]
        config = {
            "version": 1,
            "watchlist": [{"asset": asset, "payment": "USDT"} for asset in ASSETS],
            "exchanges": {f"Venue{number + 1}": exchange(port, streams) for number, port in enumerate(ports)},
        }
        with open(path, "w") as file:
            json.dump(config, file)
        ready.set()
        await asyncio.Future()

    asyncio.run(run())


class Server:
    def __init__(self, path, streams):
        ready = multiprocessing.Event()
        self.process = multiprocessing.Process(target=serve, args=(path, streams, ready), daemon=True)
        self.process.start()
        if not ready.wait(20):
            self.process.kill()
            raise SystemExit("watch.py: the server does not begin")

    def stop(self):
        self.process.kill()
        self.process.join()


class Watch:
    """The program on a terminal that answers what the program asks it."""

    def __init__(self, market, config, home):
        self.start = time.monotonic()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            environment = {"HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
            os.execve(market, [market, "watch", "--no-rate", "-c", config], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.written, self.first = 0, None

    def play(self, seconds=None):
        """Reads for so long; without a time until the first frame is there."""
        end = time.monotonic() + (20 if seconds is None else seconds)
        while time.monotonic() < end and (seconds is not None or self.first is None):
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                continue
            try:
                text = os.read(self.terminal, 65536)
            except OSError:
                raise SystemExit("watch.py: market watch has ended")
            self.written += len(text)
            if b"\x1b[c" in text:
                os.write(self.terminal, b"\x1b[?62;22c")
            for _ in range(text.count(b"\x1b[5n")):
                os.write(self.terminal, b"\x1b[0n")
            if self.first is None and b"\x1b[?2026l" in text:
                self.first = time.monotonic() - self.start

    def cpu(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measured(market, config, home, name):
    watch = Watch(market, config, home)
    watch.play(5)
    before, written = watch.cpu(), watch.written
    watch.play(SECONDS)
    print(f"{name} cpu\t{(watch.cpu() - before) / SECONDS * 100:.2f}")
    print(f"{name} bytes\t{(watch.written - written) / SECONDS:.0f}")
    watch.end()


def figures(market):
    with tempfile.TemporaryDirectory() as home:
        config = os.path.join(home, "config.json")
        server = Server(config, False)
        times = []
        for _ in range(11):
            watch = Watch(market, config, home)
            watch.play()
            times.append(watch.first)
            watch.end()
        print(f"first frame\t{statistics.median(times) * 1000:.1f}")
        measured(market, config, home, "asked")
        server.stop()
        measured(market, config, home, "down")
        try:
            import websockets.asyncio.server  # noqa: F401
        except ImportError as error:
            print(f"watch.py: {error}: streams are not measured", file=sys.stderr)
            return
        server = Server(config, True)
        measured(market, config, home, "streamed")
        server.stop()


def soak(market, seconds=600):
    with tempfile.TemporaryDirectory() as home:
        config = os.path.join(home, "config.json")
        server = Server(config, True)
        watch = Watch(market, config, home)
        words = [market, "stream", "BTC", "USDT", "ETH", "USDT", "-c", config, "-f", "ndjson"]
        stream = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        both = [("watch", watch.pid), ("stream", stream.pid)]
        watch.play(int(seconds) / 10)
        early = [resident(pid) for _, pid in both]
        watch.play(int(seconds) * 9 / 10)
        for (name, pid), size in zip(both, early):
            print(f"{name} MB\t{size / 1e6:.2f}\n{name} growth\t{resident(pid) / size:.4f}")
        stream.terminate()
        stream.wait()
        watch.end()
        server.stop()


if __name__ == "__main__":
    {"figures": figures, "soak": soak}[sys.argv[1]](*sys.argv[2:])
