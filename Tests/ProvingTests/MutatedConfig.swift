import Cassettes
import Files
import Hooks
import JSON
import Mapping
import MarketData
import Quotes
import TestSupport

@testable import Config
@testable import Proving

/// The shipped config with a mistake in it, tested on the shipped cassettes.
struct MutatedConfig {
  /// A value of the config and what is written in its place.
  struct Edit: Sendable {
    /// The keys, with dots in between. A missing last one is added.
    let path: String
    /// JSON.
    let text: String

    init(_ path: String, _ text: String) { (self.path, self.text) = (path, text) }
  }

  struct MissingPlace: Error { let path: String }

  private let configuration: Configuration
  private static let hooks = HookRegistry(shippedHooks)

  init(_ edits: [Edit] = []) throws {
    var bytes = try FileSystem.read(Checkout.path("exchanges.json"))
    for edit in edits { try Self.apply(edit, to: &bytes) }
    let file = try ConfigFile(name: "exchanges.json", bytes: bytes)
    configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
  }

  private static func apply(_ edit: Edit, to bytes: inout [UInt8]) throws {
    var node = try JSONDocument(parsing: bytes).root
    let keys = edit.path.split(separator: ".").map(String.init)
    for (index, key) in keys.enumerated() {
      guard let next = node[key] else {
        guard index == keys.count - 1, node.kind == .object else { throw MissingPlace(path: edit.path) }
        bytes.insert(contentsOf: Array("\"\(key)\": \(edit.text), ".utf8), at: node.byteRange.lowerBound + 1)
        return
      }
      node = next
    }
    bytes.replaceSubrange(node.byteRange, with: Array(edit.text.utf8))
  }

  static let exchangeNames: [String] = {
    (try? MutatedConfig().configuration.exchanges.map(\.name))?.filter {
      FileSystem.isFolder(Checkout.path("Tests/Cassettes/\($0)"))
    } ?? []
  }()

  private static func tester(of name: String, _ configuration: Configuration) throws -> ExchangeTester {
    let folder = Checkout.path("Tests/Cassettes/\(name)")
    let settings = configuration.settings
    let options = Interpretation(
      globalAliases: configuration.aliases,
      check: MeaningCheck(
        staleAfterMilliseconds: settings.staleAfterMilliseconds, identityPercent: settings.identityPercent),
      hooks: hooks)
    return ExchangeTester(
      try CassettePlayer(directory: folder), try StreamTape.all(in: folder),
      credentials: Credentials(nil) { _ in "secret" },
      options)
  }

  func tested(_ name: String) async throws -> TestedExchange? {
    guard let source = configuration.exchange(named: name),
      let exchange = configuration.read(source, hooks: Self.hooks.names).exchange
    else { return nil }
    return await (try Self.tester(of: name, configuration)).test(exchange)
  }

  /// Returns the problems of an exchange, with their help; nil if its block is invalid.
  func problems(of name: String) async throws -> [String]? { try await tested(name)?.problems.map(Self.text) }

  /// Returns the problems of rate providers, all that have recordings by default, after their comparison.
  func providerProblems(of names: [String]? = nil) async throws -> [String] {
    var all: [TestedExchange] = []
    for name in names ?? configuration.providerNames
    where FileSystem.isFolder(Checkout.path("Tests/Cassettes/\(name)")) {
      guard let provider = configuration.readProvider(name, hooks: Self.hooks.names).provider else {
        all.append(TestedExchange(broken: name, in: "exchanges.json"))
        continue
      }
      all.append(await (try Self.tester(of: name, configuration)).test(provider))
    }
    return RateComparison(all).exchanges.flatMap { tested in
      tested.problems.map { "\(tested.name): \(Self.text($0))" }
    }
  }

  private static func text(_ finding: Finding) -> String {
    finding.message + (finding.help.map { " | \($0)" } ?? "")
  }
}
