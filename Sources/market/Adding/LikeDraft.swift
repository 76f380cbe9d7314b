import Adapters
import Catalog
import JSON
import Quotes

/// A new venue that starts from another one: only what does not fit the sample is written.
struct LikeDraft {
  /// A key that the new venue has of its own.
  struct Difference {
    /// As in the config: `fields.bid`.
    let key: String
    let value: ConfigValue
    /// What the family has there; nil for nothing.
    let inherited: String?
    let reason: String
  }

  private(set) var differences: [Difference] = []
  /// How the sample reads after this; nil without a sample.
  private(set) var preview: SamplePreview?

  let name: String
  let family: Venue
  private let options: AddingOptions
  let baseURLs: [String]
  private let draft: ConfigDraft
  private let context: Context

  var market: Market { options.market }

  /// - Parameter baseURLs: where the new venue answers.
  init(
    _ name: String, like family: String, baseURLs: [String], _ options: AddingOptions, _ draft: ConfigDraft,
    in context: Context
  ) throws {
    self.name = name
    self.options = options
    self.baseURLs = baseURLs
    self.draft = draft
    self.context = context
    let catalog = try draft.catalog()
    guard let source = catalog.venue(named: family) else {
      let near = Spelling.suggestion(for: family, among: catalog.venueNames).map { "; did you mean '\($0)'?" } ?? ""
      throw CommandError.noAnswer("there is no exchange '\(family)' to start from\(near)")
    }
    guard let venue = catalog.read(source).venue else {
      throw CommandError.noAnswer("'\(source.name)' is broken itself; see validate-config")
    }
    guard venue.market(options.market) != nil else {
      throw CommandError.noAnswer("'\(venue.name)' has no \(options.market.rawValue) market")
    }
    self.family = venue
  }

  /// The text of the block.
  var block: ConfigValue { block(with: differences) }

  private func block(with differences: [Difference]) -> ConfigValue {
    var content: [(name: String, value: ConfigValue)] = []
    var tickers: [(name: String, value: ConfigValue)] = []
    var fields: [(name: String, value: ConfigValue)] = []
    for difference in differences {
      if difference.key.hasPrefix("fields.") {
        fields.append((String(difference.key.dropFirst(7)), difference.value))
      } else if difference.key == "ticker" {
        content.append((difference.key, difference.value))
      } else {
        tickers.append((difference.key, difference.value))
      }
    }
    if !fields.isEmpty { tickers.append(("fields", .object(fields))) }
    if !tickers.isEmpty { content.insert(("tickers", .object(tickers)), at: 0) }
    // The other side of the family stands on hosts of its own, and nothing is known of it here.
    var markets = family.markets.filter { $0.market != market }.map { ($0.market.rawValue, ConfigValue.raw("null")) }
    if !content.isEmpty { markets.insert((market.rawValue, .object(content)), at: 0) }
    var members: [(name: String, value: ConfigValue)] = [
      ("like", .text(family.name)), ("baseUrls", .list(baseURLs.map { .text($0) })),
    ]
    if !markets.isEmpty { members.append(("markets", .object(markets.map { (name: $0.0, value: $0.1) }))) }
    return .object(members)
  }

  // MARK: What was said

  /// Keys that the options give, without a look at any sample.
  mutating func take(_ request: VenueBlock.Request?) throws {
    if let request { takeRequest(request) }
    if let rows = options.hints.rows { add("rows", .text(rows), "given") }
    for role in Role.allCases {
      let field = role.field.rawValue
      if options.excluded.contains(role) {
        add("fields.\(field)", .raw("null"), "given")
      } else if let path = options.hints.paths[role] {
        var proposal = RoleProposal(role: role, path: path)
        if role == .change {
          guard let basis = options.changeBasis else {
            throw UsageProblem.other("--change needs --change-basis beside it")
          }
          proposal.basis = basis
          proposal.scale = options.changeUnit == "ratio" ? 100 : options.changeScale
        }
        if role == .time {
          guard let form = options.timeForm else { throw UsageProblem.other("--time needs --time-unit beside it") }
          proposal.timeForm = form
        }
        add("fields.\(field)", VenueBlock.value(of: proposal), "given")
      }
    }
  }

  private mutating func takeRequest(_ request: VenueBlock.Request) {
    guard let spec = family.market(market)?.tickers.first else { return }
    let value = VenueBlock.value(of: request)
    let own = spec.request.node["path"]?.json.string
    let query = spec.request.node["query"]?.members.map { [$0.name, $0.value.json.scalarText ?? ""] } ?? []
    if own == request.path, query == request.query.map({ [$0.name, $0.value] }) { return }
    add("request", value, "given")
    if family.market(market)?.ticker.isEmpty == false {
      add("ticker", .raw("null"), "where a single pair is asked for is not known")
    }
  }

  private mutating func add(_ key: String, _ value: ConfigValue, _ reason: String) {
    differences.removeAll { $0.key == key }
    differences.append(Difference(key: key, value: value, inherited: inherited(key), reason: reason))
  }

  /// What the family says, as its config has it.
  private func inherited(_ key: String) -> String? {
    guard let spec = family.market(market)?.tickers.first else { return nil }
    if key == "request" { return spec.request.node.json.text }
    if key.hasPrefix("fields.") { return spec.fields[String(key.dropFirst(7))]?.node.json.text }
    return nil
  }

  // MARK: What the sample says

  /// Reads the sample by the family's mapping and replaces what misses, part by part, by what is inferred.
  mutating func prove(on sample: Sample, _ answers: AddingAnswers) throws {
    let own = VenueBlock(
      answers.proposal, symbol: answers.symbol ?? .request(nil), roles: answers.roles, market: market,
      request: .init(baseURLs: baseURLs, path: "/"))
    var current = try read(sample, differences)
    if current.failure != nil {
      try consider(
        "success", own.success ?? .raw("null"), "the family's own takes the sample for an error", &current, sample)
    }
    if current.rows == 0 {
      try consider("rows", .text(own.rows), "the family's path leads to no rows", &current, sample)
      try consider("where", .raw("null"), "the family's conditions keep no row", &current, sample)
    }
    let unsplit = current.unsplit.count
    if current.rows == 0 || unsplit * 20 > current.rows {
      if !own.groups.isEmpty {
        try consider("paymentCurrencies", .object(own.groups), "\(unsplit) symbols end in others", &current, sample)
      }
      if current.rows == 0 || current.unsplit.count * 20 > current.rows {
        // The list of endings belongs to the rule.
        var trial = differences.filter { $0.key != "symbol" && $0.key != "paymentCurrencies" }
        let reason = "the family's rule takes no symbol apart"
        trial.append(Difference(key: "symbol", value: own.symbol, inherited: nil, reason: reason))
        if !own.groups.isEmpty {
          trial.append(Difference(key: "paymentCurrencies", value: .object(own.groups), inherited: nil, reason: reason))
        }
        try adopt(trial, &current, sample)
        if current.rows == 0 {
          trial.append(
            Difference(
              key: "rows", value: .text(own.rows), inherited: nil, reason: "the family's path leads to no rows"))
          try adopt(trial, &current, sample)
        }
      }
    }
    if current.rows > 0 { try proveFields(own, &current, sample) }
    preview = current
  }

  private mutating func proveFields(_ own: VenueBlock, _ current: inout SamplePreview, _ sample: Sample) throws {
    for field in TickerField.allCases {
      let key = "fields.\(field.rawValue)"
      guard !differences.contains(where: { $0.key == key }) else { continue }
      let inferred = own.fields.first { $0.name == field.rawValue }?.value
      let found = current.trial?.fields.first { $0.field == field }
      guard let found else {
        if let inferred { try consider(key, inferred, "the family has none", &current, sample) }
        continue
      }
      if found.filled == 0 {
        let reason = "no row has the family's: \(found.missing.first?.reason ?? "")"
        add(key, inferred ?? .raw("null"), reason)
        current = try read(sample, differences)
      } else if let inferred, current.clean < current.rows {
        // A check fails: the inferred one is taken where it helps.
        try consider(key, inferred, "more rows pass the checks with it", &current, sample)
      }
    }
  }

  /// Takes a difference where the sample reads better with it.
  private mutating func consider(
    _ key: String, _ value: ConfigValue, _ reason: String, _ current: inout SamplePreview, _ sample: Sample
  ) throws {
    let difference = Difference(key: key, value: value, inherited: inherited(key), reason: reason)
    try adopt(differences.filter { $0.key != key } + [difference], &current, sample)
  }

  private mutating func adopt(
    _ trial: [Difference], _ current: inout SamplePreview, _ sample: Sample
  ) throws {
    guard let preview = try? read(sample, trial), isBetter(preview, than: current) else { return }
    differences = trial
    current = preview
  }

  private func isBetter(_ new: SamplePreview, than old: SamplePreview) -> Bool {
    func filled(_ preview: SamplePreview) -> Int { (preview.trial?.fields ?? []).reduce(0) { $0 + $1.filled } }
    if (new.failure == nil) != (old.failure == nil) { return new.failure == nil }
    if new.rows != old.rows { return new.rows > old.rows }
    if new.clean != old.clean { return new.clean > old.clean }
    return filled(new) > filled(old)
  }

  private func read(_ sample: Sample, _ differences: [Difference]) throws -> SamplePreview {
    var trial = draft
    try trial.add(name, block(with: differences))
    return SamplePreview(
      try trial.venue(named: name), market: market, sample: sample, pair: options.hints.pair,
      catalog: try trial.catalog(), now: context.now())
  }
}
