import Config
import Inference
import JSON
import Quotes
import Terminal

/// An exchange that differs from another one only in part.
extension Onboarding {
  /// - Parameters:
  ///   - samples: Each with its given part of the family.
  ///   - answered: The sample the answers are about, with them; nil if nothing proves the options.
  mutating func add(
    like family: TemplateFamily, _ samples: [GivenSample], _ answered: (sample: Sample, answers: SettledProposal)?
  ) async throws -> Bool {
    let request = try ExchangeRequest.request(
      bases: options.baseURLs, tickers: options.tickers, sample: answered?.sample.request)
    var bases = try request?.block.baseURLs ?? ExchangeRequest.bases(options.baseURLs)
    if bases.isEmpty {
      guard options.isDry, answered != nil else { throw OnboardingProblem.usage(.baseURLMissing) }
      bases = [Self.placeholderBase]
      note(placeholder: Self.placeholderBase, "--base-url URL")
    }
    var like = DerivedExchangeDraft(
      name: name, family: family, baseURLs: bases, options: options, draft: draft, context: context)
    try like.take(request?.block)
    guard let (sample, answers) = answered else {
      try draft.add(name, like.block)
      _ = try draft.exchange(named: name)
      show(like)
      if !options.isJSON { context.write(Self.text(of: like.block, named: name)) }
      context.note("no answer of \(name) proves this; give one with --from-sample")
      return try write() || options.isDry
    }
    let dealt = try like.dealt(samples)
    dealt.notes.forEach(context.note)
    try like.prove(on: dealt, answers)
    if let request { noteSecrets(of: request) }
    try draft.add(name, like.block)
    let exchange = try draft.exchange(named: name)
    show(like)
    if !options.isJSON {
      for (part, preview) in like.reading.previews {
        if family.parts.count > 1 { context.write("\n\(TerminalText.sanitized(family.name(of: part))):") }
        showRows(preview)
      }
      if options.isDry { context.write(Self.text(of: like.block, named: name)) }
    }
    guard isRead(like), try isTaken(like.objection ?? like.objectionToTicker) else { return false }
    let pieces = pieces(of: dealt, like.reading)
    return try await finish(
      exchange, pieces, shown: pieces.compactMap(\.pair).first, isSaved: sample.arrival == nil)
  }

  /// Returns whether all answers are read with the differences, and notes what is not.
  private func isRead(_ like: DerivedExchangeDraft) -> Bool {
    let previews = like.reading.previews
    if let failed = previews.first(where: { !$0.preview.isRead }) {
      let (part, other) = (like.family.name(of: failed.part), like.family.exchange.name)
      context.note("the answer for '\(part)' cannot be read like \(other): \(failed.preview.unread ?? "it has no row")")
      if like.reading.rows == 0 { context.note("without --like, only the answer counts") }
      return false
    }
    if !options.keys.givesSymbol, let pair = previews.lazy.compactMap(\.preview.misread.first).first {
      context.note("'\(pair)' is not a pair; say how to split a symbol with --set symbol=…")
      return false
    }
    return true
  }

  /// Returns the samples as they are recorded: those of tables first, then those of lookups.
  private func pieces(of dealt: DerivationSamples, _ reading: DerivationReading) -> [SampleCassette.Piece] {
    let pieces = dealt.tables.compactMap { part, sample -> SampleCassette.Piece? in
      guard case .place(let place) = part, let preview = reading.previews.first(where: { $0.part == part })?.preview
      else { return nil }
      return piece(sample, place, options.hints.pair ?? preview.firstPair, preview)
    }
    guard let first = pieces.first else { return [] }
    return pieces + self.pieces(ofLookups: dealt.lookups, of: first)
  }

  private func show(_ like: DerivedExchangeDraft) {
    guard options.isJSON else { return context.write(like.text) }
    var json = like.json
    if let placeholder { json += ["placeholder": .string(placeholder)] }
    context.write(json: json)
  }
}
