import Config
import Quotes

/// What the command line says of a request beyond its address. It goes before what a curl line says.
struct RequestFlags {
  private(set) var method: String?
  private(set) var headers: [SampleRequest.Header] = []
  private(set) var query: [SampleRequest.Header] = []
  private(set) var body: String?

  static let method = Option(
    "method", value: "METHOD", help: "how it is asked for", choices: ["GET", "POST"], category: .request)
  static let header = Option(
    "header", value: "'NAME: VALUE'", help: "a header of every request; may be repeated", category: .request)
  static let query = Option(
    "query", value: "NAME=VALUE", help: "a parameter behind the path; may be repeated", category: .request)
  static let body = Option("body", value: "JSON", help: "what is sent; makes it a POST", category: .request)

  static let all = [method, query, header, body]

  /// Nothing but what stands elsewhere.
  init() {}

  init(_ invocation: Invocation) throws(UsageProblem) {
    method = invocation.value(of: Self.method)
    for text in invocation.values(of: Self.header) {
      // What stands there may be a secret: only the name is shown.
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
        throw .other("--header is written as 'NAME: VALUE'")
      }
      headers.append(
        .init(
          name: Questioner.trimmed(String(text[..<colon])),
          value: Questioner.trimmed(String(text[text.index(after: colon)...]))))
    }
    for text in invocation.values(of: Self.query) {
      guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
        throw .other("--query is written as NAME=VALUE")
      }
      query.append(.init(name: String(text[..<sign]), value: String(text[text.index(after: sign)...])))
    }
    body = invocation.value(of: Self.body)
    guard body == nil || method != "GET" else { throw .other("--method GET sends no --body") }
    var probe = SampleRequest(url: "")
    if let body, !probe.setBody(body) { throw .other("--body is no JSON") }
  }

  var isEmpty: Bool { method == nil && headers.isEmpty && query.isEmpty && body == nil }

  /// Says the same however often it is applied.
  func apply(to request: inout SampleRequest) {
    if let body {
      _ = request.setBody(body)
      request.method = "POST"
    }
    if let method { request.method = method }
    for header in headers { request.setHeader(header.name, to: header.value) }
    for item in query { request.setParameter(item.name, to: item.value) }
  }
}
