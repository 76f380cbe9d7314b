import Catalog
import Quotes
import Terminal

/// What is settled before the block can be written: by the proposal where it is sure, by options, by questions.
struct AddingAnswers {
  /// Those that go into the block.
  private(set) var roles: [RoleProposal] = []
  /// Those that stay out, with the reason.
  private(set) var left: [(role: RoleProposal, reason: String)] = []
  private(set) var symbol: SymbolProposal?
  /// What is missing before the venue could be used; nil when nothing is.
  private(set) var objection: String?

  private let options: AddingOptions
  private let context: Context
  /// Whether there is a person to ask.
  private let asks: Bool

  init(_ proposal: VenueProposal, _ options: AddingOptions, asks: Bool, in context: Context) {
    self.options = options
    self.context = context
    self.asks = asks
    for role in Role.allCases {
      guard var found = given(role, proposal[role]) else { continue }
      if let reason = settle(&found) { left.append((found, reason)) } else { roles.append(found) }
    }
    if !roles.contains(where: { $0.role == .price }) {
      objection = "no price is sure; give its place with --price PATH"
    }
    settleSymbol(proposal)
  }

  /// What the options say about a role goes before the proposal; `-` leaves it out.
  private func given(_ role: Role, _ found: RoleProposal?) -> RoleProposal? {
    guard let path = options.paths[role] else { return found }
    guard path != "-" else { return nil }
    var given = found ?? RoleProposal(role: role, path: path)
    if given.path != path { given = RoleProposal(role: role, path: path) }
    given.confidence = 1
    given.evidence = ["given by --\(AddingOptions.name(of: role))"]
    return given
  }

  /// - Returns: why the role stays out; nil when it is in.
  private func settle(_ role: inout RoleProposal) -> String? {
    if role.role == .change {
      if let unit = options.changeUnit {
        role.scale = unit == "ratio" ? 100 : nil
        role.confidence = max(role.confidence, RoleProposal.threshold)
      }
      role.basis = options.basis ?? role.basis
    }
    let percent = Int((role.confidence * 100).rounded())
    if !role.isSure {
      guard asks, role.confidence >= 0.2 else { return "unsure (\(percent) %)" }
      let reasons = role.evidence.joined(separator: "; ")
      guard confirm("\(role.role.field.rawValue): \(role.path), for example \(role.example)? \(percent) %: \(reasons)")
      else {
        return "declined"
      }
    }
    guard role.role == .change, role.basis == nil else { return nil }
    guard asks, let basis = askBasis() else { return "its name does not say what it is measured from; give --basis" }
    role.basis = basis
    return nil
  }

  private mutating func settleSymbol(_ proposal: VenueProposal) {
    guard let found = proposal.symbol else {
      objection = objection ?? "no field names the pair of a row"
      return
    }
    symbol = found
    let isSure = min(found.assetConfidence, found.paymentConfidence) >= RoleProposal.threshold
    if isSure { return }
    let pair = found.pairs.compactMap(\.self).first.map { "\($0.asset)/\($0.payment)" }
    let text = "the pair of a row is unsure: \(found.evidence.joined(separator: "; "))"
    if asks, let pair, confirm("pair: '\(found.example)' is \(pair)? \(text)") { return }
    objection = objection ?? "\(text); give a pair of the sample with --symbol ASSET/PAYMENT"
  }

  // MARK: Asking

  private func confirm(_ question: String) -> Bool {
    ask("\(question) [y/N] ").map { ["y", "yes"].contains($0.lowercased()) } ?? false
  }

  private func askBasis() -> ChangeBasis? {
    let names = ChangeBasis.allCases.map(\.rawValue).joined(separator: ", ")
    let answer = ask("what is the change measured from? \(names); nothing leaves it out: ")
    return answer.flatMap { ChangeBasis(rawValue: $0) }
  }

  private func ask(_ question: String) -> String? {
    context.output.flush()
    context.errorOutput.write(TerminalText.sanitized(question))
    return context.readLine()
  }
}
