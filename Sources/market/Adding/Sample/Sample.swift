import Config
import Files
import HTTP
import Quotes
import Terminal
import Transport

/// A response to learn from, and what is known about where it came from.
struct Sample {
  /// Without the secrets of the request, should the exchange have sent them back.
  let bytes: [UInt8]
  /// The request that it answers; nil for a file without a word about that.
  var request: SampleRequest?
  /// When it arrived; nil for a file.
  let arrival: Instant?
  /// As they came; empty for a file.
  var headers: [HTTPHeader] = []
  /// For people: a path, an address without its query.
  let name: String

  init(
    bytes: [UInt8], request: SampleRequest?, arrival: Instant?, headers: [HTTPHeader] = [], name: String
  ) throws(UsageProblem) {
    let secrets = try request.map { request throws(UsageProblem) in try ExchangeRequest(request).hiddenTexts } ?? []
    self.bytes = Redaction(secrets)(bytes)
    self.request = request
    self.arrival = arrival
    self.headers = headers
    self.name = name
  }
}

/// Where a sample is got from.
enum SampleSource {
  case file(String)
  case input
  case wire(SampleRequest)

  /// - Parameter text: a path, an address, or `-`.
  init(_ text: String) {
    let isAddress = text.contains("://") && !FileSystem.exists(text)
    self = text == "-" ? .input : isAddress ? .wire(SampleRequest(url: text)) : .file(text)
  }

  /// The same with what the options say of a request.
  func adding(_ flags: RequestFlags) -> SampleSource {
    guard case .wire(var request) = self else { return self }
    flags.apply(to: &request)
    return .wire(request)
  }

  /// - Parameters:
  ///   - request: what the sample answers, where a curl line says so.
  ///   - pair: what fills `{asset}` and `{payment}` of an address.
  ///   - exchange: asks the network.
  func sample(
    answering request: SampleRequest?, named exchange: String, pair: Pair? = nil, in context: Context,
    by handler: HTTPHandler
  ) async throws -> Sample {
    switch self {
    case .file(let path):
      if let host = Self.host(in: path) {
        // The rest of it may hold a secret.
        throw UsageProblem.other(
          "there is no file of that name; an address begins with \(Self.scheme(of: host) + host)")
      }
      return try Sample(bytes: FileSystem.read(path), request: request, arrival: nil, name: path)
    case .input:
      return try Sample(
        bytes: context.input(), request: request, arrival: context.now(), name: "standard input")
    case .wire(let own):
      let filled = try (request ?? own).filled(for: pair)
      return try await Self.fetch(filled, named: exchange, in: context, by: handler)
    }
  }

  /// What a person writes, who leaves the scheme of an address out.
  init(typed text: String) {
    guard !text.contains("://"), let host = Self.host(in: text) else {
      self.init(text)
      return
    }
    self = .wire(SampleRequest(url: Self.scheme(of: host) + text))
  }

  private static func scheme(of host: String) -> String { LoopbackHost.matches(host) ? "http://" : "https://" }

  /// What looks like the host of an address without its scheme, where no file has that name.
  private static func host(in text: String) -> String? {
    guard !FileSystem.exists(text), text.contains("/") || text.contains("?") else { return nil }
    let host = text.prefix { $0 != "/" && $0 != "?" }
    let name = host.split(separator: "@").last ?? ""
    let labels = name.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
    if LoopbackHost.matches(name) { return String(name) }
    guard labels.count >= 2,
      labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }),
      text.first != "."
    else { return nil }
    return String(name)
  }

  /// Asks once, as the program will ask later: over https, or http to this machine, with certificates checked, and not
  /// more than the transport takes.
  private static func fetch(
    _ request: SampleRequest, named exchange: String, in context: Context, by handler: HTTPHandler
  ) async throws -> Sample {
    let address = try request.address()
    let parts = try ExchangeRequest(request)
    var headers = request.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
    if let user = address.user { headers.append(HTTPHeader(name: "Authorization", value: URLText.basic(user))) }
    let hasType = headers.contains { $0.name.lowercased() == "content-type" }
    if request.body != nil, !hasType { headers.append(HTTPHeader(name: "Content-Type", value: "application/json")) }
    let place = address.base + ExchangeRequest.shownPath(of: parts)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await handler(
        HTTPRequest(
          exchange: exchange, name: "sample", method: request.method, urls: [address.text], headers: headers,
          body: request.body, secrets: parts.hiddenTexts))
    } catch {
      throw CommandError.noAnswer("\(place): \(error)")
    }
    let sample = try Sample(
      bytes: response.body, request: request, arrival: response.arrival,
      headers: response.headers, name: place)
    if (300..<400).contains(response.status) {
      let target = response.headers.first { $0.name.lowercased() == "location" }?.value
      // What stands behind the path may be a secret.
      let shown = target.flatMap { try? SampleRequest(url: $0).address() }.map { $0.base + $0.path }
      throw CommandError.noAnswer(
        TerminalText.sanitized(
          "\(place) answered with status \(response.status), that it is elsewhere" + (shown.map { ": \($0)" } ?? "")))
    }
    guard response.status < 400 else {
      let words = ResponseOutline.firstWords(of: sample.bytes)
      throw CommandError.noAnswer(
        TerminalText.sanitized(
          "\(place) answered with status \(response.status)" + (words.isEmpty ? "" : ": \(words)")))
    }
    return sample
  }
}
