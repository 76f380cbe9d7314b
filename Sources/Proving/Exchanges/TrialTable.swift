package import Config
import HTTP
package import Mapping
package import MarketData
package import Quotes

/// One table of a trial: all pairs of a part, or one pair by its own request.
package struct TrialTable: Sendable {
  package let market: Market
  /// nil: all pairs.
  package let pair: Pair?
  /// What tells the parts of one market apart: `category=linear`, else the payment currencies; empty where there is one.
  package let part: String
  package let spec: TableSpec
  package let gathered: GatheredTable
  /// What was asked for it, lookups included.
  package let answers: [TrialAnswer]
  package let trial: TableTrial
  /// The members of the answer; nil where it has no rows.
  package let shape: AnswerShape?
  /// The same of each lookup that answered.
  package let lookupShapes: [String: AnswerShape]

  init(
    _ market: Market, part: String, pair: Pair?, _ spec: TableSpec, _ gathered: GatheredTable,
    _ answers: [TrialAnswer], hooks: HookRegistry
  ) {
    self.market = market
    self.part = part
    self.pair = pair
    self.spec = spec
    self.gathered = gathered
    self.answers = answers
    trial = TableTrial(gathered.table.rows, of: spec)
    func answer(_ name: (String) -> Bool) -> HTTPResponse? {
      answers.first { name($0.request.name) && $0.response != nil }?.response
    }
    shape = answer { !$0.hasPrefix(Self.lookupPrefix) }.flatMap { AnswerShape($0, of: spec, hooks: hooks) }
    var shapes: [String: AnswerShape] = [:]
    for lookup in spec.lookups where lookup.request != nil {
      shapes[lookup.name] = answer { $0 == Self.lookupPrefix + lookup.name }
        .flatMap { AnswerShape($0, of: lookup, in: spec, hooks: hooks) }
    }
    lookupShapes = shapes
  }

  /// How requests for lookups are named.
  static let lookupPrefix = "lookup-"

  /// The table's name in messages: `spot`, `futures category=linear`, `spot BTC/USDT`.
  package var name: String {
    [market.rawValue, part, pair.map { "\($0)" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The answer of the table itself as JSON; nil where there is none.
  package func body(_ hooks: HookRegistry) -> [UInt8]? {
    let response = answers.first { !$0.request.name.hasPrefix(Self.lookupPrefix) }?.response
    guard let response else { return nil }
    guard let name = spec.hook else { return response.body }
    return try? hooks[name]?.json(from: response.body)
  }

  /// What was answered for the table, or for one of its lookups, as JSON.
  func side(_ hooks: HookRegistry, lookup: LookupSpec? = nil) -> DriftSide {
    let own = answers.filter { answer in
      guard let lookup else { return !answer.request.name.hasPrefix(Self.lookupPrefix) }
      return answer.request.name == Self.lookupPrefix + lookup.name
    }
    return DriftSide(own.compactMap(\.response), hook: lookup == nil ? spec.hook : lookup?.hook, hooks)
  }

  /// What the exchange says of why it has no row: its code and its words.
  func refusal(_ hooks: HookRegistry) -> (code: String?, message: String?)? {
    body(hooks).flatMap { spec.success.words(in: $0) }
  }

  var rows: [TickerRow] { gathered.table.rows }
  var failures: [TableFailure] { gathered.table.failures.map(\.failure) }
  var isUnlisted: Bool { rows.isEmpty && !failures.isEmpty && failures.allSatisfy { $0.reason == .notListed } }
}

extension DriftSide {
  /// - Parameter hook: what turns the bodies into JSON, where they are none.
  init(_ responses: some Sequence<HTTPResponse>, hook: String?, _ hooks: HookRegistry) {
    // Hundreds of answers, one for each pair, say no more than the first of them.
    let first = responses.filter { (200..<300).contains($0.status) }.prefix(50)
    self.init(
      bodies: first.compactMap { response in
        hook.map { try? hooks[$0]?.json(from: response.body) } ?? response.body
      }, arrival: first.compactMap(\.arrival).max())
  }
}
