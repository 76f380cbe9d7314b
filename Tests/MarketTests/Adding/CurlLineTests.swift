import Testing

@testable import market

/// What a pasted curl line asks.
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

  private static let browser = "left out, since they say how a browser works, not what it asks: "

  @Test(arguments: [
    Case(line: "curl https://a.example/x", url: "https://a.example/x"),
    Case(line: "$ /usr/bin/curl -sSL --compressed 'https://a.example/x?a=1&b=2'", url: "https://a.example/x?a=1&b=2"),
    Case(line: "curl -X GET --url https://a.example/x -m 5 -o f", url: "https://a.example/x"),
    Case(
      line: "curl a.example/x", url: "https://a.example/x",
      notes: ["the address has no 'https://'; it is taken for one"]),
    Case(
      line: "curl https://a.example/x?a=1&b=2", url: "https://a.example/x?a=1",
      notes: ["what stands behind '&' is no part of the request; an address with '&' in it belongs into quotes"]),
    Case(
      line: "curl https://a.example/x | jq .", url: "https://a.example/x",
      notes: ["what stands behind '|' is no part of the request"]),
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
      url: "https://a.example/x", body: #"{"a": 1}"#, notes: [browser + "Content-Type"]),
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
    // The same with Windows line ends, and blanks behind a backslash.
    Case(
      line: "curl 'https://a.example/x' \\\r\n  -H 'a: b' \\ \t\n  -H 'c: d'\r\n", url: "https://a.example/x",
      headers: ["a: b", "c: d"]),
    // Chrome, "Copy as cURL (cmd)": everything that is no letter has a caret before it.
    Case(
      line: "curl ^\"https://a.example/x?a=1^&b=^%^2B^\" ^\r\n  -H ^\"accept: application/json^\" ^\r\n"
        + "  -b ^\"sid=1; lang=ko^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":^\\^\"^!^\\^\"^}^\"",
      method: "POST", url: "https://a.example/x?a=1&b=%2B",
      headers: ["accept: application/json", "Cookie: sid=1; lang=ko"], body: #"{"a":"!"}"#),
    // Older browsers on Windows: quotes within quotes are doubled.
    Case(
      line: #"curl "https://a.example/x?a=1&b=2" -H "accept: */*" --data-binary "{""a"":1}" --compressed"#,
      method: "POST", url: "https://a.example/x?a=1&b=2", headers: ["accept: */*"], body: #"{"a":1}"#),
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
      notes: [browser + "Content-Type, Postman-Token"]),
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
    ("https://a.example", "the line does not begin with 'curl'"),
    (
      "wget https://a.example", "that is wget, no curl line; copy it 'as cURL (bash)' or 'as cURL (cmd)'"
    ),
    (
      "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -UseBasicParsing",
      "that is PowerShell, no curl line; copy it 'as cURL (bash)' or 'as cURL (cmd)'"
    ),
    (
      "Invoke-WebRequest -UseBasicParsing -Uri \"https://a.example\" `\n-Headers @{}",
      "that is PowerShell, no curl line; copy it 'as cURL (bash)' or 'as cURL (cmd)'"
    ),
    (
      "curl.exe \"https://a.example\" `\n  -H \"a: b\"",
      "that is PowerShell, no curl line; copy it 'as cURL (bash)' or 'as cURL (cmd)'"
    ),
    (
      "fetch(\"https://a.example\", { \"method\": \"GET\" });",
      "that is JavaScript, no curl line; copy it 'as cURL (bash)' or 'as cURL (cmd)'"
    ),
    ("curl ‘https://a.example’", "the line has typographic quotes; write ' or \" in their place"),
    ("curl ^\"https://a.example", "the line ends within double quotes"),
    ("curl ^\"https://a.example^\" ^", "the line ends within a line that goes on behind a caret"),
    ("curl", "the line has no address"),
    ("curl https://a.example https://b.example", "the line has 2 addresses; paste one request at a time"),
    ("curl --hedaer x https://a.example", "curl's option '--hedaer' is not understood; did you mean '--header'?"),
    ("curl --zzz=hush https://a.example", "curl's option '--zzz' is not understood"),
    ("curl -sW https://a.example", "curl's option '-W' is not understood"),
    ("curl https://a.example -H", "curl's option '-H' has no value"),
    (
      "curl -F a=b https://a.example",
      "curl's option '-F' cannot be taken over: forms are not sent; the config knows JSON bodies only"
    ),
    ("curl -d @secret.json https://a.example", "curl's option '-d' reads a file; write what stands in it"),
    ("curl -b jar.txt https://a.example", "curl's option '-b' reads a file; write what stands in it"),
    ("curl -X DELETE https://a.example", "the method DELETE is no public read; GET and POST are"),
    ("curl -I https://a.example", "the method HEAD is no public read; GET and POST are"),
    (
      "curl -d a=1 https://a.example", "the body is no JSON; the config sends JSON bodies only (or, with -G, a query)"
    ),
    ("curl 'https://a.example", "the line ends within single quotes"),
    ("curl $URL", "only your shell can fill '$URL' in; write what it stands for"),
  ])
  func problems(_ line: String, _ sentence: String) throws {
    let problem = try #require(throws: CurlLine.Problem.self) { try CurlLine(line) }
    #expect(problem.description == sentence)
  }
}
