import Mapping
package import MarketData
import Quotes
import Terminal

/// The requests of a run as listed by `--verbose`: what each was, its outcome, duration and size.
///
///     3 requests, 51 kB; 1 sent again; 1 kept answer
///     Binance  spot-BTC-USDT  200       84 ms  310 B                https://api.binance.com/…
///     Kraken   pairs                            48 kB  kept          https://api.kraken.com/…
///     Slow     spot-tickers   timeout  5001 ms         sent 3 times  https://…
package struct RequestList {
  private let entries: [RequestJournal.Entry]

  /// - Parameter entries: in the order of the requests.
  package init(_ entries: [RequestJournal.Entry]) {
    // Sorted by name, keeping the order within each exchange.
    self.entries = entries.ranked { $0.exchange.lowercased() }
  }

  /// Empty if there were no requests.
  package var lines: [String] {
    guard !entries.isEmpty else { return [] }
    var table = Table(columns: [
      TableColumn("exchange"), TableColumn("request"), TableColumn("status"), TableColumn("time", .right),
      TableColumn("bytes", .right), TableColumn("", minimumWidth: 0), TableColumn("address"),
    ])
    for entry in entries { table.addRow(cells(of: entry).map { StyledText($0) }) }
    let rows = table.rendered(width: nil, palette: .plain).split(separator: "\n").map(String.init)
    return [summary] + rows
  }

  private var summary: String {
    let asked = entries.count { !$0.isKept }
    let bytes = entries.reduce(0) { $0 + ($1.isKept ? 0 : $1.bytes ?? 0) }
    let again = entries.count { $0.sendings > 1 }
    let kept = entries.count - asked
    var parts = ["\(asked.counted("request")), \(bytes.byteText)"]
    if again > 0 { parts.append("\(again) sent again") }
    if kept > 0 { parts.append(kept.counted("kept answer")) }
    return parts.joined(separator: "; ")
  }

  private func cells(of entry: RequestJournal.Entry) -> [String] {
    let status: String
    switch entry.outcome {
    case .answered(let code, _)?: status = "\(code)"
    case .failed(let failure)?: status = failure.reason.code
    case .kept?: status = ""
    case nil: status = "unanswered"
    }
    return [
      entry.exchange, entry.name, status, entry.hasTime ? "\(entry.nanoseconds / 1_000_000) ms" : "",
      entry.bytes?.byteText ?? "", remark(on: entry),
      entry.method == "GET" ? entry.url : "\(entry.method) \(entry.url)",
    ]
  }

  private func remark(on entry: RequestJournal.Entry) -> String {
    if entry.isKept { return "kept" }
    if entry.isRecorded { return "recorded" }
    if case .answered? = entry.outcome, entry.sendings == 0 { return "joined" }
    return entry.sendings > 1 ? "sent \(entry.sendings) times" : ""
  }
}

extension RequestJournal.Entry {
  /// Whether a server was waited for.
  fileprivate var hasTime: Bool {
    if case .failed(let failure)? = outcome, failure.reason == .notRecorded { return false }
    return !isKept && !isRecorded
  }

  /// The size of the received body; nil if there was none.
  fileprivate var bytes: Int? {
    switch outcome {
    case .answered(_, let bytes)?, .kept(let bytes)?: bytes
    case .failed?, nil: nil
    }
  }
}

extension Int {
  /// The number as a size: `310 B`, `48 kB`, `1.2 MB`.
  fileprivate var byteText: String {
    switch self {
    case ..<1000: "\(self) B"
    case ..<1_000_000: "\(self / 1000) kB"
    default: "\(self / 1_000_000).\(self / 100_000 % 10) MB"
    }
  }
}
