"""Times `market balances` of twelve accounts on this machine.

    accounts.py MARKET      the medians in milliseconds: of the program, and of the slowest answer alone

Each server answers a signed request after a time of its own, 10 to 65 ms, as exchanges do.
"""

import http.client
import http.server
import json
import os
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time

COUNT, RUNS = 12, 20


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def serve(seconds):
    body = json.dumps([{"a": f"ASSET{n}", "f": "1.5", "l": "0.25"} for n in range(200)]).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            signed = "signature=" in self.path and self.headers.get("X-KEY") == "key"
            time.sleep(seconds)
            answer = body if signed else b'{"code": 1}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *words):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def exchange(port):
    return {
        "baseUrls": [f"http://127.0.0.1:{port}"],
        "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"},
        "fields": {"price": "$.p"},
        "markets": {"spot": {"tickers": {"request": {"path": "/all"}}}},
        "auth": {
            "values": {"sign": {"hmac-sha256": "{query}", "key": "{secret:secret}"}},
            "headers": {"X-KEY": "{secret:apiKey}"},
            "query": {"timestamp": "{now.ms}", "signature": "{sign|hex}"},
        },
        "balances": {
            "spot": {
                "request": {"path": "/balances"},
                "rows": "$[*]",
                "asset": "$.a",
                "fields": {"free": "$.f", "locked": "$.l"},
            }
        },
    }


def timed(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def main(market):
    ports = [serve(0.010 + 0.005 * index) for index in range(COUNT)]
    with tempfile.TemporaryDirectory() as home:
        folder = os.path.join(home, ".config", "market")
        os.makedirs(folder)
        with open(os.path.join(folder, "exchanges.json"), "w") as file:
            json.dump({"version": 1, "exchanges": {f"Server{n + 1}": exchange(p) for n, p in enumerate(ports)}}, file)
        surroundings = {"HOME": home, "PATH": os.environ["PATH"]}

        def run(*words, text=""):
            return subprocess.run(
                [market, *words], env=surroundings, input=text, capture_output=True, text=True, check=True
            ).stdout

        for index in range(COUNT):
            run("keys", "add", f"Server{index + 1}", "--yes", "--no-test", text="key\nsecret\n")
        rows = json.loads(run("balances", "-f", "json"))["rows"]
        if len(rows) != COUNT * 200:
            sys.exit(f"accounts.py: {len(rows)} rows of {COUNT * 200}")

        def slowest():
            connection = http.client.HTTPConnection("127.0.0.1", ports[-1])
            connection.request("GET", "/balances?signature=", headers={"X-KEY": "key"})
            connection.getresponse().read()

        ours = [timed(lambda: run("balances", "-f", "json")) for _ in range(RUNS)]
        theirs = [timed(slowest) for _ in range(RUNS)]
    print(f"balances\t{statistics.median(ours):.2f}")
    print(f"slowest\t{statistics.median(theirs):.2f}")


if __name__ == "__main__":
    main(sys.argv[1])
