#!/usr/bin/env python3
"""Measures `market stream` against exchanges on this machine, and ccxt.pro on messages of a stream.

    streams.py live MARKET      36 connections, 2,000 messages a second, for ten seconds
    streams.py ccxt MESSAGES    how many thousand of Binance's ticker messages ccxt.pro reads in a second

Prints `name<TAB>value`. `live` needs the package websockets, `ccxt` the package ccxt; without them nothing is printed.
"""

import asyncio
import json
import multiprocessing
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

CONNECTIONS, RATE, SECONDS = 36, 2000, 10


def serve(path, ready):
    from websockets.asyncio.server import serve as listen
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    def table(connection, request):
        if request.path == "/ws":
            return None
        # A volume that is a power of ten away from those of the messages would be in another unit.
        body = f'[{{"s":"BTC-USDT","p":"100","v":"{time.monotonic_ns()}"}}]'.encode()
        return Response(200, "OK", Headers([("Content-Length", str(len(body)))]), body)

    async def speak(socket):
        await socket.recv()
        # Exchanges do not speak at the same moment: 36 messages at once wait for one another in this program here.
        await asyncio.sleep(random.random() * CONNECTIONS / RATE)
        try:
            number = 0
            while True:
                number += 1
                price = f"100.{number % 100:02}"
                await socket.send(f'{{"s":"BTC-USDT","p":"{price}","v":"{time.monotonic_ns()}"}}')
                await asyncio.sleep(CONNECTIONS / RATE)
        except Exception:
            pass

    async def run():
        servers = [
            await listen(speak, "127.0.0.1", 0, process_request=table, compression=None) for _ in range(CONNECTIONS)
        ]
        exchanges = {}
        for number, server in enumerate(servers):
            port = server.sockets[0].getsockname()[1]
            exchanges[f"Venue{number + 1}"] = {
                "baseUrls": [f"http://127.0.0.1:{port}"],
                "rows": "$[*]",
                "symbol": {"path": "$.s", "split": "-"},
                "streams": {
                    "urls": [f"ws://127.0.0.1:{port}/ws"],
                    "rows": "$",
                    "symbol": "$.s",
                    "ticker": {"subscribe": {"op": "sub", "pairs": ["{symbol}"]}},
                },
                "markets": {
                    "spot": {
                        "tickers": {"request": {"path": "/tickers"}, "fields": {"price": "$.p", "volume24": "$.v"}}
                    }
                },
            }
        with open(path, "w") as file:
            json.dump({"version": 1, "exchanges": exchanges}, file)
        ready.set()
        await asyncio.Future()

    asyncio.run(run())


def live(market):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "exchanges.json")
        ready = multiprocessing.Event()
        server = multiprocessing.Process(target=serve, args=(path, ready), daemon=True)
        server.start()
        if not ready.wait(20):
            sys.exit("streams.py: the server does not begin")
        words = [market, "stream", "BTC", "USDT", "-c", path, "-f", "ndjson", "--for", f"{SECONDS}s"]
        start = time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.PIPE)
        # Read as it comes, understood afterwards: that takes longer than what is measured.
        parts = []
        while part := os.read(process.stdout.fileno(), 1 << 16):
            parts.append((time.monotonic_ns(), part))
        process.wait()
        took = time.monotonic() - start
        delays, rest = [], b""
        for moment, part in parts:
            *lines, rest = (rest + part).split(b"\n")
            for event in map(json.loads, lines):
                if event["type"] == "ticker" and event["source"] == "stream":
                    delays.append(moment - int(event["volume24"]))
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        server.terminate()
        print(f"events a second\t{len(delays) / took:.0f}")
        print(f"cpu percent\t{(usage.ru_utime + usage.ru_stime) / took * 100:.1f}")
        print(f"median delay in ms\t{statistics.median(delays) / 1e6:.3f}")


def ccxt(path):
    import ccxt.pro

    exchange = ccxt.pro.binance()
    exchange.markets_by_id = {}
    messages = [json.loads(line)["data"] for line in open(path)]
    texts = [json.dumps(message) for message in messages]
    best = None
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            exchange.parse_ws_ticker(json.loads(text), "spot")
        taken = time.perf_counter() - start
        best = taken if best is None else min(best, taken)
    print(f"ccxt\t{len(texts) / best / 1000:.2f}")


if __name__ == "__main__":
    try:
        {"live": live, "ccxt": ccxt}[sys.argv[1]](sys.argv[2])
    except ImportError as error:
        print(f"streams.py: {error}: not measured", file=sys.stderr)
