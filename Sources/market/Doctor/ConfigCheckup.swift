import Config
import Files
import JSON
import Lint
import Mapping
import MarketData

/// Which config is used, why, and whether it is sound.
struct ConfigCheckup {
  /// nil where there is none.
  let found: ConfigLocator.Found?
  /// nil where the text cannot be read.
  let configuration: Configuration?
  private(set) var checkups: [Checkup] = []

  /// - Parameter named: the file that the command line names.
  init(named: String?, in context: Context) {
    let locator = ConfigLocator(context)
    let found: ConfigLocator.Found
    let review: ConfigReview
    do {
      found = try locator.find(named: named)
      review = ConfigReview(
        .init(name: found.path, bytes: try found.read(), isUntrusted: found.isUntrusted),
        builtin: Self.shipped(locator), hooks: HookRegistry.shipped.names)
    } catch {
      self.found = nil
      configuration = nil
      checkups = [
        Checkup(.config, .problem, Self.sentence(error), help: "name one with --config FILE or MARKET_CONFIG")
      ]
      return
    }
    self.found = found
    configuration = review.configuration
    checkups = [
      Checkup(.config, .ok, "\(found.path), because of: \(found.origin)\(Self.overlooked(found, in: context))"),
      Self.checkup(of: review, found),
    ]
  }

  private static func checkup(of review: ConfigReview, _ found: ConfigLocator.Found) -> Checkup {
    let help = "market validate-config '\(found.path)' shows each of them"
    let first =
      review.findings.first.map {
        ": line \($0.place?.start.line ?? 1), \($0.code.rawValue) \($0.sentence)"
      } ?? ""
    if review.errorCount > 0 {
      return Checkup(.config, .problem, "\(count(review.errorCount, "error"))\(first)", help: help)
    }
    if review.warningCount > 0 {
      return Checkup(.config, .warning, "\(count(review.warningCount, "warning"))\(first)", help: help)
    }
    let exchanges = review.configuration?.exchanges.count ?? 0
    let providers = review.configuration?.providerNames.count ?? 0
    return Checkup(
      .config, .ok, "no errors in \(count(exchanges, "exchange")) and \(count(providers, "rate provider"))")
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Configs that are there and not used, since another comes first.
  private static func overlooked(_ found: ConfigLocator.Found, in context: Context) -> String {
    let others = [
      context.environment["MARKET_CONFIG"], "exchanges.json", context.paths.config.map { "\($0)/exchanges.json" },
    ]
    .compactMap(\.self).filter { !$0.isEmpty && $0 != found.path && FileSystem.isReadable($0) }
    return others.isEmpty ? "" : "; not used: \(others.joined(separator: ", "))"
  }

  /// The shipped config, for a file that extends it.
  private static func shipped(_ locator: ConfigLocator) -> SourceFile {
    guard let found = try? locator.shipped(), let bytes = try? FileSystem.read(found.path) else {
      return .init(name: "builtin", bytes: [])
    }
    return .init(name: found.path, bytes: bytes)
  }

  private static func sentence(_ error: any Error) -> String {
    if case CommandError.invalidConfig(let sentence)? = (error as? ConfigProblem)?.commandError { return sentence }
    return "\(error)"
  }
}
