import JSON
import Mapping
package import MarketData
package import Quotes

/// A queried market of an exchange and its failures.
package protocol FailingMarket {
  var exchange: String { get }
  var market: Market { get }
  /// Returns a human-readable line; nil if nothing failed.
  ///
  /// - Parameter option: what another command needs to find the same config: ` -c FILE`.
  func line(_ option: String) -> String?
  /// The distinct reasons.
  var failureCodes: [String] { get }
  /// Whether it returned nothing, other than by the user's choice.
  var hasNothing: Bool { get }
}

extension Array where Element: FailingMarket {
  /// Returns one line per failed market; three or more with the same reason share one, without or with a partial answer.
  ///
  /// - Parameters:
  ///   - isVerbose: whether each market gets its own line regardless.
  ///   - isReplay: whether recordings were asked, about which the doctor's questions to the exchanges say nothing.
  ///   - option: what another command needs to find the same config: ` -c FILE`.
  package func failureLines(isVerbose: Bool, isReplay: Bool = false, option: String = "") -> [String] {
    let failed = filter { $0.line(option) != nil }
    guard !failed.isEmpty else { return [] }
    guard !isVerbose else { return failed.compactMap { $0.line(option) } }
    func key(_ report: Element) -> [String] { report.failureCodes + (report.hasNothing ? [] : ["in part"]) }
    let groups = Dictionary(grouping: failed, by: key)
    var written: Set<[String]> = []
    var lines = failed.compactMap { report -> String? in
      guard let group = groups[key(report)], group.count >= 3 else { return report.line(option) }
      guard written.insert(key(report)).inserted else { return nil }
      let (codes, names) = (report.failureCodes.joined(separator: ", "), group.map(\.exchange).unique.shortList)
      return "\(group.count) markets\(report.hasNothing ? "" : ", in part"): \(codes) (\(names); -v shows more)"
    }
    if !isReplay, failed.count >= 3, allSatisfy(\.hasNothing) {
      lines.append("no exchange answers; find out why with: market doctor --live\(option)")
    }
    // A market asked for several pairs may fail for all of them alike.
    return lines.unique
  }
}

extension ExchangeReport: FailingMarket {
  package func line(_ option: String) -> String? {
    guard hasFailed, let reason else { return nil }
    let detail = message.map { " (\($0))" } ?? ""
    let extent = status == .failed ? "" : ", in part"
    let advice =
      failures.contains { $0.failure.reason == .noSecret }
      ? AccountAdvice.words(for: .noSecret, of: exchange, option) : nil
    return "\(exchange) \(market.rawValue)\(extent): \(reason)\(detail)" + (advice.map { "; \($0)" } ?? "")
  }

  package var failureCodes: [String] { failures.map(\.failure.reason.code).unique }

  package var hasNothing: Bool { status == .failed || requests.isEmpty }
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
