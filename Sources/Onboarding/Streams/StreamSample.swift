import Cassettes
import Config
import Files
import HTTP
import Inference
import JSON
import Lint
import MarketData
import Proving
import Quotes

/// Recorded messages, and what is known about their connection.
struct StreamSample {
  /// With the time of reading if that of arrival is unknown; nil for bytes that are neither text nor compressed text.
  let messages: [(at: Instant, bytes: [UInt8]?)]
  /// nil if only messages were saved.
  let url: String?
  let sent: [String]

  /// The maximum file size in bytes.
  private static let limit = 64 << 20

  /// - Parameter path: A recording, or a file with one message per line.
  init(_ path: String, now: Instant) throws(OnboardingProblem) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(path, limit: Self.limit, from: .anything).withoutByteOrderMark
    } catch {
      throw .file(error)
    }
    if let tape = try? StreamTape(parsing: bytes, file: path) {
      (messages, url, sent) = (tape.messages, tape.url, tape.sent)
      return
    }
    let isWhole = (try? JSONDocument(parsing: bytes)) != nil
    let lines = isWhole ? [bytes] : bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    messages = lines.filter { line in line.contains { $0 > 0x20 } }.map { (now, $0) }
    (url, sent) = (nil, [])
  }

  func inference(beside rows: [Ticker], of spec: TableSpec) -> StreamInference {
    var inference = StreamInference(
      messages.compactMap(\.bytes), beside: rows, of: spec, tablePaths: StreamInference.plainPaths(of: spec))
    inference.lacksVolume = rows.allSatisfy { $0.volume24.value == nil && $0.turnover24.value == nil }
    return inference
  }

  /// Returns the block of `streams` with a channel; if a recording contains them, with the URL and the subscription.
  func block(_ channel: StreamChannel, _ members: ConfigValue, _ rows: [Ticker]) -> ConfigValue {
    var block = ConfigValue.object([])
    let recorded = RecordedSubscription(rows.map(\.symbol))
    if let url = publicURL {
      // If nothing was sent, it may be the address that names the pair.
      let named = sent.isEmpty ? recorded.template(of: [url]) : nil
      block.set(["urls"], to: .list([named ?? .text(url)]))
      if named != nil { block.set(["max"], to: .number("1")) }
    }
    var own = members
    if let subscription = recorded.template(of: sent) {
      own = .object([("subscribe", subscription)] + (members.members ?? []))
    }
    block.set([channel.rawValue], to: own)
    return block
  }

  /// The address, unless it has a secret, or a mark in place of one: what is secret in that of a request is so here.
  private var publicURL: String? {
    guard let url, url.hasPrefix("wss://"), !url.contains(Redaction.mark), SecretShape.keys(in: url).isEmpty else {
      return nil
    }
    let request = try? ExchangeRequest(SampleRequest(url: "https" + url.dropFirst(3)))
    return request?.secrets.isEmpty == true ? url : nil
  }
}
