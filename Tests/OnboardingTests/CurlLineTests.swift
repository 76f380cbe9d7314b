import HTTP
import Testing

@testable import Onboarding

/// The request described by a pasted curl line.
@Suite struct CurlLineTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let line: String
    var method = "GET"
    let url: String
    var headers: [String] = []
    var body: String?
    var notes: [String] = []

    var testDescription: String { line }
  }

  private static let browser = "left out, since they describe the browser, not the request: "

  @Test(arguments: [
    Case(line: "curl https://a.example/x", url: "https://a.example/x"),
    Case(line: "$ /usr/bin/curl -sSL --compressed 'https://a.example/x?a=1&b=2'", url: "https://a.example/x?a=1&b=2"),
    Case(line: " %\t curl https://a.example/x", url: "https://a.example/x"),
    Case(line: "curl -X GET --url https://a.example/x -m 5 -o f", url: "https://a.example/x"),
    Case(
      line: "curl a.example/x", url: "https://a.example/x",
      notes: ["the address has no scheme; using https://"]),
    Case(
      line: "curl https://a.example/x?a=1&b=2", url: "https://a.example/x?a=1",
      notes: ["ignored: what follows '&'; put an address with '&' in quotes"]),
    Case(
      line: "curl https://a.example/x | jq .", url: "https://a.example/x",
      notes: ["ignored: what follows '|'"]),
    Case(
      line: "curl -G https://a.example/x?z=0 -d a=1 --data-urlencode 'b=2 3&' --url-query c=4",
      url: "https://a.example/x?z=0&c=4&a=1&b=2%203%26"),
    Case(
      line: "curl https://a.example/x -H'X-API-KEY: k' -H \"Accept:application/json\" -H 'Empty;' -H 'Host:'",
      url: "https://a.example/x", headers: ["X-API-KEY: k", "Accept: application/json"]),
    Case(
      line: "curl https://a.example/x -H 'sec-ch-ua: x' -A Mozilla -H 'Accept-Language: ko' -e https://b.example",
      url: "https://a.example/x", headers: ["Referer: https://b.example"],
      notes: [browser + "sec-ch-ua, User-Agent, Accept-Language"]),
    Case(
      line: #"curl https://a.example/x -d '{"a": 1}' -H 'Content-Type: application/json'"#, method: "POST",
      url: "https://a.example/x", body: #"{"a": 1}"#),
    Case(
      line: "curl https://a.example/x -H 'Content-Type: application/json'", url: "https://a.example/x",
      notes: [browser + "Content-Type"]),
    Case(
      line: "curl -XPOST https://a.example/x --data-raw $'[1]'", method: "POST", url: "https://a.example/x", body: "[1]"
    ),
    Case(line: "curl -X post https://a.example/x -d ''", method: "POST", url: "https://a.example/x"),
    Case(
      line: "curl -u user:pa55 https://a.example/x -b 'sid=1'", url: "https://a.example/x",
      headers: ["Cookie: sid=1", "Authorization: Basic dXNlcjpwYTU1"]),
    Case(
      line: "curl --oauth2-bearer t0k https://a.example/x", url: "https://a.example/x",
      headers: ["Authorization: Bearer t0k"]),
    Case(
      line: "curl -u u:p --oauth2-bearer b https://a.example/x -H 'authorization: Bearer t0k'",
      url: "https://a.example/x", headers: ["authorization: Bearer t0k"]),
    Case(
      line: "curl https://a.example/x -H 'X-A: 1' -H 'x-a: 2' -b a=1 -H 'Cookie: b=2'",
      url: "https://a.example/x", headers: ["X-A: 1, 2", "Cookie: a=1; b=2"]),
    Case(
      line: "curl -k --http2 --compressed 'https://a.example/x'", url: "https://a.example/x",
      notes: ["'-k' is left out: certificates are always checked"]),
    // Chrome, "Copy as cURL (bash)".
    Case(
      line: """
        curl 'https://a.example/x?a=1&b=%2B' \\
          -H 'accept: application/json' \\
          -H $'x-note: it\\'s \\u0021\\041' \\
          -b 'sid=1; lang=ko' \\
          -H 'sec-fetch-mode: cors' \\
          --data-raw $'{"a":"\\u0021"}'
        """,
      method: "POST", url: "https://a.example/x?a=1&b=%2B",
      headers: ["accept: application/json", "x-note: it's !!", "Cookie: sid=1; lang=ko"], body: #"{"a":"!"}"#,
      notes: [browser + "sec-fetch-mode"]),
    // The same with Windows line ends, and whitespace after a backslash.
    Case(
      line: "curl 'https://a.example/x' \\\r\n  -H 'a: b' \\ \t\n  -H 'c: d'\r\n", url: "https://a.example/x",
      headers: ["a: b", "c: d"]),
    Case(
      line: "curl \"https://a.example/x\" \\\n  -d \"\" -H \"a: b\"", method: "POST", url: "https://a.example/x",
      headers: ["a: b"]),
    // Safari.
    Case(
      line: "curl 'https://a.example/x' \\\n-X 'GET' \\\n-H 'Accept: */*' \\\n-H 'Sec-Fetch-Mode: cors'",
      url: "https://a.example/x", headers: ["Accept: */*"], notes: [browser + "Sec-Fetch-Mode"]),
    // Postman's code pane.
    Case(
      line: """
        curl --location --globoff 'https://a.example/x?a[]=1' \\
        --header 'Content-Type: application/json' \\
        --header 'Postman-Token: 1' \\
        --data '{
            "a": 1
        }'
        """,
      method: "POST", url: "https://a.example/x?a[]=1", body: "{\n    \"a\": 1\n}",
      notes: [browser + "Postman-Token"]),
    Case(
      line: "curl --request GET --url 'https://a.example/x' --header ':authority: a.example' --header 'authority: b'",
      url: "https://a.example/x", notes: [browser + "authority"]),
  ])
  func requests(_ example: Case) throws {
    let line = try CurlLine(example.line)
    #expect(line.request.method == example.method)
    #expect(line.request.url == example.url)
    #expect(line.request.headers.map { "\($0.name): \($0.value)" } == example.headers)
    #expect(line.request.body.map { String(decoding: $0, as: UTF8.self) } == example.body)
    #expect(line.notes == example.notes)
  }

  @Test(arguments: [
    ("https://a.example", "the line does not begin with 'curl'; copy it 'as cURL (bash)'"),
    ("wget https://a.example", "the line does not begin with 'curl'; copy it 'as cURL (bash)'"),
    ("fetch('https://a.example');", "the line does not begin with 'curl'; copy it 'as cURL (bash)'"),
    ("curl ‘https://a.example’", "the line has typographic quotes; write ' or \" instead"),
    (
      "curl ^\"https://a.example/t?a=1^&b=2^\" ^\r\n  -H ^\"accept: */*^\"",
      "the line is written for Windows' command prompt; copy it 'as cURL (bash)'"
    ),
    (
      "curl \"https://a.example/t\" ^\n  -H \"accept: */*\" ^\n  --compressed",
      "the line is written for Windows' command prompt; copy it 'as cURL (bash)'"
    ),
    ("curl", "the line has no address"),
    ("curl https://a.example https://b.example", "the line has 2 addresses; paste one request at a time"),
    ("curl --hedaer x https://a.example", "unknown curl option '--hedaer'; did you mean '--header'?"),
    ("curl --zzz=hush https://a.example", "unknown curl option '--zzz'"),
    ("curl -sW https://a.example", "unknown curl option '-W'"),
    ("curl https://a.example -H", "missing value for the curl option '-H'"),
    (
      "curl -F a=b https://a.example",
      "curl option '-F' is not supported; the config has no equivalent"
    ),
    ("curl -d @secret.json https://a.example", "curl option '-d' reads a file; write the contents of the file"),
    ("curl -b jar.txt https://a.example", "curl option '-b' reads a file; write the contents of the file"),
    ("curl -X DELETE https://a.example", "invalid method 'DELETE'; expected GET or POST"),
    ("curl -I https://a.example", "invalid method 'HEAD'; expected GET or POST"),
    (
      "curl -d a=1 https://a.example",
      "the body is not valid JSON; add-exchange takes JSON bodies only (or, with -G, a query)"
    ),
    ("curl 'https://a.example", "the line ends within single quotes"),
    ("curl $URL", "only a shell can expand '$URL'; write its value"),
  ])
  func problems(_ line: String, _ sentence: String) throws {
    let problem = try #require(throws: CurlLine.Problem.self) { try CurlLine(line) }
    #expect(problem.description == sentence)
  }
}
