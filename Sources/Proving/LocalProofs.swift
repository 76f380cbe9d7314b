package import Config
package import Quotes
import Transport

/// The dates when an exchange's live answers last passed every check on this machine, with its current block.
package struct LocalProofs {
  private let cache: DiskCache?

  /// - Parameter folder: That of the caches; nil to remember nothing.
  package init(in folder: String?) { cache = folder.map { DiskCache(directory: "\($0)/proofs") } }

  /// Returns a date such as `2026-11-22`; nil if the block has never been proved here, or has changed since.
  package func day(of source: ExchangeSource) -> String? {
    guard let bytes = cache?.latest(Self.key(source)), let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    return text.utf8.count == 10 ? text : nil
  }

  /// Remembers the exchanges without any problems.
  package func remember(_ reports: [TestedExchange], of configuration: Configuration, at moment: Instant) {
    for report in reports where report.problems.isEmpty && !report.tables.isEmpty {
      if let source = configuration.exchange(named: report.name) { remember(source, at: moment) }
    }
  }

  package func remember(_ source: ExchangeSource, at moment: Instant) {
    cache?.put(Self.key(source), Array(moment.iso8601.prefix(10).utf8), now: moment)
  }

  private static func key(_ source: ExchangeSource) -> String {
    "\(source.name) \(DiskCache.fingerprint(of: source.text))"
  }
}
