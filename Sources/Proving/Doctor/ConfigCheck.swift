package import Config
import JSON
import Lint
package import MarketData
import Quotes
import Transport

/// Checks whether the config is valid, and how many calls the rate providers still allow.
package enum ConfigCheck {
  /// Returns which config is used, why, and whether it is valid; no config if none is found, or it is unreadable.
  ///
  /// - Parameters:
  ///   - named: The file given on the command line.
  ///   - hooks: The names of the available hooks.
  package static func findings(
    _ locator: ConfigLocator, named: String?, hooks: [String]
  ) -> (Configuration?, [Finding]) {
    do {
      let found = try locator.find(named: named)
      let review = ConfigReview(
        try found.source(), builtin: locator.builtin, hooks: hooks, crypto: CryptoLibrary())
      let others = locator.shadowed(by: found)
      let unused = others.isEmpty ? "" : "; not used: \(others.joined(separator: ", "))"
      let use = Finding(.config, .configInUse, .ok, "\(found.path) (\(found.origin))\(unused)")
      return (review.configuration, [use, finding(review, at: found.path)])
    } catch {
      let help = "name one with --config FILE or MARKET_CONFIG"
      return (nil, [Finding(.config, .configInUse, .error, "\(error)", help: help)])
    }
  }

  /// Returns one line about all problems of a config.
  private static func finding(_ review: ConfigReview, at path: String) -> Finding {
    let help = "market validate-config '\(path)' shows each of them"
    let first = review.findings.first.map { finding in
      // The text that a config extends has lines of its own.
      let file = finding.place.map(\.file.name) ?? path
      let lead = file == path ? "" : "\(file) "
      return ": \(lead)line \(finding.place?.start.line ?? 1), \(finding.code.rawValue) \(finding.sentence)"
    }
    if let first {
      let (count, severity): (String, Finding.Severity) =
        review.errorCount > 0
        ? (review.errorCount.counted("error"), .error) : (review.warningCount.counted("warning"), .warning)
      return Finding(.config, .configFindings, severity, count + first, help: help)
    }
    let exchanges = (review.configuration?.exchanges.count ?? 0).counted("exchange")
    let providers = (review.configuration?.providerNames.count ?? 0).counted("rate provider")
    return Finding(.config, .configFindings, .ok, "no errors in \(exchanges) and \(providers)")
  }

  /// - Parameter used: Returns the calls to a provider in its current day or month; nil if none were counted.
  package static func budgets(of configuration: Configuration?, used: (RateProvider) -> Int?) -> [Finding] {
    (configuration?.providerNames ?? []).compactMap { name in
      guard let provider = configuration?.readProvider(name).provider, provider.isEnabled, let budget = provider.budget
      else { return nil }
      let whole = "\(budget.calls) calls per \(budget.per.rawValue)"
      guard let used = used(provider) else {
        return Finding(.budget, .callBudget, .ok, "\(name): \(whole), none counted so far")
      }
      let left = max(0, budget.calls - used)
      let text = "\(name): \(left) of \(whole) left"
      guard left == 0 else { return Finding(.budget, .callBudget, left * 10 < budget.calls ? .warning : .ok, text) }
      let help = "it is not called again before the next \(budget.per.rawValue)"
      return Finding(.budget, .callBudget, .error, text, help: help)
    }
  }
}
