import Config
import Files
import HTTP
import JSON
import Quotes
import Shell

/// A response to learn from, and what is known about its origin.
struct Sample {
  /// Without a byte order mark, and without the request's secrets, in case the exchange has echoed them.
  let bytes: [UInt8]
  /// The corresponding request; nil for a file without that information.
  var request: SampleRequest?
  /// When it arrived; nil for a file.
  let arrival: Instant?
  /// When a recorded answer arrived, according to the file beside it; nil for any other.
  let recorded: Instant?
  /// When it was answered, as far as is known.
  var moment: Instant? { arrival ?? recorded }
  /// As received; empty for a file.
  let headers: [HTTPHeader]
  /// A human-readable name: a path, or a URL without its query.
  let name: String

  init(
    bytes: [UInt8], request: SampleRequest?, arrival: Instant?, recorded: Instant? = nil,
    headers: [HTTPHeader] = [], name: String
  ) throws(OnboardingProblem) {
    let secrets =
      try request.map { request throws(OnboardingProblem) in try ExchangeRequest(request).hiddenTexts } ?? []
    self.bytes = Redaction(secrets)(bytes.withoutByteOrderMark)
    (self.request, self.arrival, self.recorded) = (request, arrival, recorded)
    (self.headers, self.name) = (headers, name)
  }
}

/// The source of a sample.
enum SampleSource {
  case file(String)
  case input
  case wire(SampleRequest)

  /// - Parameter text: A path, a URL, or `-`.
  init(_ text: String) {
    let isAddress = text.contains("://") && !FileSystem.exists(text)
    self = text == "-" ? .input : isAddress ? .wire(SampleRequest(url: text)) : .file(text)
  }

  /// - Parameters:
  ///   - request: The sample's request, if known from a curl line.
  ///   - pair: The pair for `{asset}` and `{payment}` in a URL.
  func sample(
    answering request: SampleRequest? = nil, named exchange: String, pair: Pair?, in context: OnboardingContext
  ) async throws(OnboardingProblem) -> Sample {
    switch self {
    case .file(let path):
      if let host = Self.host(in: path) { throw .looksLikeHost(Self.scheme(of: host) + host) }
      let bytes: [UInt8]
      do throws(FileError) { bytes = try FileSystem.read(path, from: .anything) } catch { throw .file(error) }
      return try Sample(
        bytes: bytes, request: request, arrival: nil, recorded: Self.recordedArrival(beside: path), name: path)
    case .input:
      let bytes: [UInt8]
      do throws(FileError) { bytes = try context.context.input() } catch { throw .file(error) }
      return try Sample(bytes: bytes, request: request, arrival: context.now(), name: "standard input")
    case .wire(let own):
      return try await Self.fetch(try (request ?? own).filled(for: pair), named: exchange, in: context)
    }
  }

  /// Returns when the answer in `01-tickers.body` of a recording arrived, as `01-tickers.json` beside it says.
  private static func recordedArrival(beside path: String) -> Instant? {
    guard path.hasSuffix(".body"), let bytes = try? FileSystem.read(path.dropLast(5) + ".json"),
      let text = (try? JSONDocument(parsing: bytes))?.root["arrival"]?.string
    else { return nil }
    return Instant.iso8601(text, defaultOffsetSeconds: 0)
  }

  /// Creates a source from user input, in which URLs may lack a scheme.
  init(typed text: String) {
    guard !text.contains("://"), let host = Self.host(in: text) else {
      self.init(text)
      return
    }
    self = .wire(SampleRequest(url: Self.scheme(of: host) + text))
  }

  private static func scheme(of host: String) -> String { HostName(of: host).isLoopback ? "http://" : "https://" }

  /// Returns what looks like the host of a URL without scheme, unless there is a file with that name.
  private static func host(in text: String) -> String? {
    guard !FileSystem.exists(text), text.contains("/") || text.contains("?") else { return nil }
    let host = text.prefix { $0 != "/" && $0 != "?" }
    let name = host.split(separator: "@").last ?? ""
    let labels = name.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
    if HostName(of: name).isLoopback { return String(name) }
    guard labels.count >= 2,
      labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }),
      text.first != "."
    else { return nil }
    return String(name)
  }

  /// Sends one request, under the same rules as later: https, or http to this machine, with certificate checks and the
  /// transport's size limit.
  private static func fetch(
    _ request: SampleRequest, named exchange: String, in context: OnboardingContext
  ) async throws(OnboardingProblem) -> Sample {
    let address = try request.address()
    let parts = try ExchangeRequest(request)
    var headers = request.headers
    if let user = address.user { headers.append(HTTPHeader(name: "Authorization", value: URLText.basic(user))) }
    if request.body != nil, headers.first(named: "content-type") == nil {
      headers.append(HTTPHeader(name: "Content-Type", value: "application/json"))
    }
    let place = address.base + parts.shownPath
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await context.handler(
        HTTPRequest(
          exchange: exchange, name: "sample", method: request.method, urls: [address.text], headers: headers,
          body: request.body, secrets: parts.hiddenTexts))
    } catch {
      throw .transport(place: place, error)
    }
    let sample = try Sample(
      bytes: response.body, request: request, arrival: response.arrival, headers: response.headers, name: place)
    if (300..<400).contains(response.status) {
      let target = response.headers.first(named: "location")
      // Anything after the path may be a secret.
      let shown = target.flatMap { try? SampleRequest(url: $0).address() }.map { $0.base + $0.path }
      throw .moved(place: place, status: response.status, target: shown)
    }
    guard response.status < 400 else {
      throw .refused(place: place, status: response.status, words: ResponseOutline.firstWords(of: sample.bytes))
    }
    return sample
  }
}

/// A `--from-sample` value: the source of an answer, optionally with what it answers.
struct SampleWord {
  /// As written; nil if there is none.
  let label: String?
  /// The text after it.
  let text: String
  var source: SampleSource { SampleSource(text) }

  /// Returns whether a word means standard input, with or without a label. URLs may end like that as well.
  static func readsInput(_ text: String) -> Bool {
    text == "-" || text.hasSuffix("=-") && !text.contains("://") && !FileSystem.exists(text)
  }

  /// - Parameter labels: The valid labels before `=`. If a file's name looks like one, it is the file.
  init(_ text: String, labels: [String]) {
    let known = FileSystem.exists(text) ? nil : labels.first { text.hasPrefix($0 + "=") }
    label = known
    self.text = known.map { String(text.dropFirst($0.count + 1)) } ?? text
  }
}
