import Config
import Inference
import MarketData
import Quotes
import Shell
import Terminal

// What a person should know about a sample or a request before relying on the block.
extension Onboarding {
  /// Reports what a sample leaves open.
  func note(_ sample: Sample, _ answers: SettledProposal) {
    noteMarket(answers.proposal)
    noteStates(answers.proposal)
    noteSpan(answers)
    notePrice(answers)
    noteChange(answers)
    noteOpen(answers)
    noteRange(answers)
    noteTime(answers)
    notePages(sample, answers.proposal)
  }

  /// Reports that high and low are taken for those of 24 hours although the change is, by the user's word, of a day.
  private func noteRange(_ answers: SettledProposal) {
    guard let basis = options.keys.changeBasis, basis != .rolling24h, basis != .previousClose else { return }
    let settings = answers.roles.filter { role in
      [.high, .low].contains(role.role) && role.basis == nil
        && !options.keys.gives(["fields", role.role.field.rawValue])
    }.map { "--set fields.\($0.role.field.rawValue).basis=\(basis.rawValue)" }
    guard !settings.isEmpty else { return }
    context.note(
      "high and low are taken for those of the last 24 hours; if they are of the day that the change is of, add "
        + settings.joined(separator: " "))
  }

  /// Reports which rows of a table of several markets are left out.
  private func noteMarket(_ proposal: ExchangeProposal) {
    guard let column = proposal.market else { return }
    let words = (column.kept + column.others).map(\.description).joined(separator: ", ")
    context.note(
      "the table has rows of several markets: \(column.path) is \(words); the block keeps "
        + column.kept.map { "'\($0.text)'" }.joined(separator: " and ")
        + (options.market == nil ? "; for the others add --market futures" : ""))
  }

  /// Pairs that are no longer traded keep their last price in many tables.
  private func noteStates(_ proposal: ExchangeProposal) {
    guard options.keys.conditions.isEmpty else { return }
    let conditions = ExchangeBlock.conditions(of: proposal)
    for state in proposal.states {
      let words = state.words.map { "'\($0.text)' in \($0.rows.counted("row"))" }
      let condition = ConfigValue.list(
        conditions + [.object([("path", .text(state.path)), ("equals", .text(state.traded ?? "WORD"))])])
      let kept = state.traded.map { "keep only '\($0)'" } ?? "keep the traded ones by their WORD"
      context.note(
        "\(state.path) is \(words.joined(separator: ", ")); if it marks pairs that are not traded, \(kept) with "
          + "--set " + "where=\(condition.text())".shellQuoted)
    }
  }

  /// A candle has the members of a ticker.
  private func noteSpan(_ answers: SettledProposal) {
    let ofDay: [Role] = [.high, .low, .open, .volume, .turnover]
    let fields = answers.roles.filter { ofDay.contains($0.role) }.map(\.role.field.rawValue)
    guard answers.proposal.mayBeOneCandle, !options.hints.addressSaysWindow, !fields.isEmpty else { return }
    context.note(
      "the span of \(fields.listed("and")) is unknown: the row may be a candle; unless \(fields.count == 1 ? "it is" : "they are") "
        + "of 24 hours, leave out what is not with "
        + fields.map { "--set fields.\($0)=null" }.joined(separator: " "))
  }

  /// Any price may be given, but only that of the last trade belongs beside those of other exchanges.
  private func notePrice(_ answers: SettledProposal) {
    guard let price = answers.roles.first(where: { $0.role == .price }), price.confidence == 1,
      options.keys.priceBasis == nil, !options.keys.whole.contains(.price),
      case .notLast(let basis)? = price.conflict(isSpot: market == .spot)
    else { return }
    let key = "--set fields.price.basis="
    context.note(
      "by its name, \(price.path) is not the last price"
        + (basis.map { ", so its basis is \($0.rawValue); if it is the last price all the same, add \(key)last" }
          ?? "; if it is not, say what it is with \(key)WORD, where WORD is mid, mark or oracle"))
  }

  /// A change in money is not shown, but the price less the change is the open.
  private func noteChange(_ answers: SettledProposal) {
    guard let change = answers.proposal.changeInMoney, !answers.roles.contains(where: { $0.role == .open }),
      !options.keys.excluded.contains(.open), !options.keys.whole.contains(.open),
      let price = answers.roles.first(where: { $0.role == .price })?.path
    else { return }
    let open = ConfigValue.object([("difference", .list([.text(price), .text(change.path)]))])
    context.note(
      "\(change.path) is the change in money: \(change.evidence); read the price before it with --set "
        + "fields.open=\(open.text(lead: 0))".shellQuoted)
  }

  /// An open may be of any moment, and only one of 24 hours ago gives the change.
  private func noteOpen(_ answers: SettledProposal) {
    let isChangeKnown = (answers.roles + answers.left.map(\.role)).contains { $0.role == .change }
    guard !isChangeKnown, !options.keys.excluded.contains(.change), !options.keys.whole.contains(.change),
      let open = answers.roles.first(where: { $0.role == .open })?.path
    else { return }
    let value = ConfigValue.object([("fromOpen", .text(open)), ("basis", .text("WORD"))])
    context.note(
      "no member is the change in percent; take it from the open at \(open) with --set "
        + "fields.changePricePercent24=\(value.text(lead: 0))".shellQuoted
        + ", where WORD says what that is the price of: \(SettledProposal.bases)")
  }

  /// A page of a table would pass for all of it, and the other pairs for unlisted.
  private func notePages(_ sample: Sample, _ proposal: ExchangeProposal) {
    guard !proposal.isSingle, let sign = PageSign(in: sample.bytes, rowCount: proposal.totalRowCount) else { return }
    context.note(
      "\(TerminalText.sanitized(sign.path)) is \(TerminalText.sanitized(sign.value)): the answer seems to be one page of "
        + "several, and the pairs of the others would be missing; ask for all rows at once, or make each page a part "
        + "(docs/config.md#parts-and-batches)")
  }

  /// A row of a thousand coins under a name of its own is compared with no other exchange.
  func noteMultiples(_ preview: SamplePreview) {
    let found = preview.multiples
    guard !found.isEmpty else { return }
    let factors = found.map { "\(ConfigValue.quoted($0.mark)):\($0.factor)" }.joined(separator: ",")
    context.note(
      "\(found.flatMap(\.symbols).shortList): if these are several of a coin, as their names say, add "
        + "--set " + "multiplier={\(factors)}".shellQuoted)
  }

  /// Reports a list of pairs in the address: no others would ever be requested.
  func noteLists(of request: ExchangeRequest, _ symbol: SymbolProposal) {
    let pairs = symbol.pairs.compactMap(\.self)
    for (name, value) in request.parts {
      let items = value.split(whereSeparator: { ",;|".contains($0) }).map { $0.uppercased() }
      let named = items.filter { item in
        pairs.contains { item.contains($0.asset.uppercased()) && item.contains($0.payment.uppercased()) }
      }
      if items.count > 1, named.count * 2 > items.count {
        context.note(
          "\(ExchangeRequest.place(name)) names \(items.count) pairs, and no others will be listed; for all of them write "
            + "{keys} in their place, with a lookup of all names and \"batch\": { \"of\": \"LOOKUP\" }, "
            + "see docs/config.md")
      }
    }
  }

  /// Reports that the address has the symbol of the only row, which no template can write: no other pair would ever be
  /// listed.
  func noteOwnSymbol(in request: ExchangeRequest, _ symbol: SymbolProposal) {
    for (name, value) in request.parts where !value.isEmpty && value.uppercased() == symbol.example.uppercased() {
      context.note(
        "\(ExchangeRequest.place(name)) is the symbol of the only row, '\(TerminalText.sanitized(value))', and no other "
          + "pair will be listed; give the address of all pairs, or write {asset} and {payment} in its place if the "
          + "exchange knows that form")
    }
  }

  /// Reports a time without a zone, which only its distance from the answer's arrival may show.
  private func noteZone(_ answers: SettledProposal) {
    guard let time = answers.left.first(where: { $0.role.role == .time })?.role,
      time.timeForm == .iso8601(saysZone: false)
    else { return }
    let setting = Self.setting(
      ofTime: [
        ("path", .text(time.path)), ("unit", .text("iso8601")), ("zone", .text(time.zone ?? "+00:00")),
      ])
    guard let zone = time.zone else {
      context.note("\(time.path) has no zone; say how to read it with \(setting), \(Self.inDocumentedZone)")
      return
    }
    context.note(
      "the newest \(time.path) is as far from the answer's arrival as a clock at \(zone); if it is one, give it with "
        + setting)
  }

  /// Reports a time in a form that is not known.
  private func noteTime(_ answers: SettledProposal) {
    noteZone(answers)
    guard let time = answers.proposal.unreadTime, !options.keys.gives(["fields", "time"]),
      options.hints.paths[.time] == nil
    else { return }
    var members: [(name: String, value: ConfigValue)] = [("path", .text(time.path))]
    var advice = ""
    if let unit = time.unit {
      members.append(("capture", .text("[^0-9]*(?<value>[0-9]+)([^0-9].*)?")))
      members.append(("unit", .text(unit.rawValue)))
    } else {
      members.append(("format", .text(time.format ?? "…")))
      if time.format?.hasSuffix("Z") != true { members.append(("zone", .text("+00:00"))) }
      advice = ", " + Self.inDocumentedZone
    }
    context.note(
      "\(time.path) looks like a time, '\(time.example)'; say how to read it with \(Self.setting(ofTime: members))"
        + advice)
  }

  private static let inDocumentedZone = "in the zone that the exchange's documentation names"

  /// The option that gives the time with these members.
  private static func setting(ofTime members: [(name: String, value: ConfigValue)]) -> String {
    "--set " + "fields.time=\(ConfigValue.object(members).text(lead: 0))".shellQuoted
  }

  /// Reports times that the address names, which would be requested again and again.
  func noteTimes(of request: ExchangeRequest) {
    for (name, value) in request.parts where RequestMoment.isNamed(in: value) {
      let place = ExchangeRequest.place(name)
      context.note(
        RequestMoment.begins(value)
          ? "\(place) keeps the time '\(value)'; give the address without it, or with {now.s}, {now.ms} or "
            + "{date:yyyy-MM-dd} in its place"
          : "\(place) keeps '\(value)', which has a date in it")
    }
  }

  /// Reports where to put extracted secrets.
  func noteSecrets(of request: ExchangeRequest, owner: String? = nil) {
    let name = owner ?? name
    let places = request.secrets.map(\.place)
    if !places.isEmpty {
      let (are, them) = places.count == 1 ? ("is a secret and stays", "it") : ("are secrets and stay", "them")
      let command = (["market", "keys", "add", name.shellWord] + configWords).joined(separator: " ")
      context.note(
        "\(places.listed("and")) \(are) out of the config; once it is written, store \(them) with: \(command)")
    }
    if request.secrets.contains(where: { $0.name == "basic_auth" }) {
      context.note("basic_auth is the base64 of user:password")
    }
    for name in request.signatures {
      context.note(
        "'\(name)' is a signature of one request; a config cannot produce it, and the exchange will refuse it later")
    }
  }
}
