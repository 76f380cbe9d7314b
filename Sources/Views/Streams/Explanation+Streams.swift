import Config
package import JSON
import Mapping
package import MarketData
import Quotes
import Terminal

/// Explanations of stream events: the connection, the message, and how the values were derived.
extension Explanation {
  /// How much of a message is shown: characters for people, bytes for programs.
  private static let shown = (characters: 400, bytes: 1 << 14)

  /// Returns the lines below an event; empty if it has no market data.
  package static func lines(of event: StreamEvent, _ language: Language = .english) -> [String] {
    guard event.isData else { return [] }
    guard let explanation = event.explanation else {
      return [
        language(
          "by REST: \(query(of: event)) --explain says where it comes from",
          "REST 조회: 출처는 \(query(of: event)) --explain")
      ]
    }
    let message = explanation.message
    let text = TerminalText.sanitized(self.text(of: message, most: shown.characters * 4))
    let isCut = text.count > shown.characters || message.text.count > shown.characters * 4
    var lines = [
      named(language("connection", "연결")) + "\(explanation.connection), \(explanation.address)",
      named(language("message", "메시지")) + "\(event.arrival.iso8601), "
        + language("\(message.text.count) bytes", "\(message.text.count)바이트")
        + ": \(text.prefix(shown.characters))" + (isCut ? "…" : ""),
    ]
    if message.isChange {
      lines.append(
        named(language("changes", "변경분"))
          + language("read with what earlier messages said", "이전 메시지와 합쳐 읽음"))
    }
    for record in message.records {
      if message.records.count > 1 { lines.append(language.words(for: record.subject)) }
      lines += record.fields.map { line(of: $0, language) }
    }
    if case .ticker(let row) = event.content {
      let flags = row.flags.map { "\($0.code) (\($0.message(language)))" }
      let passed = language("passed", "통과")
      lines.append(named(language("checks", "검증")) + (flags.isEmpty ? passed : flags.joined(separator: ", ")))
    }
    return lines.map { TerminalText.sanitized($0) }
  }

  /// nil if it did not come from a message.
  package static func json(of event: StreamEvent) -> JSONValue? {
    event.explanation.map { explanation in
      let message = explanation.message
      return [
        "connection": .string(explanation.connection), "address": .string(explanation.address),
        "message": .string(text(of: message, most: shown.bytes)), "bytes": .integer(message.text.count),
        "changes": .bool(message.isChange),
        "rows": .list(message.records) { ["row": .string("\($0.subject)")] + json(of: $0.fields) },
      ]
    }
  }

  private static func text(of message: ExplainedMessage, most: Int) -> String {
    String(decoding: message.text.prefix(most), as: UTF8.self)
  }

  /// Returns the command for the equivalent REST request.
  private static func query(of event: StreamEvent) -> String {
    let command =
      switch event.channel {
      case .ticker, .tickers, .offers: "show"
      case .trades, .orderbook, .candles: event.channel.rawValue
      }
    let pair = event.pair.map { " \($0.asset) \($0.payment)" } ?? ""
    return "market \(command)\(pair) -e \(event.exchange) -m \(event.market.rawValue)"
  }
}
