import Files
import TestSupport
import Testing

/// The built program against nginx with HTTP/2, compression and a certificate made for the test.
@Suite(.waitsForPrograms) struct HTTP2Tests {
  private static func program(_ name: String) -> String? {
    ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
      .first(where: FileSystem.isExecutable)
  }

  private static let nginx = program("nginx")
  private static let openssl = program("openssl")

  /// nginx goes to the background once it listens, so there is no need to wait. Exit code 77: the port was taken.
  private static let script = """
    openssl=$1; nginx=$2; market=$3; port=$4; cd "$5" || exit 9
    "$openssl" req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2 \\
      -subj /CN=test -addext subjectAltName=IP:127.0.0.1 2>/dev/null || exit 9
    mkdir temporary
    cat >nginx.conf <<END
    pid $5/pid; error_log $5/error.log; worker_processes 1; $([ "$(id -u)" = 0 ] && echo user root\\;)
    events {}
    http {
      log_format seen '\\$server_protocol \\$connection \\$request_uri \\$sent_http_content_encoding';
      access_log $5/seen.log seen;
      client_body_temp_path temporary/a; proxy_temp_path temporary/b; fastcgi_temp_path temporary/c;
      uwsgi_temp_path temporary/d; scgi_temp_path temporary/e;
      gzip on; gzip_types application/json; gzip_min_length 1; default_type application/json;
      server {
        listen 127.0.0.1:$port ssl http2; root $5/root;
        ssl_certificate $5/cert.pem; ssl_certificate_key $5/key.pem;
      }
    }
    END
    "$nginx" -p "$5/" -e "$5/error.log" -c "$5/nginx.conf" 2>/dev/null || exit 77
    SSL_CERT_FILE=cert.pem "$market" show BTC USDT -c config.json -f csv --timeout 120 >rows 2>error
    echo "$?"
    cut -d, -f3-4,7 rows | tail -n +2
    cat error
    kill "$(cat pid)"
    # Lines of the log are written before their answers are whole.
    echo "$(cut -d ' ' -f 1,4 seen.log | sort -u) $(cut -d ' ' -f 2 seen.log | sort -u | wc -l) $(cut -d ' ' -f 3 seen.log | wc -l)"
    """

  /// Three compressed requests over one connection, multiplexed by HTTP/2.
  @Test(
    .enabled(if: nginx != nil && openssl != nil, "needs nginx and openssl: .ci/run installs them"),
    arguments: [false, true])
  func oneConnection(throughProxy: Bool) throws {
    var output = ""
    for _ in 0..<5 {
      let port = try Sockets.freePort()
      let folder = try TemporaryFolder()
      try FileSystem.createFolder("\(folder.path)/root")
      for name in ["a", "b", "c"] {
        // Long enough to be worth compressing.
        let rows = (0..<200).map { LocalExchanges.row("1.5", symbol: "C\($0)-USDT") }.joined(separator: ",")
        let answer = LocalExchanges.answer(LocalExchanges.row("100.5"), rows)
        try FileSystem.writeAtomically(Array(answer.utf8), to: "\(folder.path)/root/\(name)")
      }
      let base = "https://127.0.0.1:\(port)"
      let exchanges = [("A", base, "/a"), ("B", base, "/b"), ("C", base, "/c")]
      try FileSystem.writeAtomically(
        Array(LocalExchanges(exchanges: exchanges).config.utf8), to: "\(folder.path)/config.json")
      let proxy = try LoopbackServer { request in
        [.bytes(Answer.head(status: "200 Connection established")), .tunnel(port: port)]
      }
      defer { proxy.stop() }
      var environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
      if throughProxy { environment["https_proxy"] = "http://127.0.0.1:\(proxy.port)" }
      let run = try Subprocess(
        "/bin/sh",
        [
          "-c", Self.script, "sh", try #require(Self.openssl), try #require(Self.nginx), try Subprocess.market(),
          "\(port)", folder.path,
        ], environment: environment)
      if run.code == 77 { continue }
      output = run.output
      #expect(proxy.received.map(\.target) == (throughProxy ? ["127.0.0.1:\(port)"] : []))
      break
    }
    #expect(
      output == """
        0
        A,spot,100.5
        B,spot,100.5
        C,spot,100.5
        HTTP/2.0 gzip 1 3

        """)
  }
}
