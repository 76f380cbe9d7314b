import Config
import Inference
import Mapping
import Quotes

/// The answer about one pair, beside the table of all pairs.
extension Onboarding {
  /// Returns the block adapted to the single-pair answer: with separate keys for what those of the table do not read.
  func fitted(_ value: ConfigValue, to ticker: Sample, _ pair: Pair?) -> ConfigValue {
    let key = ["markets", market.rawValue, "ticker"]
    guard let found = try? ExchangeInference(ticker.bytes, SampleHints(pair: pair)).proposal() else { return value }
    var variants = [value]
    if value[key + ["rows"]] == nil {
      var own = value
      own.set((key + ["rows"])[...], to: .text(found.rows))
      variants.append(own)
      own.set((key + ["symbol"])[...], to: .text("request"))
      variants.append(own)
    }
    for variant in variants {
      let adapted = withOwnFields(variant, found, ticker, pair)
      if reading(adapted, ticker, pair)?.isRead == true { return adapted }
    }
    return value
  }

  /// Returns how a block reads the single-pair answer; nil if it cannot be a block.
  private func reading(_ value: ConfigValue, _ ticker: Sample, _ pair: Pair?) -> SamplePreview? {
    var trial = self
    guard (try? trial.draft.add(name, value)) != nil, let exchange = try? trial.draft.exchange(named: name) else {
      return nil
    }
    return try? preview(exchange, .single(0), ticker, pair)
  }

  /// Returns the block with a field of the single-pair request for each of the table's that it does not read, if the
  /// answer by itself proves where that is. What the table's change is measured from is what this one is, too.
  private func withOwnFields(
    _ value: ConfigValue, _ found: ExchangeProposal, _ ticker: Sample, _ pair: Pair?
  ) -> ConfigValue {
    guard let own = reading(value, ticker, pair), own.failure == nil, own.rows > 0 else { return value }
    var fitted = value
    for role in found.roles where role.isSure && own.has(role.role.field) && own.filled(role.role.field) == 0 {
      let name = role.role.field.rawValue
      let place = ["markets", market.rawValue, "ticker", "fields", name]
      guard value[place] == nil, role.role != .time || role.timeForm != nil else { continue }
      var role = role
      if case .text(let basis)? = value[["fields", name, "basis"]] { role.basis = ChangeBasis(rawValue: basis) }
      var trial = fitted
      trial.set(place[...], to: ExchangeBlock.value(of: role))
      if reading(trial, ticker, pair).map({ $0.filled(role.role.field) > 0 }) == true { fitted = trial }
    }
    return fitted
  }

  /// Shows how the block reads the single-pair answer, and returns that to be recorded; nil if it does not read it, or
  /// contradicts the table.
  func piece(
    ofTicker ticker: Sample, _ exchange: Exchange, _ pair: Pair?, beside whole: SamplePreview, in block: ConfigValue
  ) throws(OnboardingProblem) -> SampleCassette.Piece? {
    let preview = try preview(exchange, .single(0), ticker, pair ?? whole.firstPair)
    let key = ["markets", market.rawValue, "ticker"].joined(separator: ".")
    guard preview.failure == nil, preview.rows > 0 else {
      let help =
        block[["markets", market.rawValue, "ticker", "rows"]] == nil
        ? "; say where its row is with --set \(key).rows=…" : ""
      context.note("cannot read the answer about one pair: \(preview.unread ?? "it has no row")\(help)")
      return nil
    }
    if !options.isJSON { showRows(preview) }
    let row = preview.firstPair.flatMap(whole.ticker)
    if let reason = preview.reasonForNo(.price), row == nil || row?.price.value != nil {
      context.note(
        "cannot read the answer about one pair: its price is \(reason); say where its fields are with --set "
          + "\(key).fields.price=PATH, and so for each that differs, or how the row is found with --set \(key).rows=…")
      return nil
    }
    guard try isTaken(preview.objection(beside: whole)) else { return nil }
    return piece(ticker, .single(0), pair ?? preview.firstPair, preview)
  }
}
