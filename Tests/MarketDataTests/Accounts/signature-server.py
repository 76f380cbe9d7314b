"""A server on this machine that checks signatures as the documents of exchanges describe them, by Python's own hmac.

It prints the port that it listens on. A path ends with the name of the exchange whose rules hold. A request that is
signed wrong, or has a nonce that is not above the last one, is refused with the reason; the first good one to
/fail-first/... is answered with 503, so that it comes again.
"""

import base64, hashlib, hmac, json, re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = b"made-up-secret+0123/abc"
SECRET64 = base64.b64encode(b"some bytes \x00\xff of a key").decode()
PASS = "made up+pass"
KEY = "made-up-key"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
last, seen, failed = {}, set(), set()


def code(algorithm, text, key=SECRET):
    return hmac.new(key, text if isinstance(text, bytes) else text.encode(), algorithm)


def b64(data):
    return base64.b64encode(data).decode()


def rising(name, nonce):
    nonce = int(nonce)
    assert nonce > last.get(name, 0), "a nonce that is not above the last one"
    last[name] = nonce


def fresh(name, uuid):
    assert UUID.match(uuid), "no uuid of version 4"
    assert (name, uuid) not in seen, "a uuid that was used before"
    seen.add((name, uuid))


def check(r):
    h, name = r.headers, r.path_only.rsplit("/", 1)[1]
    said, _, signature = r.query.rpartition("&signature=")
    if name == "Binance":
        assert h["X-MBX-APIKEY"] == KEY and signature == code("sha256", said).hexdigest()
        assert said.endswith("&q=a%2Cb%20c%2F%C3%A9"), said
    elif name == "Okx":
        text = h["OK-ACCESS-TIMESTAMP"] + r.method + r.target + r.body
        assert h["OK-ACCESS-SIGN"] == b64(code("sha256", text).digest()) and h["OK-ACCESS-PASSPHRASE"] == PASS
    elif name == "Kraken":
        nonce = dict(p.split("=") for p in r.body.split("&"))["nonce"]
        rising(name, nonce)
        text = r.path_only.encode() + hashlib.sha256((nonce + r.body).encode()).digest()
        assert h["API-Sign"] == b64(code("sha512", text, base64.b64decode(SECRET64)).digest())
        assert h["Content-Type"] == "application/x-www-form-urlencoded"
    elif name == "Upbit":
        head, claims, signature = h["Authorization"].removeprefix("Bearer ").split(".")
        pad = lambda t: base64.urlsafe_b64decode(t + "=" * (-len(t) % 4))
        assert json.loads(pad(head)) == {"alg": "HS256", "typ": "JWT"}
        claims_read = json.loads(pad(claims))
        assert claims_read["access_key"] == KEY
        fresh(name, claims_read["nonce"])
        assert pad(signature) == code("sha256", head + "." + claims).digest()
    elif name == "Htx":
        said, _, signature = r.query.rpartition("&Signature=")
        text = "\n".join([r.method, h["Host"], r.path_only, said])
        assert signature == b64(code("sha256", text).digest()).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
    elif name == "Coinone":
        assert h["X-COINONE-PAYLOAD"] == b64(r.body.encode())
        assert h["X-COINONE-SIGNATURE"] == code("sha512", h["X-COINONE-PAYLOAD"]).hexdigest()
        fresh(name, json.loads(r.body)["nonce"])
    elif name == "Gemini":
        said = json.loads(base64.b64decode(h["X-GEMINI-PAYLOAD"]))
        assert said["request"] == r.path_only and r.body == "" and h["Content-Type"] == "text/plain"
        rising(name, said["nonce"])
        assert h["X-GEMINI-SIGNATURE"] == code("sha384", h["X-GEMINI-PAYLOAD"]).hexdigest()
    elif name == "Bitstamp":
        text = h["X-Auth"] + r.method + h["Host"] + "/api/v2" + r.path_only + r.query + h["Content-Type"]
        text += h["X-Auth-Nonce"] + h["X-Auth-Timestamp"] + "v2" + r.body
        fresh(name, h["X-Auth-Nonce"])
        assert h["X-Auth-Signature"] == code("sha256", text).hexdigest()
    elif name == "Gate":
        text = "\n".join([r.method, "/api/v4" + r.path_only, r.query, hashlib.sha512(r.body.encode()).hexdigest()])
        assert h["SIGN"] == code("sha512", text + "\n" + h["Timestamp"]).hexdigest()
    elif name == "Coincheck":
        rising(name, h["ACCESS-NONCE"])
        text = h["ACCESS-NONCE"] + "http://" + h["Host"] + r.target + r.body
        assert h["ACCESS-SIGNATURE"] == code("sha256", text).hexdigest()
    elif name == "Bitfinex":
        rising(name, h["bfx-nonce"])
        text = "/api" + r.path_only + h["bfx-nonce"] + r.body
        assert h["bfx-signature"] == code("sha384", text).hexdigest()
    elif name == "Luno":
        assert base64.b64decode(h["Authorization"].removeprefix("Basic ")) == KEY.encode() + b":" + SECRET
    elif name == "Lbank":
        text = "api_key=%s&echostr=%s&signature_method=HmacSHA256&timestamp=%s" % (KEY, h["echostr"], h["timestamp"])
        sign = code("sha256", hashlib.md5(text.encode()).hexdigest().upper()).hexdigest()
        assert r.body == "api_key=%s&sign=%s" % (KEY, sign) and 30 <= len(h["echostr"]) <= 40
    elif name == "Phemex":
        text = r.path_only + r.query + h["x-phemex-request-expiry"] + r.body
        assert h["x-phemex-request-signature"] == code("sha256", text).hexdigest()
    elif name == "Kucoin":
        assert h["KC-API-PASSPHRASE"] == b64(code("sha256", PASS).digest())
        assert h["KC-API-SIGN"] == b64(code("sha256", h["KC-API-TIMESTAMP"] + r.method + r.target + r.body).digest())
    else:
        raise AssertionError("no rules of " + name)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def serve(self):
        self.method, self.target = self.command, self.path
        self.path_only, _, self.query = self.path.partition("?")
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        try:
            check(self)
            status, answer = 200, {"rows": [{"a": "BTC", "f": "1.50", "l": "0.25"}], "key": KEY}
            if self.path.startswith("/redirect/"):
                status = 302
            elif self.path.startswith("/fail-first/") and self.path_only not in failed:
                failed.add(self.path_only)
                status = 503
        except Exception as error:
            status, answer = 400, {"error": repr(error)}
        data = b"later" if status == 503 else json.dumps(answer).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere" + self.path)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = serve


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening", server.server_address[1], flush=True)
server.serve_forever()
