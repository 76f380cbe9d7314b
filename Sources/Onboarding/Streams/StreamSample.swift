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
    StreamInference(
      messages.compactMap(\.bytes), beside: rows, of: spec, tablePaths: StreamInference.plainPaths(of: spec))
  }

  /// Returns the block of `streams` with a channel; if a recording contains them, with the URL and the subscription.
  func block(_ channel: StreamChannel, _ members: ConfigValue, _ rows: [Ticker]) -> ConfigValue {
    var block = ConfigValue.object([])
    if let url = publicURL { block.set(["urls"], to: .list([.text(url)])) }
    var own = members
    if let subscription = subscription(rows) {
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

  /// Returns what was sent about a pair, with templates in its place; nil if there is nothing.
  private func subscription(_ rows: [Ticker]) -> ConfigValue? {
    guard !sent.isEmpty else { return nil }
    let symbols = Set(rows.map(\.symbol)).filter { $0.count >= 5 }.sorted { ($0.count, $0) > ($1.count, $1) }
      .map { (text: $0, upper: $0.uppercased()) }
    for text in sent {
      let upper = text.uppercased()
      for symbol in symbols where upper.contains(symbol.upper) {
        for (spelled, template) in [
          (symbol.text, "{symbol}"), (symbol.text.lowercased(), "{symbol|lower}"), (symbol.upper, "{symbol|upper}"),
        ] where text.contains(spelled) {
          // The message's own braces are those of its JSON.
          guard let document = try? JSONDocument(parsing: Array(text.replacing(spelled, with: template).utf8)) else {
            continue
          }
          return ConfigValue(document.root)
        }
      }
    }
    return nil
  }
}
