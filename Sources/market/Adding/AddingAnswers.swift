import Config
import Inference
import Quotes

/// What is settled before the block can be written: by the proposal where it is sure, by options, by questions.
struct AddingAnswers {
  /// Those that go into the block.
  private(set) var roles: [RoleProposal] = []
  /// Those that stay out, with the reason.
  private(set) var left: [(role: RoleProposal, reason: String)] = []
  private(set) var symbol: SymbolProposal?
  /// What is missing before the exchange could be used; nil when nothing is.
  private(set) var objection: String?
  /// As the answers have left it.
  private(set) var proposal: ExchangeProposal
  private(set) var hints: SampleHints

  private let sample: [UInt8]
  private let options: AddingOptions
  private let questioner: Questioner

  init(_ sample: [UInt8], _ options: AddingOptions, _ questioner: Questioner) throws {
    try self.init(sample, options, options.hints, questioner)
  }

  /// - Parameter hints: the options', and what has been asked before.
  init(_ sample: [UInt8], _ options: AddingOptions, _ hints: SampleHints, _ questioner: Questioner) throws {
    self.sample = sample
    self.options = options
    self.questioner = questioner
    self.hints = hints
    do {
      proposal = try ExchangeInference(sample, hints).proposal()
    } catch .oneRow(let path) {
      proposal = try Self.single(.oneRow(path: path), sample, &self.hints, questioner)
    } catch {
      throw CommandError.noAnswer("\(error)")
    }
  }

  /// One row proves nothing by itself: somebody has to say which pair it is about.
  private static func single(
    _ problem: SampleProblem, _ sample: [UInt8], _ hints: inout SampleHints, _ questioner: Questioner
  ) throws -> ExchangeProposal {
    guard questioner.isAsking else { throw CommandError.noAnswer("\(problem): --symbol ASSET/PAYMENT") }
    questioner.say("\(problem)")
    while true {
      let answer = try questioner.ask("which pair is the response about? ASSET/PAYMENT:")
      if answer.isEmpty { continue }
      guard let pair = try? AddingOptions.pair(answer) else {
        questioner.say("write it as BTC/KRW")
        continue
      }
      hints.pair = pair
      do {
        return try ExchangeInference(sample, hints).proposal()
      } catch {
        throw CommandError.noAnswer("\(error)")
      }
    }
  }

  /// Takes what is sure, and asks for the rest.
  mutating func settle() throws {
    try settleSymbol()
    for role in Role.allCases where !options.excluded.contains(role) {
      guard var found = proposal[role] else { continue }
      adjust(&found)
      if let reason = try settle(&found) { left.append((found, reason)) } else { roles.append(found) }
    }
    if !roles.contains(where: { $0.role == .price }) {
      objection = objection ?? "no price is sure; give its place with --price PATH"
    }
    objection = objection ?? doubt
  }

  /// Numbers that never were prove no price, where they have cost the sample all that the price was held against.
  private var doubt: String? {
    guard proposal.looksInvented, hints.paths[.price] == nil,
      !roles.contains(where: { ![.price, .time].contains($0.role) })
    else { return nil }
    return
      "the sample looks invented, and nothing but its price is left; give an answer of the exchange itself, or say "
      + "with --price PATH that this is the last price"
  }

  /// What the options say of a role besides its place.
  private func adjust(_ role: inout RoleProposal) {
    switch role.role {
    case .change:
      if let unit = options.changeUnit { role.scale = unit == "ratio" ? 100 : nil }
      if let scale = options.changeScale { role.scale = scale == 1 ? nil : scale }
      if options.changeUnit != nil || options.changeScale != nil {
        role.confidence = max(role.confidence, RoleProposal.threshold)
      }
      role.basis = options.changeBasis ?? role.basis
    case .time: role.timeForm = options.timeForm ?? role.timeForm
    default: break
    }
  }

  // MARK: Fields

  /// - Returns: why the role stays out; nil when it is in.
  private mutating func settle(_ role: inout RoleProposal) throws -> String? {
    if !role.isSure {
      let percent = Int((role.confidence * 100).rounded())
      guard questioner.isAsking, role.confidence >= 0.2 else { return "unsure (\(percent) %)" }
      guard try askPlace(&role) else { return "declined" }
    }
    if role.role == .time, role.timeForm == nil { return "its unit is not known; give --time-unit" }
    guard role.role == .change, role.basis == nil else { return nil }
    guard questioner.isAsking, let basis = try askBasis() else {
      return "its name does not say what it is measured from; give --change-basis"
    }
    role.basis = basis
    return nil
  }

  /// Shows the candidates with what speaks for them; false where none is taken.
  private mutating func askPlace(_ role: inout RoleProposal) throws -> Bool {
    let field = role.role.field.rawValue
    var lines = [
      "\(role.path)  for example \(role.example)  \(ProposalText.percent(role.confidence))  "
        + role.evidence.joined(separator: "; ")
    ]
    if let other = role.runnerUp { lines.append("\(other.path)  \(ProposalText.percent(other.confidence))") }
    questioner.say("\n\(field) is unsure:")
    while true {
      switch try questioner.choose("a number, a path such as $.x, or nothing to leave it out:", from: lines) {
      case .nothing: return false
      case .number(0): break
      case .number(let number):
        guard number == 1, let other = role.runnerUp, try take(other.path, for: &role) else { continue }
      case .text(let text):
        if ["y", "yes"].contains(text.lowercased()) { break }
        if ["n", "no"].contains(text.lowercased()) { return false }
        guard SampleHints.isPath(text) else {
          questioner.say("'\(text)' is no path")
          continue
        }
        guard try take(text, for: &role) else { continue }
      }
      if role.role == .change { try askUnit(&role) }
      if role.confidence < 1 {
        role.confidence = 1
        role.evidence.insert("confirmed", at: 0)
      }
      return true
    }
  }

  /// Reads the sample anew with a place for the role; false, and a word about it, where nothing stands there.
  private mutating func take(_ path: String, for role: inout RoleProposal) throws -> Bool {
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
      questioner.say("\(error)")
      return false
    }
  }

  private func askUnit(_ role: inout RoleProposal) throws {
    guard options.changeUnit == nil, options.changeScale == nil else { return }
    let isRatio = role.scale == 100
    let choice = try questioner.choose(
      "is \(role.example) a percentage or a fraction? [\(isRatio ? 2 : 1)]",
      from: ["percent: 1.5 means 1.5 %", "ratio: 0.015 means 1.5 %"], byDefault: .number(isRatio ? 1 : 0))
    switch choice {
    case .number(1), .text("ratio"): role.scale = 100
    default: role.scale = nil
    }
  }

  private func askBasis() throws -> ChangeBasis? {
    let bases = ChangeBasis.allCases
    questioner.say("\nwhat is the change measured from? The exchange's documentation says so.")
    while true {
      let choice = try questioner.choose(
        "a number, or nothing to leave the change out:", from: bases.map { "\($0.rawValue)  \($0.explanation)" })
      switch choice {
      case .nothing: return nil
      case .number(let index): return bases[index]
      case .text(let text):
        if let basis = ChangeBasis(rawValue: text) { return basis }
        questioner.say("'\(text)' is none of them")
      }
    }
  }

  // MARK: The pair

  private mutating func settleSymbol() throws {
    guard let found = proposal.symbol else {
      objection = objection ?? "no field names the pair of a row; give its place with --symbol-path PATH"
      return
    }
    symbol = found
    if found.isSure { return }
    if questioner.isAsking, try askPair(found) { return }
    let text = "the pair of a row is unsure: \(found.evidence.joined(separator: "; "))"
    objection = objection ?? "\(text); give a pair of the sample with --symbol ASSET/PAYMENT"
  }

  /// Asks which pair the first row is, and reads the sample anew with it.
  private mutating func askPair(_ found: SymbolProposal) throws -> Bool {
    questioner.say("\nthe pair of a row is unsure: \(found.evidence.joined(separator: "; "))")
    let guess = found.pairs.compactMap(\.self).first
    while true {
      let question = found.example.isEmpty ? "which pair is the response about?" : "which pair is '\(found.example)'?"
      let hint = guess.map { " (nothing: \($0.asset)/\($0.payment))" } ?? ""
      let answer = try questioner.ask("\(question) ASSET/PAYMENT\(hint):")
      if answer.isEmpty, guess != nil { return true }
      if answer.isEmpty { return false }
      if let guess, ["y", "yes"].contains(answer.lowercased()) {
        hints.pair = guess
        return true
      }
      guard let pair = try? AddingOptions.pair(answer) else {
        questioner.say("write it as BTC/KRW")
        continue
      }
      var hints = hints
      hints.pair = pair
      guard let proposal = try? ExchangeInference(sample, hints).proposal(), let symbol = proposal.symbol else {
        return false
      }
      self.hints = hints
      self.proposal = proposal
      self.symbol = symbol
      let fits = symbol.pairs.contains { $0.map { hints.areSame($0, pair) } ?? false }
      questioner.say(fits ? "\(symbol.evidence.joined(separator: "; "))" : "no row is \(pair.asset)/\(pair.payment)")
      if fits { return true }
    }
  }

  /// The payment currencies that somebody names instead of those found.
  mutating func setPayments(_ payments: [String]) { symbol?.givenPayments = payments }
}

extension ChangeBasis {
  /// For somebody who has to choose.
  fileprivate var explanation: String {
    switch self {
    case .rolling24h: "the price of 24 hours ago"
    case .utcDay: "the price at midnight UTC"
    case .kstDay: "the price at midnight in Korea"
    case .venueDay: "the price at the beginning of the exchange's own day"
    case .previousClose: "the last close, whichever day that belongs to"
    }
  }
}
