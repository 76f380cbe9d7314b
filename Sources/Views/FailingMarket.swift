import JSON
import Mapping
package import MarketData
package import Quotes

/// A queried market of an exchange and its failures.
package protocol FailingMarket {
  var exchange: String { get }
  var market: Market { get }
  /// A human-readable line; nil if nothing failed.
  var line: String? { get }
  /// The distinct reasons.
  var failureCodes: [String] { get }
  /// Whether it returned nothing, other than by the user's choice.
  var hasNothing: Bool { get }
  /// Whether a recording lacks the requests, in which case the line names them.
  var isUnrecorded: Bool { get }
}

extension FailingMarket {
  /// Returns the line with the URLs of the market's requests appended.
  fileprivate func line(naming requests: [RequestJournal.Entry]) -> String? {
    let own = requests.filter { $0.exchange == exchange && !$0.isKept && $0.name.hasPrefix("\(market.rawValue)-") }
    let addresses = own.map { "\($0.method) \($0.url)" }.unique
    let named = isUnrecorded || addresses.isEmpty ? "" : "; " + addresses.prefix(3).joined(separator: ", ")
    return line.map { $0 + named }
  }
}

extension Array where Element: FailingMarket {
  /// Returns one line per failed market; three or more with the same reason share one.
  ///
  /// - Parameters:
  ///   - isVerbose: whether each market gets its own line regardless, with the requested URLs.
  ///   - requests: all requests of the run.
  package func failureLines(isVerbose: Bool, _ requests: [RequestJournal.Entry] = []) -> [String] {
    let failed = filter { $0.line != nil }
    guard !failed.isEmpty else { return [] }
    guard !isVerbose else { return failed.compactMap { $0.line(naming: requests) } }
    let groups = Dictionary(grouping: failed, by: \.failureCodes)
    var written: Set<[String]> = []
    var lines = failed.compactMap { report -> String? in
      guard let group = groups[report.failureCodes], group.count >= 3 else { return report.line }
      guard written.insert(report.failureCodes).inserted else { return nil }
      let (codes, names) = (report.failureCodes.joined(separator: ", "), group.map(\.exchange).unique.shortList)
      return "\(group.count) markets: \(codes) (\(names); -v shows more)"
    }
    if failed.count >= 3, allSatisfy(\.hasNothing) {
      lines.append("no exchange answers; find out why with: market doctor --live")
    }
    // A market asked for several pairs may fail for all of them alike.
    return lines.unique
  }
}

extension ExchangeReport: FailingMarket {
  package var line: String? {
    guard hasFailed, let reason else { return nil }
    let detail = message.map { " (\($0))" } ?? ""
    let extent = status == .failed ? "" : ", in part"
    return "\(exchange) \(market.rawValue)\(extent): \(reason)\(detail)"
  }

  package var failureCodes: [String] { failures.map(\.failure.reason.code).unique }

  package var hasNothing: Bool { status == .failed || requests.isEmpty }

  package var isUnrecorded: Bool { failures.allSatisfy { $0.failure.reason == .notRecorded } }
}

extension ExchangeReport {
  /// `{"exchange": "Binance", "market": "spot", "status": "failed", "reason": "http-451", "message": …}`
  var json: JSONValue {
    [
      "exchange": .string(exchange), "market": .string(market.rawValue), "status": .string(shownStatus.rawValue),
      "reason": .text(reason), "message": .text(message),
    ]
  }
}
