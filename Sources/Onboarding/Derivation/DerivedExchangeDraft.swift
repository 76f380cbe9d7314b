import Config
import HTTP
import Inference
import JSON
import Mapping
import Quotes
import Shell

/// A new exchange based on another one: only what does not fit the sample is written.
struct DerivedExchangeDraft {
  /// A key that differs in the new exchange.
  struct Difference {
    /// As in the config: `fields.bid`.
    let key: String
    let value: ConfigValue
    /// The family's value; nil for none.
    let inherited: String?
    let reason: String
  }

  private(set) var differences: [Difference] = []
  private(set) var samples: DerivationSamples?
  /// Why the price in the samples may count another unit than the family's.
  private(set) var unitObjection: SettledProposal.Objection?
  /// The reading of the samples with the differences so far; empty without samples.
  private(set) var reading = DerivationReading(previews: [])

  let name: String
  let family: TemplateFamily
  /// The new exchange's URLs.
  let baseURLs: [String]
  let options: OnboardingOptions
  let draft: ConfigDraft
  let context: OnboardingContext

  var market: Market { family.market }
  private var exchange: Exchange { family.exchange }

  /// What is proved and what is not.
  var proof: DerivationProof { DerivationProof(family, reading, lookups: Set((samples?.lookups ?? [:]).keys)) }

  /// Why the answers do not fit the exchange; nil if they do.
  var objection: SettledProposal.Objection? {
    guard reading.rows > 0 else { return nil }
    if reading.filled(.price) * 2 < reading.rows { return .priceUnsure }
    if let unitObjection { return unitObjection }
    return reading.previews.lazy.compactMap(\.preview.objection).first
  }

  /// Why an answer about one pair does not fit the table; nil if it does.
  var objectionToTicker: SettledProposal.Objection? {
    let previews = reading.previews
    let tables = previews.filter { $0.part.isOfTable }.map(\.preview)
    return previews.filter { !$0.part.isOfTable }.lazy.flatMap { single in
      tables.lazy.compactMap { single.preview.objection(beside: $0) }
    }.first
  }

  /// The text of the block.
  var block: ConfigValue { block(with: differences) }

  private func block(with differences: [Difference]) -> ConfigValue {
    let members = differences.map { (name: $0.key, value: $0.value) }
    let fields = members.compactMap { member in member.name.fieldName.map { (name: $0, value: member.value) } }
    var tickers = members.filter { $0.name.fieldName == nil && $0.name != "ticker" }
    if !fields.isEmpty { tickers.append(("fields", .object(fields))) }
    var content = members.filter { $0.name == "ticker" }
    if !tickers.isEmpty { content.insert(("tickers", .object(tickers)), at: 0) }
    // The family's other market is on different hosts, and unknown for this exchange.
    let others = exchange.markets.map(\.market).filter { $0 != market }
    var markets = others.map { (name: $0.rawValue, value: ConfigValue.null) }
    if !content.isEmpty { markets.insert((market.rawValue, .object(content)), at: 0) }
    var block: [(name: String, value: ConfigValue)] = [
      ("like", .text(exchange.name)), ("baseUrls", .list(baseURLs.map { .text($0) })),
    ]
    if !markets.isEmpty { block.append(("markets", .object(markets))) }
    return options.keys.overriding(.object(block), table: ["markets", market.rawValue, tableKey])
  }

  /// The level of the family's table keys, so that none of its own are more specific.
  private var tableKey: String { exchange.market(market)?.tickers.isEmpty == false ? "tickers" : "ticker" }

  private var firstSpec: TableSpec? { exchange.market(market)?.firstTable }

  // MARK: Given keys

  /// Applies the keys from the options, without considering any samples.
  mutating func take(_ request: ExchangeBlock.Request?) throws(OnboardingProblem) {
    if let request { takeRequest(request) }
    if let ticker = try options.tickerBlock() { add("ticker", ticker, "given") }
    if let rows = options.hints.rows { add("rows", ExchangeBlock.value(ofRows: rows), "given") }
    for role in Role.allCases {
      let key = role.field.key
      if options.keys.excluded.contains(role) {
        add(key, .null, "given")
      } else if let path = options.hints.paths[role] {
        var proposal = RoleProposal(role: role, path: path)
        if role == .price {
          proposal.priceBasis = options.keys.priceBasis ?? proposal.basisOfName(isSpot: market == .spot)
        }
        // If a field is fully specified, the rest is merged with the path.
        if role == .change, !options.keys.whole.contains(role) {
          guard let basis = options.keys.changeBasis else { throw .fieldNeeds(key: "\(key).basis") }
          proposal.basis = basis
          proposal.scale = options.keys.changeScale
        }
        if role == .time, !options.keys.whole.contains(role) {
          guard let form = options.keys.timeForm else { throw .fieldNeeds(key: "\(key).unit") }
          proposal.timeForm = form
        }
        add(key, ExchangeBlock.value(of: proposal), "given")
      }
    }
  }

  private mutating func takeRequest(_ request: ExchangeBlock.Request) {
    if !request.headers.isEmpty {
      add("headers", .object(request.headers.map { ($0.name, .text($0.value)) }), "given")
    }
    guard let spec = exchange.market(market)?.tickers.first else { return }
    var value = ExchangeBlock.value(of: request)
    let own = spec.request.node["path"]?.json.string
    let query = spec.request.node["query"]?.members.map { [$0.name, $0.value.json.scalarText ?? ""] } ?? []
    let isSame =
      own == request.path && query == request.query.map { [$0.name, $0.value] } && spec.request.method == request.method
      && request.body == nil
    // The parts of a table differ in their requests: each has its own path.
    let isOfPart = asksInParts && own == request.path && request.body == nil
    if isSame || isOfPart { return }
    if asksInParts, request.body == nil {
      value = ConfigValue(spec.request.node.json)
      value.set(["path"], to: .text(request.path))
    }
    add("request", value, "given")
    if options.ticker == nil, exchange.market(market)?.ticker.isEmpty == false {
      add("ticker", .null, "the address of the request for one pair is unknown")
    }
  }

  private var asksInParts: Bool { (exchange.market(market)?.tickers.count ?? 0) > 1 }

  private mutating func add(_ key: String, _ value: ConfigValue, _ reason: String) {
    differences = with(key, value, reason)
  }

  /// Returns the differences with another value of a key.
  private func with(_ key: String, _ value: ConfigValue, _ reason: String) -> [Difference] {
    differences.filter { $0.key != key } + [difference(key, value, reason)]
  }

  private func isSettled(_ key: String) -> Bool { differences.contains { $0.key == key } }

  private func difference(_ key: String, _ value: ConfigValue, _ reason: String) -> Difference {
    let inherited = key == "request" ? firstSpec?.request.node : field(key)?.node
    return Difference(key: key, value: value, inherited: inherited?.json.text, reason: reason)
  }

  /// Returns the family's field with a key such as `fields.bid`; nil for any other key.
  private func field(_ key: String) -> ValueSpec? {
    key.fieldName.flatMap { firstSpec?.fields[$0] }
  }

  // MARK: Samples

  /// Reads the samples with the family's mapping, and replaces failing keys one by one by inferred values.
  mutating func prove(on samples: DerivationSamples, _ answers: SettledProposal) throws(OnboardingProblem) {
    self.samples = samples
    let own = ExchangeBlock(
      answers.proposal, symbol: answers.symbol ?? .request(nil), roles: roles(answers), market: market,
      request: .init(baseURLs: baseURLs, path: "/"))
    reading = try read(differences)
    if reading.failure != nil {
      try consider("success", own.success ?? .null, "the family's rejects the answer as an error")
    }
    if reading.empty > 0 {
      try consider("rows", own.rows, "the family's path leads to no rows")
      try consider("where", .null, "the family's conditions keep no row")
    }
    if !options.keys.givesSymbol { try proveSymbol(own) }
    if reading.rows > 0 {
      try proveFields(own)
      try leaveOutUnproved(answers.proposal)
    }
    let price = differences.last { $0.key == "fields.price" }?.value.place ?? place(of: "fields.price")
    let isScaled = ["scale", "decimals"].contains { field("fields.price")?.node[$0] != nil }
    let doubted = answers.left.first { $0.role.role == .price }?.role.path
    if !isScaled, price == doubted { unitObjection = answers.unitObjection }
  }

  /// Leaves out what no check reaches and the answer by itself does not prove, as without a family: rows that pass say
  /// nothing about it.
  private mutating func leaveOutUnproved(_ proposal: ExchangeProposal) throws(OnboardingProblem) {
    var doubts: [(place: String, reason: String)] = []
    for field in reading.unchecked where field != .price {
      let key = field.key
      // A field that is computed, or of a lookup, has no column in the answer to judge.
      guard !isSettled(key), let place = place(of: key), self.field(key)?.node["from"] == nil,
        let doubt = doubt(of: field, at: place, proposal)
      else { continue }
      add(key, .null, "no check reaches it, and \(doubt)")
      doubts.append((place, doubt))
      reading = try read(differences)
    }
    try leaveOutComputed(from: doubts)
  }

  /// Leaves out what is computed from a doubtful column: the check that compared the two has shown nothing.
  private mutating func leaveOutComputed(from doubts: [(place: String, reason: String)]) throws(OnboardingProblem) {
    for field in TickerField.allCases where field != .price && reading.has(field) {
      let key = field.key
      guard !isSettled(key), let value = self.field(key),
        let doubt = doubts.first(where: { value.isRead(at: $0.place) })
      else { continue }
      add(key, .null, "it is computed from \(doubt.place), and \(doubt.reason)")
      reading = try read(differences)
    }
  }

  /// Returns what the answer by itself says against a field of the family; nil if it says the same.
  private func doubt(of field: TickerField, at place: String, _ proposal: ExchangeProposal) -> String? {
    guard let role = proposal.roles.first(where: { $0.path == place }) else {
      return "nothing shows what \(place) is"
    }
    let reasons = role.evidence.joined(separator: "; ")
    if role.role.field != field { return "\(place) looks like \(role.role.field.rawValue): \(reasons)" }
    if !role.isSure { return "\(place) is unsure: \(reasons)" }
    let scale = firstSpec?.fields[field.rawValue]?.node["scale"]?.json.scalarText.flatMap(Decimal.init)
    guard field == .changePricePercent24, (scale ?? 1) != (role.scale ?? 1) else { return nil }
    return "\(place) has another scale: \(reasons)"
  }

  /// Returns the inferred roles with the family's bases: samples do not reveal when a change or range starts.
  private func roles(_ answers: SettledProposal) -> [RoleProposal] {
    var roles = answers.roles
    if let change = answers.proposal[.change], change.isSure, !roles.contains(where: { $0.role == .change }) {
      roles.append(change)
    }
    return roles.compactMap { role in
      var role = role
      let known = firstSpec?.fields[role.role.field.rawValue]?.node["basis"]?.json.string
      role.basis = role.basis ?? known.flatMap(ChangeBasis.init)
      return role.role == .change && role.basis == nil ? nil : role
    }
  }

  private mutating func proveSymbol(_ own: ExchangeBlock) throws(OnboardingProblem) {
    let unsplit = reading.unsplit
    guard reading.rows == 0 || unsplit * 20 > reading.rows else { return }
    if !own.groups.isEmpty {
      try consider("paymentCurrencies", .object(own.groups), "\(unsplit) symbols end in others")
    }
    guard reading.rows == 0 || reading.unsplit * 20 > reading.rows else { return }
    // The list of endings belongs to the rule.
    var trial = differences.filter { $0.key != "symbol" && $0.key != "paymentCurrencies" }
    let reason = "the family's rule splits none of the symbols"
    trial.append(difference("symbol", own.symbol, reason))
    if !own.groups.isEmpty { trial.append(difference("paymentCurrencies", .object(own.groups), reason)) }
    try adopt(trial)
    guard reading.rows == 0 else { return }
    try adopt(trial + [difference("rows", own.rows, "the family's path leads to no rows")])
  }

  private mutating func proveFields(_ own: ExchangeBlock) throws(OnboardingProblem) {
    for field in TickerField.allCases {
      let key = field.key
      guard !isSettled(key) else { continue }
      let inferred = own.fields.first { $0.name == field.rawValue }?.value
      guard reading.has(field) else {
        if let inferred { try consider(key, inferred, "the family has none") }
        continue
      }
      if reading.filled(field) == 0 {
        let reason = "no row has the family's: \(reading.firstReason(field) ?? "")"
        let own = inferred.flatMap { sharesPlace([difference(key, $0, reason)]) ? nil : $0 }
        add(key, own ?? .null, reason)
        reading = try read(differences)
      }
    }
    try cure(own)
  }

  /// If checks fail, takes inferred values where they help, along with those that must make room for them.
  private mutating func cure(_ own: ExchangeBlock) throws(OnboardingProblem) {
    let settled = Set(differences.map(\.key))
    let inferred = own.fields.map { (key: "fields.\($0.name)", value: $0.value) }.filter { !settled.contains($0.key) }
    for field in inferred where reading.clean < reading.rows {
      guard !isSettled(field.key) else { continue }
      var trial = [field]
      // A field whose place is taken by another one moves to its inferred place, which may be taken as well.
      while let next = inferred.first(where: { other in
        !trial.contains { $0.key == other.key } && trial.contains { $0.value.place == place(of: other.key) }
      }) {
        trial.append(next)
      }
      let changes = trial.map { difference($0.key, $0.value, "more rows pass the checks with it") }
      try adopt(differences + changes)
    }
  }

  // MARK: Places

  /// Returns the family's path of a field's value in a row; nil if it is not a plain path.
  private func place(of key: String) -> String? {
    guard let node = field(key)?.node else { return nil }
    return node.json.string ?? node["path"]?.json.string
  }

  /// Returns whether two fields would share one place although they do not in the family.
  private func sharesPlace(_ changes: [Difference]) -> Bool {
    var fields: [String: [String]] = [:]
    for key in TickerField.allCases.map(\.key) {
      let change = changes.last { $0.key == key } ?? differences.last { $0.key == key }
      if let place = change.map(\.value.place) ?? place(of: key) { fields[place, default: []].append(key) }
    }
    return fields.values.contains { sharing in Set(sharing.map { place(of: $0) ?? $0 }).count > 1 }
  }

  /// Accepts a difference if the samples read better with it.
  private mutating func consider(_ key: String, _ value: ConfigValue, _ reason: String) throws(OnboardingProblem) {
    try adopt(with(key, value, reason))
  }

  private mutating func adopt(_ trial: [Difference]) throws(OnboardingProblem) {
    guard !sharesPlace(trial), let other = try? read(trial), other.isBetter(than: reading) else { return }
    differences = trial
    reading = other
  }

  private func read(_ differences: [Difference]) throws(OnboardingProblem) -> DerivationReading {
    let (exchange, configuration) = try exchange(with: differences)
    return DerivationReading(
      previews: (samples?.tables ?? []).map { part, sample in
        (part, preview(sample, part, exchange, configuration, samples?.lookups.mapValues(\.bytes) ?? [:]))
      })
  }

  private func exchange(with differences: [Difference]) throws(OnboardingProblem) -> (Exchange, Configuration) {
    var trial = draft
    try trial.add(name, block(with: differences))
    return (try trial.exchange(named: name), try trial.configuration())
  }

  private func preview(
    _ sample: Sample, _ part: TemplateFamily.Part, _ exchange: Exchange, _ configuration: Configuration,
    _ lookups: [String: [UInt8]]
  ) -> SamplePreview {
    var place: SamplePreview.Place?
    if case .place(let own) = part { place = own }
    return SamplePreview(
      exchange, market: market, place: place, sample: sample, pair: options.hints.pair, configuration: configuration,
      now: context.now(), lookups: lookups)
  }

  /// Assigns each answer to the given part, or else to the one that reads it best.
  func dealt(_ samples: [GivenSample]) throws(OnboardingProblem) -> DerivationSamples {
    let (exchange, configuration) = try exchange(with: differences)
    var lookups: [String: [UInt8]] = [:]
    for (part, sample) in samples { if case .lookup(let name)? = part { lookups[name] = sample.bytes } }
    let named = samples.map { ($0.part ?? part(asking: $0.sample, of: exchange), $0.sample) }
    return try DerivationSamples(named, of: family) { part, sample in
      preview(sample, part, exchange, configuration, lookups)
    }
  }

  /// Returns the part with the sample's request, whatever the host; nil if there is none, or the request is unknown.
  private func part(asking sample: Sample, of exchange: Exchange) -> TemplateFamily.Part? {
    guard let address = try? sample.request?.address() else { return nil }
    let target = address.path + (address.query.isEmpty ? "" : "?" + address.query)
    return family.parts.first { part in
      guard case .place(let place) = part, let spec = SamplePreview.spec(of: exchange, market, place) else {
        return false
      }
      var writer = RequestWriter(spec, RequestContext(pair: options.hints.pair, now: context.now()))
      guard let request = try? writer.request(named: "sample") else { return false }
      return zip(request.urls, spec.baseURLs).contains { url, base in
        url == base + target || address.base + target == url
      }
    }
  }
}

extension TickerField {
  /// Its key in the block: `fields.bid`.
  fileprivate var key: String { "fields.\(rawValue)" }
}

extension String {
  /// The name of the field that a key such as `fields.bid` is of; nil for any other key.
  fileprivate var fieldName: String? { hasPrefix("fields.") ? String(dropFirst("fields.".count)) : nil }
}

extension ValueSpec {
  /// Returns whether the value, or one that it is computed from, is at a path in the row.
  fileprivate func isRead(at place: String) -> Bool {
    withParts.contains { value in
      if case .path(let path?, .row) = value.origin { path.text == place } else { false }
    }
  }
}

extension ConfigValue {
  /// The path of a field, with or without other keys beside it.
  fileprivate var place: String? {
    switch self {
    case .text(let path): path
    case .object:
      if case .text(let path)? = self["path"] { path } else { nil }
    default: nil
    }
  }
}
