import Config
import HTTP
import Mapping
import Quotes
import Testing

/// A request of the config, and what goes over the wire.
struct RequestCase: Sendable, CustomTestStringConvertible {
  let request: String
  let wire: String
  let members: String

  init(_ request: String, is wire: String, with members: String = "") {
    self.request = request
    self.wire = wire
    self.members = members
  }

  var testDescription: String { request }
}

@Suite struct RequestTests {
  static let pair = Pair(asset: "BTC", payment: "USDT")

  /// Returns `GET https://exchange.test/path` followed by the body, or the reason why nothing is requested.
  static func wire(
    _ members: String, pair: Pair? = pair, secrets: [String: String] = [:]
  ) throws -> String {
    let table = try TestTable(members)
    var context = RequestContext(pair: pair, keys: "KRW-BTC,KRW-ETH", now: Asked().now, secret: { secrets[$0] })
    context.date = context.now
    do {
      var writer = RequestWriter(try table.part(), context)
      let request = try writer.request(named: "spot-tickers")
      let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
      let headers = request.headers.map { " \($0.name): \($0.value)" }.joined()
      let redacted = request.secrets.isEmpty ? "" : " redacting \(request.secrets.joined(separator: " "))"
      return request.method + " " + request.urls.joined(separator: " ") + headers + body + redacted
    } catch let failure as AnswerFailure {
      return "\(failure.reason.code): \(failure.message ?? "")"
    }
  }

  static let templates = [
    RequestCase(#"{"path": "/t"}"#, is: "GET https://exchange.test/t"),
    RequestCase(#"{"path": "/t/{asset}_{payment|lower}"}"#, is: "GET https://exchange.test/t/BTC_usdt"),
    RequestCase(
      #"{"path": "/t", "query": {"b": "{asset}", "a": 5, "c": true}}"#,
      is: "GET https://exchange.test/t?b=BTC&a=5&c=true"),
    RequestCase(
      #"{"path": "/t", "query": {"k": "{keys}"}}"#, is: "GET https://exchange.test/t?k=KRW-BTC,KRW-ETH",
      with: #""lookups": {"l": {"request": {"path": "/l"}, "rows": "$[*]", "key": "$.k"}}, "batch": {"of": "l"}"#),
    // A list is sent once for each key, and everything else as usual.
    RequestCase(
      #"{"path": "/t", "query": {"k": ["{keys|lower}"], "all": "{keys}"}}"#,
      is: "GET https://exchange.test/t?k=krw-btc&k=krw-eth&all=KRW-BTC,KRW-ETH",
      with: #""lookups": {"l": {"request": {"path": "/l"}, "rows": "$[*]", "key": "$.k"}}, "batch": {"of": "l"}"#),
    RequestCase(
      #"{"path": "/t", "method": "POST", "body": {"k": ["{keys|lower}"], "all": ["{keys}", 1], "one": "{keys}"}}"#,
      is:
        #"POST https://exchange.test/t Content-Type: application/json {"k":["krw-btc","krw-eth"],"all":["KRW-BTC,KRW-ETH",1],"one":"KRW-BTC,KRW-ETH"}"#,
      with: #""lookups": {"l": {"request": {"path": "/l"}, "rows": "$[*]", "key": "$.k"}}, "batch": {"of": "l"}"#),
    RequestCase(
      #"{"path": "/t", "method": "POST", "body": {"n": "{n|number}", "t": "{n}"}}"#,
      is: #"POST https://exchange.test/t Content-Type: application/json {"n":-1.50e3,"t":"-1.50e3"}"#,
      with: #""forEach": [{"set": {"n": "-1.50e3"}}]"#),
    RequestCase(
      #"{"path": "/t", "method": "POST", "body": ["{asset|number}"]}"#,
      is: "no-answer no-request: the value of '{asset|number}' is not a number"),
    RequestCase(
      #"{"path": "/t", "method": "POST", "body": ["{n|number}"]}"#,
      is: "no-answer no-request: the value of '{n|number}' is not a number", with: #""forEach": [{"set": {"n": "+1"}}]"#
    ),
    RequestCase(#"{"path": "/t", "query": {"k": "[{{}]"}}"#, is: "GET https://exchange.test/t?k=%5B%7B%7D%5D"),
    RequestCase(
      #"{"path": "/t", "query": {"t": "{now.ms}", "s": "{now.s}"}}"#,
      is: "GET https://exchange.test/t?t=1709220600000&s=1709220600"),
    RequestCase(#"{"path": "/t", "query": {"d": "{date:yyyyMMdd}"}}"#, is: "GET https://exchange.test/t?d=20240229"),
    RequestCase(#"{"path": "/t/{date:yyyy-MM-dd@+09:00}"}"#, is: "GET https://exchange.test/t/2024-03-01"),
    RequestCase(
      #"{"path": "/{type}/{n}"}"#, is: "GET https://exchange.test/usdt/5",
      with: #""forEach": [{"set": {"type": "usdt", "n": 5}}]"#),
    RequestCase(
      #"{"path": "/{payment}"}"#, is: "GET https://exchange.test/KRW",
      with: #""forEach": [{"set": {"payment": "KRW"}}]"#),
    RequestCase(
      #"{"path": "/t", "method": "POST", "body": {"type": "{asset|lower}", "n": 1.50, "all": [true, null, "{{x}"]}}"#,
      is:
        #"POST https://exchange.test/t Content-Type: application/json {"type":"btc","n":1.50,"all":[true,null,"{x}"]}"#),
    RequestCase(
      #"{"path": "/t"}"#, is: "GET https://exchange.test/t X-Day: 20240229 Accept: */*",
      with: #""headers": {"X-Day": "{date:yyyyMMdd}", "Accept": "*/*"}"#),
    // Every address in config order, keeping a path in it.
    RequestCase(
      #"{"path": "/t"}"#, is: "GET https://a.test/t https://b.test/v1/t https://c.test:8080/t",
      with: #""baseUrls": ["https://a.test/", "https://b.test/v1", "https://c.test:8080"]"#),
    // Canonical names are mapped back through the exchange's aliases, using the first that leads there.
    RequestCase(
      #"{"path": "/{asset}{payment}"}"#, is: "GET https://exchange.test/XXBTZUSDT",
      with: #""aliases": {"XXBT": "BTC", "XBT": "BTC", "ZUSDT": "USDT"}"#),
  ]

  @Test(arguments: templates) func template(_ request: RequestCase) throws {
    let more = request.members.isEmpty ? "" : ", " + request.members
    #expect(try Self.wire(#""request": \#(request.request)\#(more)"#) == request.wire)
  }

  /// A name that means something else on the exchange, and does not mean the currency by another alias, is none of its.
  @Test(arguments: [
    ("CAT", "USDT", "not-listed: "), ("CATERPILLAR", "USDT", "GET https://exchange.test/CATUSDT"),
    ("BTC", "EUR", "not-listed: "), ("XBT", "USDT", "GET https://exchange.test/BTCUSDT"),
  ])
  func namesakesAreNotRequested(_ asset: String, _ payment: String, _ wire: String) throws {
    let members =
      #""request": {"path": "/{asset}{payment}"}, "aliases": {"CAT": "CATERPILLAR", "EUR": "EURO", "BTC": "XBT"}"#
    #expect(try Self.wire(members, pair: Pair(asset: asset, payment: payment)) == wire)
  }

  /// Inserted values are escaped so that no asset name can change the request.
  @Test(arguments: [
    ("A/B", "/t/A%2FB/x?q=A/B"), ("a?b=c&d", "/t/a%3Fb%3Dc%26d/x?q=a%3Fb%3Dc%26d"), ("..", "/t/../x?q=.."),
    ("é #", "/t/%C3%A9%20%23/x?q=%C3%A9%20%23"), ("100%", "/t/100%25/x?q=100%25"),
    ("a\r\nb", "/t/a%0D%0Ab/x?q=a%0D%0Ab"),
  ])
  func escaping(_ asset: String, _ target: String) throws {
    let wire = try Self.wire(
      #""request": {"path": "/t/{asset}/x", "query": {"q": "{asset}"}}"#, pair: Pair(asset: asset, payment: "USD"))
    #expect(wire == "GET https://exchange.test\(target)")
  }

  @Test func tableOfAllPairsHasNoAsset() throws {
    #expect(
      try Self.wire(#""request": {"path": "/{asset}"}"#, pair: nil)
        == "no-answer no-request: missing value for '{asset}'")
  }

  /// A secret is only sent via https or to this machine, and reported to those who log requests.
  @Test func secrets() throws {
    let members = #""request": {"path": "/t", "query": {"key": "{secret:id}"}}"#
    let plain = members + #", "baseUrls": ["http://localhost:80"]"#
    let header = #""request": {"path": "/t"}, "headers": {"X-Key": "{secret:id}"}"#
    let secrets = ["id": "s3+cret"]
    #expect(try Self.wire(members, secrets: secrets) == "GET https://exchange.test/t?key=s3%2Bcret redacting s3+cret")
    #expect(try Self.wire(plain, secrets: secrets) == "GET http://localhost:80/t?key=s3%2Bcret redacting s3+cret")
    #expect(try Self.wire(header, secrets: secrets) == "GET https://exchange.test/t X-Key: s3+cret redacting s3+cret")
    for refused in [members, header] {
      #expect(try Self.wire(refused, secrets: [:]) == "no-secret: missing secret 'id'")
      #expect(try Self.wire(refused, secrets: ["id": ""]) == "no-secret: missing secret 'id'")
    }
  }

  /// Recordings keep the day of a date, but no time of day.
  @Test(arguments: [
    ("{date:yyyyMMdd}", "20240229"), ("{date:yyyy-MM-dd@+09:00}", "2024-03-01"),
    ("{date:yyyy-MM-dd'T'HH:mm:ss.SSS}", "NOW"), ("{date:d MMM yyyy h a}", "NOW"), ("{date:HH}", "15"),
    ("{now.s}", "NOW"),
  ])
  func recordedDates(_ template: String, _ recorded: String) throws {
    let table = try TestTable(#""request": {"path": "/t", "query": {"d": "\#(template)"}}"#)
    var context = RequestContext(now: Asked().now)
    context.date = context.now
    var writer = RequestWriter(try table.part(), context)
    let request = try writer.request(named: "spot-tickers")
    #expect(request.urls.map(request.replacingClockValues) == ["https://exchange.test/t?d=\(recorded)"])
  }

  /// A lookup has its own request, and the exchange's host and headers unless it names others.
  @Test func lookups() throws {
    let table = try TestTable(
      #"""
      "headers": {"Accept": "*/*"},
      "lookups": {
        "a": {"request": {"path": "/a"}, "rows": "$[*]", "key": "$.s"},
        "b": {"request": {"path": "/b", "query": {"t": "{now.s}"}}, "rows": "$[*]", "key": "$.s", "ttl": "30m",
          "baseUrls": ["https://other.test"], "headers": {"X": "1"}},
        "c": {"rows": "$[*]", "key": "$.s"}}
      """#)
    let spec = try table.part()
    var writer = RequestWriter(spec, RequestContext(now: Asked().now))
    let requests = try spec.lookups.map { try writer.request(for: $0) }
    #expect(requests.map { $0?.urls } == [["https://exchange.test/a"], ["https://other.test/b?t=1709220600"], nil])
    #expect(requests.map { $0?.name } == ["lookup-a", "lookup-b", nil])
    #expect(requests.map { $0?.headers.map(\.name) } == [["Accept"], ["X"], nil])
    #expect(spec.lookups.map(\.timeToLiveSeconds) == [3600, 1800, 3600])
  }
}
