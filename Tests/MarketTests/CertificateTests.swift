import Files
import TestSupport
import Testing

/// The built program against a server with a certificate that should or should not be trusted: `openssl s_server` on
/// the loopback interface, and the test's own certificate authorities.
@Suite(.waitsForPrograms) struct CertificateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The subject of the server's certificate.
    let subject: String
    /// The file with the only trusted authority.
    var trusted = "server.pem"
    var isExpired = false
    /// The exit code, then the row or the failure.
    let line: String

    var testDescription: String { name }
  }

  private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
    .first(where: FileSystem.isExecutable)

  /// Reads the server's port from its output, so there is no need to wait.
  private static let script = """
    openssl=$1; subject=$2; trusted=$3; market=$4; cd "$5" || exit 9
    certificate() {
      "$openssl" req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.pem" \\
        -days 2 -subj /CN=test -addext "subjectAltName=$2" 2>/dev/null
    }
    certificate server "$subject" && certificate other IP:127.0.0.1 || exit 9
    if [ "$6" = expired ]; then
      "$openssl" req -new -key server.key -subj /CN=test -out request && echo "subjectAltName=$subject" >extensions
      sign() { "$openssl" x509 -req -in request -signkey server.key -extfile extensions -out server.pem "$@" 2>/dev/null; }
      # The second is for versions that take no negative number of days.
      sign -days -1 || sign -not_before 20200101000000Z -not_after 20200102000000Z || exit 9
    fi
    mkfifo said
    "$openssl" s_server -accept 127.0.0.1:0 -key server.key -cert server.pem -WWW >said 2>/dev/null </dev/null &
    server=$!
    {
      while read -r word address; do [ "$word" = ACCEPT ] && break; done
      echo '{"version": 1, "exchanges": {"Here": {"baseUrls": ["https://127.0.0.1:'"${address##*:}"'"], "rows": "$[*]",
        "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"},
        "markets": {"spot": {"tickers": {"request": {"path": "/body.json"}}}}}}}' >config.json
      SSL_CERT_FILE=$trusted "$market" tickers Here -m spot -c config.json -f csv >rows 2>error
      echo "$? $(tail -n +2 rows | cut -d, -f4-7)$(cut -d'(' -f1 error)"
      kill $server
    } <said
    """

  @Test(
    .enabled(if: openssl != nil, "needs the openssl program"),
    arguments: [
      Case(name: "the right host", subject: "IP:127.0.0.1", line: "0 A-B,A,B,1.50"),
      Case(name: "another host", subject: "DNS:elsewhere.example", line: "1 market: Here spot: no-answer tls "),
      Case(
        name: "yesterday's", subject: "IP:127.0.0.1", isExpired: true, line: "1 market: Here spot: no-answer tls "),
      Case(
        name: "an unknown authority", subject: "IP:127.0.0.1", trusted: "other.pem",
        line: "1 market: Here spot: no-answer tls "),
    ])
  func trustsConfiguredCertificates(_ sample: Case) throws {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically(Array(#"[{"s": "A-B", "p": "1.50"}]"#.utf8), to: "\(folder.path)/body.json")
    let run = try Subprocess(
      "/bin/sh",
      [
        "-c", Self.script, "sh", try #require(Self.openssl), sample.subject, sample.trusted, try Subprocess.market(),
        folder.path, sample.isExpired ? "expired" : "valid",
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(run.output == sample.line + "\n")
  }
}
