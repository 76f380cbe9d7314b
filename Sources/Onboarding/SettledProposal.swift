import Config
package import Inference
import Quotes

/// Everything needed to write the block: certain proposals, options, and answers to questions.
package struct SettledProposal {
  /// What is missing before the exchange could be used.
  package enum Objection: Hashable, Sendable, CustomStringConvertible {
    case priceUnsure
    /// The settings give each price a scale, as an example.
    case priceCountsSmallUnit(reason: String, settings: [String], isScale: Bool)
    /// Made-up numbers prove no price if they leave nothing to check it against.
    case looksInvented
    case noPairField
    /// A member that names the pair by its own name, in a form that is not known, and its first text.
    case pairUnread(path: String, example: String)
    case pairUnsure(evidence: [String])
    case pairsOfKinds(SymbolKinds)
    /// Several rows have the same pair, and nothing says which of them belong to the market.
    case pairsRepeat(MarketColumn.Repeats)
    /// The symbols end in no currency that is known.
    case paymentsUnknown(example: String?)
    /// The names of asset and payment currency are swapped.
    case pairsReversed(TurnedPairs)
    /// The rows that the block reads contradict it.
    case disproved(rows: Int, of: Int, example: String)
    /// All rows together show that a field is another one.
    case otherField(name: String, text: String)
    /// The answer about one pair contradicts the table of all pairs, or itself.
    case tickerDisagrees(reason: String)

    package var description: String {
      switch self {
      case .priceUnsure: "no price is certain; give its path with --price PATH"
      case .priceCountsSmallUnit(let reason, let settings, let isScale):
        "the unit of the price is uncertain: \(reason); give it with "
          + settings.map { "--set \($0.shellQuoted)" }.joined(separator: " ")
          + (isScale ? ", where SCALE is 0.01 for hundredths, and 1 for numbers that are right as they are" : "")
      case .looksInvented:
        "the sample looks invented, and only its price is left; give a real answer from the exchange, or "
          + "confirm the last price with --price PATH"
      case .pairUnread(let path, let example):
        "cannot split '\(path)' ('\(example)'); if it names the pair, write --set "
          + "symbol=\(ConfigValue.object([("path", .text(path)), ("match", .text("PATTERN"))]).text(lead: 0))"
          .shellQuoted
          + ", where PATTERN is such as (?<asset>.+)-(?<payment>.+)"
      case .noPairField:
        "no field names the pair of a row; say how it is found with --set symbol=…, and for "
          + "\"split\": \"payment\" which currencies end it with --set paymentCurrencies=…"
      case .pairUnsure(let evidence):
        "the pair of a row is uncertain: \(evidence.joined(separator: "; ")); give a pair of the sample with "
          + "--symbol ASSET/PAYMENT"
      case .pairsOfKinds(let kinds):
        "the symbols at \(kinds.path) begin with "
          + kinds.words.map(\.description).listed("and")
          + " rows, before the pair; say which rows to keep with --set "
          + ("where=[{ \"path\": \(ConfigValue.quoted(kinds.path)), "
          + "\"prefix\": \(ConfigValue.quoted(kinds.words[0].text)) }]").shellQuoted
      case .pairsRepeat(let column):
        "several rows have the same pair, told apart by \(column.path), which is "
          + column.words.map(\.description).joined(separator: " and ")
          + " rows; say which rows to keep with --set "
          + ("where=[{ \"path\": \(ConfigValue.quoted(column.path)), "
          + "\"equals\": \(ConfigValue.quoted(column.likely.text)) }]").shellQuoted
      case .paymentsUnknown(let example):
        "no known payment currency ends the symbols" + (example.map { ", such as '\($0)'" } ?? "")
          + "; give those that do with --set 'paymentCurrencies={ \"stable\": [\"USDT\"] }'"
      case .pairsReversed(let turned): "\(turned); say which currency is the asset with --set symbol=…"
      case .disproved(let wrong, let rows, let example):
        "\(wrong) of \(rows) rows contradict the block, such as \(example); say where a field is with --set "
          + "fields.FIELD=PATH, or leave it out with --set fields.FIELD=null"
      case .otherField(let name, let text):
        "\(text); say where it is with --set fields.\(name)=PATH"
          + (name == TickerField.price.rawValue ? "" : ", or leave it out with --set fields.\(name)=null")
      case .tickerDisagrees(let reason):
        "the answer about one pair is not that of the table: \(reason); give another --ticker, or none, or say how its "
          + "fields differ with --set markets.MARKET.ticker.fields.FIELD=…"
      }
    }
  }

  /// The roles included in the block.
  private(set) var roles: [RoleProposal] = []
  /// The excluded roles, with the reason.
  private(set) var left: [(role: RoleProposal, reason: String)] = []
  private(set) var symbol: SymbolProposal?
  private(set) var objection: Objection?
  /// As modified by the answers.
  private(set) var proposal: ExchangeProposal
  private(set) var hints: SampleHints

  /// What the numbers of prices are multiplied by, as answered; nil before it was asked.
  private var scaleOfPrices: Decimal?

  private let sample: [UInt8]
  let options: OnboardingOptions
  let context: OnboardingContext

  /// - Parameter hints: What has been answered before; nil for the options.
  init(
    _ sample: [UInt8], _ options: OnboardingOptions, _ context: OnboardingContext, hints: SampleHints? = nil
  ) throws(OnboardingProblem) {
    (self.sample, self.options, self.context) = (sample, options, context)
    self.hints = hints ?? options.hints
    do throws(SampleProblem) {
      proposal = try ExchangeInference(sample, self.hints).proposal()
    } catch {
      guard case .oneRow = error, context.isAsking else { throw .sample(error) }
      proposal = try Self.single(error, sample, &self.hints, context)
    }
  }

  /// Asks for the pair of a single row, which proves nothing by itself.
  private static func single(
    _ problem: SampleProblem, _ sample: [UInt8], _ hints: inout SampleHints, _ context: OnboardingContext
  ) throws(OnboardingProblem) -> ExchangeProposal {
    context.say("\(problem)")
    while true {
      let answer = try context.ask("which pair is the answer about? ASSET/PAYMENT:")
      guard !answer.isEmpty, let pair = context.pair(typed: answer) else { continue }
      hints.pair = pair
      do throws(SampleProblem) { return try ExchangeInference(sample, hints).proposal() } catch { throw .sample(error) }
    }
  }

  /// Accepts what is certain, and asks about the rest.
  mutating func settle() throws(OnboardingProblem) {
    try settleSymbol()
    for role in Role.allCases where !options.keys.excluded.contains(role) {
      guard var found = proposal[role] else { continue }
      adjust(&found)
      if let reason = try settle(&found) {
        left.append((found, reason))
        continue
      }
      // A price that the answer proves is the last one; a given one may be any.
      if role == .price {
        found.priceBasis =
          options.keys.priceBasis ?? (found.confidence == 1 ? found.basisOfName(isSpot: !hints.isFutures) : nil)
      }
      roles.append(found)
    }
    let isGiven = options.keys.whole.contains(.price) && !left.contains { $0.role.role == .price }
    if !isGiven, !roles.contains(where: { $0.role == .price }) {
      objection = objection ?? unitObjection ?? .priceUnsure
    }
    let isPriceAlone = !roles.contains { ![.price, .time].contains($0.role) }
    if proposal.looksInvented, hints.paths[.price] == nil, isPriceAlone { objection = objection ?? .looksInvented }
  }

  /// Why the price is left out if it may be right but for its unit: the path alone would be read as it is.
  var unitObjection: Objection? {
    guard let unit = left.first(where: { $0.role.role == .price })?.role.unitDoubt else { return nil }
    let prices: [Role] = [.price, .high, .low, .bid, .ask, .open]
    let settings = left.map(\.role).filter { $0.unitDoubt != nil && prices.contains($0.role) }.map(Self.setting(of:))
    return .priceCountsSmallUnit(
      reason: unit.reason, settings: settings,
      isScale: unit.decimals == nil && settings.contains { $0.contains("SCALE") })
  }

  /// Returns the argument for `--set` that gives an uncertain field: its path or, if its unit is uncertain, all of it.
  private static func setting(of role: RoleProposal) -> String {
    let key = "fields.\(role.role.field.rawValue)"
    guard let unit = role.unitDoubt else { return "\(key)=\(role.path)" }
    var value = ExchangeBlock.value(of: role)
    if case .text = value { value = .object([("path", value)]) }
    value.set(
      [unit.decimals == nil ? "scale" : "decimals"],
      to: unit.decimals.map { .text($0) } ?? unit.scale.map { .number($0.shortest) } ?? .text("SCALE"))
    return "\(key)=\(value.text(lead: 0))"
  }

  /// The words for what a change is measured from.
  static var bases: String { ChangeBasis.allCases.map(\.rawValue).listed("or") }

  /// Returns how to include a field that is left out. Of a price the objection says it, of a time without zone a note.
  private static func remedy(for role: RoleProposal) -> String {
    guard role.role != .price, role.timeForm != .iso8601(saysZone: false) else { return "" }
    if role.priceRatio != nil {
      var value = ExchangeBlock.value(of: role)
      if role.basis == nil { value.set(["basis"], to: .text("WORD")) }
      return "; if they are, give it with --set "
        + "fields.changePricePercent24=\(value.text(lead: 0))".shellQuoted
        + (role.basis == nil ? ", where WORD is \(bases)" : "")
    }
    if role.role == .change, !role.isSure {
      // A path alone would settle it in the likelier unit.
      let key = "--set fields.changePricePercent24."
      let scale = ", where SCALE is 1 for percent and 100 for fractions"
      guard role.basis == nil else { return "; give its scale with \(key)scale=SCALE\(scale)" }
      return "; give its scale and basis with \(key)scale=SCALE \(key)basis=WORD\(scale), and WORD is \(bases)"
    }
    let setting = "--set \(setting(of: role).shellQuoted)"
    guard let unit = role.unitDoubt else { return "; if it is right, give it with \(setting)" }
    return "; give its unit with \(setting)"
      + (unit.decimals == nil && unit.scale == nil ? ", where SCALE is 1 for numbers that are right as they are" : "")
  }

  /// Applies the options about a role other than its path.
  private func adjust(_ role: inout RoleProposal) {
    if let unit = role.unitDoubt, options.keys.givesUnit(of: role.role) {
      role.settleUnit(unit)
    }
    switch role.role {
    case .change:
      if let scale = options.keys.changeScale, role.priceRatio == nil {
        role.scale = scale == 1 ? nil : scale
        role.confidence = max(role.confidence, RoleProposal.threshold)
      }
      role.basis = options.keys.changeBasis ?? role.basis
    case .time: role.timeForm = options.keys.timeForm ?? role.timeForm
    default: break
    }
  }

  // MARK: Fields

  /// - Returns: Why the role is excluded; nil if it is included.
  private mutating func settle(_ role: inout RoleProposal) throws(OnboardingProblem) -> String? {
    let isWhole = options.keys.whole.contains(role.role)
    // A path says where the number is, but not what it counts.
    if let unit = role.unitDoubt, role.confidence == 1, !context.isAsking, role.role == .price || !isWhole {
      return unit.reason + Self.remedy(for: role)
    }
    if isWhole { return nil }
    if let unit = role.priceRatio, !context.isAsking {
      return (role.isSure ? "" : "\(ConfidenceText(role.confidence).unsure): ") + RoleProposal.nearOne(unit)
        + Self.remedy(for: role)
    }
    if role.isSure, role.priceRatio != nil { try askUnit(&role) }
    if role.isSure || role.isSureButForUnit, try !askScale(&role) { return "declined" }
    if !role.isSure {
      guard context.isAsking, role.confidence >= 0.2 else {
        return ConfidenceText(role.confidence).unsure + (role.doubts.first.map { ": \($0)" } ?? "")
          + Self.remedy(for: role)
      }
      guard try askPlace(&role) else { return "declined" }
    }
    if role.role == .time, role.timeForm == nil { return "its unit is unknown; give --set fields.time.unit=…" }
    guard role.role == .change, role.basis == nil else { return nil }
    guard context.isAsking, let basis = try askBasis(of: role) else {
      return "its name does not say what it is measured from; give --set fields.changePricePercent24.basis=WORD, where "
        + "WORD is \(Self.bases)"
    }
    role.basis = basis
    return nil
  }

  /// Shows the candidates with their evidence; returns false if none is chosen.
  private mutating func askPlace(_ role: inout RoleProposal) throws(OnboardingProblem) -> Bool {
    let own =
      "\(role.path)  for example \(role.example)  \(ConfidenceText(role.confidence))  "
      + role.evidence.joined(separator: "; ")
    var places = [(path: role.path, line: own)]
    if let other = role.runnerUp {
      let line = "\(other.path)  \(ConfidenceText(other.confidence))"
      places.insert((other.path, line), at: other.isLikelier ? 0 : 1)
    }
    if role.role == .price {
      // A price without which there is no exchange may have any name.
      let known = Set(places.map(\.path))
      let numbers = proposal.unused.filter { column in
        !known.contains(column.path) && SampleColumn.number(column.example).map { $0 > 0 } == true
      }
      // So may a column that is not sure to be anything else.
      let unsure = proposal.roles.filter { $0.role != .price && !$0.isSure && !known.contains($0.path) }
      let columns = (numbers.map { ($0.path, $0.example) } + unsure.map { ($0.path, $0.example) }).prefix(9)
      places += columns.map { (path: $0, line: "\($0)  for example \($1)") }
    }
    context.say("\n\(role.role.field.rawValue) is uncertain:")
    var isTaken: Bool?
    while isTaken == nil { isTaken = try askPlace(&role, among: places) }
    guard isTaken == true else { return false }
    if role.role == .change { try askUnit(&role) }
    guard try askScale(&role) else { return false }
    if role.confidence < 1 {
      role.confidence = 1
      role.evidence.insert("confirmed", at: 0)
    }
    return true
  }

  /// Asks once.
  ///
  /// - Parameter places: The likeliest first.
  /// - Returns: Whether a place is chosen; nil if the answer makes no sense.
  private mutating func askPlace(
    _ role: inout RoleProposal, among places: [(path: String, line: String)]
  ) throws(OnboardingProblem) -> Bool? {
    let isNeeded = role.role == .price
    let question =
      isNeeded ? "a number, or a path such as $.x:" : "a number, a path such as $.x, or nothing to leave it out:"
    let place: Int
    switch try context.choose(question, from: places.map(\.line)) {
    case .nothing where isNeeded:
      context.say("a row needs a price; write 1 to take \(places[0].path)")
      return nil
    case .nothing: return false
    case .number(let number): place = number
    case .text(let text):
      guard let said = OnboardingContext.yesOrNo(text) else {
        guard SampleHints.isPath(text) else {
          context.say("'\(text)' is not a path")
          return nil
        }
        return try take(text, for: &role) ? true : nil
      }
      if !said { return false }
      place = 0
    }
    let path = places[place].path
    if path == role.path { return true }
    return try take(path, for: &role) ? true : nil
  }

  /// Re-reads the sample with a path for the role; if nothing is there, says so and returns false.
  private mutating func take(_ path: String, for role: inout RoleProposal) throws(OnboardingProblem) -> Bool {
    var hints = hints
    hints.paths[role.role] = path
    do {
      let proposal = try ExchangeInference(sample, hints).proposal()
      guard let found = proposal[role.role] else { return false }
      self.proposal = proposal
      self.hints = hints
      role = found
      adjust(&role)
      return true
    } catch {
      context.say("\(error)")
      return false
    }
  }

  /// Asks what one of the numbers is, if that is uncertain: of prices once, as they are all in one unit unless their names
  /// say otherwise.
  ///
  /// - Returns: Whether the role stays: an amount in an unknown unit is better left out.
  private mutating func askScale(_ role: inout RoleProposal) throws(OnboardingProblem) -> Bool {
    guard let unit = role.unitDoubt, unit.decimals == nil, context.isAsking else { return true }
    let isPrice = ![.volume, .turnover].contains(role.role)
    let mayBeLeftOut = !isPrice && unit.scale == nil
    var scale = isPrice && [nil, scaleOfPrices].contains(unit.scale) ? scaleOfPrices : nil
    if scale == nil {
      context.say("\n\(role.role.field.rawValue) is at \(role.path), in an uncertain unit: \(unit.reason)")
    }
    let likely = unit.scale.map { " [\($0.shortest)]" } ?? (mayBeLeftOut ? ", nothing to leave it out" : "")
    while scale == nil {
      let answer = try context.ask(
        "what is one unit of \(role.example)? 1 if the number is right as it is, 0.01 for hundredths\(likely):")
      if answer.isEmpty, mayBeLeftOut { return false }
      scale = (answer.isEmpty ? unit.scale : Decimal(answer)).flatMap { $0 > 0 ? $0 : nil }
      if scale == nil { context.say("expected a number above zero, such as 0.01") }
    }
    if isPrice { scaleOfPrices = scale }
    role.scale = scale == 1 ? nil : scale
    role.settleUnit(unit)
    return true
  }

  // MARK: Pair

  private mutating func settleSymbol() throws(OnboardingProblem) {
    if options.keys.givesSymbol, proposal.symbol?.source != .request {
      symbol = .given
      settlePayments()
      return
    }
    if let repeats = proposal.repeats, proposal.symbol?.isSure != true {
      objection = .pairsRepeat(repeats)
      symbol = proposal.symbol
      return
    }
    guard let found = proposal.symbol else {
      let unread = proposal.unreadSymbol.map { Objection.pairUnread(path: $0.path, example: $0.example) }
      objection = objection ?? unread ?? .noPairField
      return
    }
    symbol = found
    if found.isSure { return }
    let kinds = SymbolKinds(found, in: sample, rows: proposal.rows)
    if kinds == nil, context.isAsking, try askPair(found) { return }
    objection = objection ?? kinds.map { .pairsOfKinds($0) } ?? .pairUnsure(evidence: found.evidence)
  }

  /// Finds the payment currencies that a given rule splits symbols at.
  private mutating func settlePayments() {
    guard let given = options.keys.symbol.map(GivenSymbol.init), given.needsPayments, !options.keys.givesPayments else {
      return
    }
    let (currencies, example) = given.payments(in: sample, rows: proposal.rows)
    if currencies.isEmpty { objection = objection ?? .paymentsUnknown(example: example) }
    setPayments(currencies)
  }

  /// Asks for the pair of the first row, and re-reads the sample with it.
  private mutating func askPair(_ found: SymbolProposal) throws(OnboardingProblem) -> Bool {
    context.say("\nthe pair of a row is uncertain: \(found.evidence.joined(separator: "; "))")
    let guess = found.pairs.compactMap(\.self).first
    while true {
      let question = found.example.isEmpty ? "which pair is the answer about?" : "which pair is '\(found.example)'?"
      let hint = guess.map { " (nothing: \($0))" } ?? ""
      let answer = try context.ask("\(question) ASSET/PAYMENT\(hint):")
      if answer.isEmpty, guess != nil { return true }
      if answer.isEmpty { return false }
      if let guess, OnboardingContext.yesOrNo(answer) == true {
        hints.pair = guess
        return true
      }
      guard let pair = context.pair(typed: answer) else { continue }
      var hints = hints
      hints.pair = pair
      guard let proposal = try? ExchangeInference(sample, hints).proposal(), let symbol = proposal.symbol else {
        return false
      }
      self.hints = hints
      self.proposal = proposal
      self.symbol = symbol
      let fits = symbol.pairs.contains { $0.map { hints.areSame($0, pair) } ?? false }
      context.say(
        fits ? "\(symbol.evidence.joined(separator: "; "))" : "no row has the pair \(pair)")
      if fits { return true }
    }
  }

  /// Sets the payment currencies given by the user instead of those found.
  mutating func setPayments(_ payments: [String]) { symbol?.givenPayments = payments }
}

extension RoleProposal {
  /// Whether nothing but its unit is uncertain.
  fileprivate var isSureButForUnit: Bool {
    guard let unit = unitDoubt else { return false }
    return unit.otherwise >= Self.threshold && doubts.allSatisfy { $0 == unit.reason }
  }

  /// Takes the unit as known: what else speaks for the role counts again.
  fileprivate mutating func settleUnit(_ unit: UnitDoubt) {
    doubts.removeAll { $0 == unit.reason }
    unitDoubt = nil
    if doubts.isEmpty { confidence = max(confidence, unit.otherwise) }
  }
}
