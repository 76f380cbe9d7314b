import Cassettes
import Files
import Hooks
import JSON
import Mapping
import MarketData
import Quotes
import TestSupport
import Transport

@testable import Config
@testable import Proving

/// An exchange of the shipped config with its recordings: takes the text of a block, returns the verdict of a trial.
struct RecordedExchange: Sendable {
  /// The outcome of a trial.
  enum Verdict: Equatable, Sendable {
    /// The block cannot be read at all.
    case broken
    /// The checks report problems.
    case problems([String])
    /// The rows differ from those of the shipped block.
    case otherRows([String])
    case same
  }

  let name: String
  /// The range of the exchange's block in the config.
  let block: Range<Int>
  private let player: CassettePlayer
  /// The text around the block in a config of its own.
  private let head: [UInt8]
  private let tail: [UInt8]
  /// The rows that the unchanged block yields.
  let rows: KeptRows
  let problems: [Finding]
  private let hasPair: Set<String>
  private let hasBook: Set<String>

  /// Returns nil if there are no recordings of the exchange.
  init?(_ member: JSONMembers.Element, in document: JSONDocument) async throws {
    let folder = Checkout.path("Tests/Cassettes/\(member.name)")
    guard FileSystem.isFolder(folder) else { return nil }
    name = member.name
    block = member.value.byteRange
    player = try CassettePlayer(directory: folder)
    let aliases = document.root["aliases"].map { Array(document.bytes[$0.byteRange]) } ?? Array("{}".utf8)
    head = Array("{\"version\":1,\"aliases\":".utf8) + aliases + Array(",\"exchanges\":{\"\(member.name)\":".utf8)
    var tail: [UInt8] = []
    if let like = member.value["like"]?.string, let base = document.root["exchanges"]?[like] {
      tail = Array(",\"\(like)\":".utf8) + document.bytes[base.byteRange]
    }
    self.tail = tail + Array("}}".utf8)
    guard
      let clean = try await Self.tested(
        of: name, head + document.bytes[member.value.byteRange] + self.tail, player.rewound())
    else { throw BrokenBlock(name: member.name) }
    rows = clean.rows
    problems = clean.problems
    hasPair = Set(clean.tables.filter { $0.pair != nil }.map(\.market.rawValue))
    hasBook = Set(clean.blocks.filter { $0.kind == .orderbook }.map(\.market.rawValue))
  }

  struct BrokenBlock: Error { let name: String }

  /// Returns whether there is a recording of the block's request.
  func covers(_ block: DataMutation.Block?) -> Bool {
    guard let block else { return true }
    return (block.name == "ticker" ? hasPair : hasBook).contains(block.market)
  }

  func verdict(on block: [UInt8]) async -> Verdict {
    let text = head + block + tail
    guard let tested = try? await Self.tested(of: name, text, player.rewound()) else { return .broken }
    let problems = tested.problems.map(\.message) + ((try? Self.wrongSignatures(of: name, text)) ?? [])
    if !problems.isEmpty { return .problems(problems) }
    let differences = tested.rows.differences(from: rows, of: name)
    return differences.isEmpty ? .same : .otherRows(differences.map(\.message))
  }

  /// Returns nil if the text is not a config with that exchange.
  private static func tested(of name: String, _ text: [UInt8], _ player: CassettePlayer) async throws -> TestedExchange?
  {
    let file = try ConfigFile(name: "exchanges.json", bytes: text)
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    guard !configuration.diagnostics.contains(where: { $0.severity == .error }),
      let source = configuration.exchange(named: name),
      let exchange = configuration.read(source, hooks: hooks.names).exchange
    else { return nil }
    let options = Interpretation(
      globalAliases: configuration.aliases, check: MeaningCheck(configuration.settings), hooks: hooks)
    return await ExchangeTester(player, credentials: Credentials(nil) { _ in "secret" }, options).test(exchange)
  }

  /// Returns the known answers that do not match.
  private static func wrongSignatures(of name: String, _ text: [UInt8]) throws -> [String] {
    let file = try ConfigFile(name: "exchanges.json", bytes: text)
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    guard let source = configuration.exchange(named: name),
      let account = configuration.read(source, hooks: hooks.names).exchange?.account
    else { return [] }
    return account.signers.flatMap { signer in
      signer.auth.vectors.filter {
        $0.difference(from: signer.auth, baseURL: signer.baseURLs.first ?? "", crypto: CryptoLibrary()) != nil
      }.map { _ in "a known answer does not come out" }
    }
  }

  private static let hooks = HookRegistry(shippedHooks)
}

extension MeaningCheck {
  fileprivate init(_ settings: Settings) {
    self.init(staleAfterMilliseconds: settings.staleAfterMilliseconds, identityPercent: settings.identityPercent)
  }
}
