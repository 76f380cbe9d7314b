import JSON
import JSONPath
import Quotes

@testable import Config
@testable import Inference

/// What is known about a recorded table: the values of each role that its own names and numbers establish beyond doubt.
struct TableTruth {
  enum Verdict: CaseIterable {
    case right, unsure, wrong
  }

  static let slots: [String] = Role.allCases.map(\.rawValue) + ["asset", "payment"]

  let file: String
  let proposal: ExchangeProposal
  /// The value in each row for each role that has any candidate.
  private let values: [Role: [Double?]]
  let pairs: [Pair?]

  init?(_ body: RecordedBody, limit: Int) {
    guard let proposal = try? ExchangeInference(body.bytes).proposal(),
      let table = SampleTable(body.bytes, proposal, limit: limit), table.rows.count >= 2,
      proposal[.price]?.isSure == true, proposal.otherRows.isEmpty, let symbol = proposal.symbol
    else { return nil }
    file = body.file
    self.proposal = proposal
    var values: [Role: [Double?]] = [:]
    for role in proposal.roles where !role.isFromResponse {
      let steps = SampleTable.steps(role.path)
      values[role.role] = table.rows.map { $0.value[steps[...]]?.scalarText.flatMap(SampleColumn.number) }
    }
    self.values = values
    pairs = table.rows.indices.map { $0 < symbol.pairs.count ? symbol.pairs[$0] : nil }
  }

  /// Returns the outcome for each slot of the changed table, with a note if it is wrong.
  func verdicts(on table: SampleTable) -> (verdicts: [String: Verdict], notes: [String], refusal: String?) {
    let sure = proposal.roles.filter { $0.isSure && values[$0.role] != nil }.map(\.role.rawValue)
    let isPairSure = proposal.symbol?.isSure == true
    let known = sure + (isPairSure ? ["asset", "payment"] : [])
    let found: ExchangeProposal
    do {
      found = try ExchangeInference(table.bytes).proposal()
    } catch {
      return (Dictionary(uniqueKeysWithValues: known.map { ($0, .unsure) }), [], "\(error)")
    }
    var verdicts: [String: Verdict] = [:]
    var notes: [String] = []
    let rows =
      (try? JSONDocument(parsing: table.bytes)).flatMap { document in
        (try? JSONPathQuery(found.rows))?.nodes(in: document.root)
      } ?? []
    for role in Role.allCases {
      guard let note = judge(role, found, rows, table) else { continue }
      verdicts[role.rawValue] = note.verdict
      if note.verdict == .wrong { notes.append("\(role.rawValue): \(note.text)") }
    }
    guard isPairSure else { return (verdicts, notes, nil) }
    for (slot, part) in [("asset", \Pair.asset), ("payment", \Pair.payment)] {
      guard let symbol = found.symbol, symbol.isSure, symbol.pairs.count == table.rows.count else {
        verdicts[slot] = .unsure
        continue
      }
      let both = zip(table.rows, symbol.pairs).compactMap { row, pair in pairs[row.origin].map { ($0, pair) } }
      let same = both.count { $0[keyPath: part] == $1?[keyPath: part] }
      // A symbol left unsplit is reported as such, which is not an error.
      let misread = both.count { $1 != nil && $0[keyPath: part] != $1?[keyPath: part] }
      verdicts[slot] = same * 100 >= both.count * 95 ? .right : misread * 100 <= both.count ? .unsure : .wrong
      if verdicts[slot] == .wrong {
        notes.append("\(slot): '\(symbol.example)' \(symbol.evidence), \(same) of \(both.count)")
      }
    }
    return (verdicts, notes, nil)
  }

  /// Returns nil if there is nothing to judge: the recording has no such value, and none was made up.
  private func judge(
    _ role: Role, _ found: ExchangeProposal, _ rows: [JSONNode], _ table: SampleTable
  ) -> (verdict: Verdict, text: String)? {
    let original = proposal[role]
    let isKnown = original?.isSure == true && values[role] != nil
    guard let guess = found[role], guess.isSure, !guess.isFromResponse else { return isKnown ? (.unsure, "") : nil }
    let ours = rows.map { row in
      (try? JSONPathQuery(guess.path))?.nodes(in: row).first?.scalarText.flatMap(SampleColumn.number)
    }
    let text =
      "\(guess.path) \(guess.confidence) \(guess.evidence), not \(original?.path ?? "anything")"
      + (guess.scale == original?.scale ? "" : ", scale \(guess.scale?.shortest ?? "1")")
    guard let wanted = values[role] else {
      // A volume for which the recording does not settle whether it counts coins or money.
      let isDoubtful = proposal.roles.contains { [.volume, .turnover].contains($0.role) && !$0.isSure }
      return [.volume, .turnover].contains(role) && isDoubtful ? nil : (.wrong, text)
    }
    guard ours.count == table.rows.count else { return isKnown ? (.wrong, "rows \(found.rows)") : nil }
    let both = zip(table.rows, ours).compactMap { row, ours in wanted[row.origin].map { ($0, ours) } }
    let same = both.count { wanted, ours in ours.map { abs($0 - wanted) <= abs(wanted) * 1e-9 } ?? false }
    let isSame = same * 100 >= both.count * 95 && guess.scale == original?.scale
    if isSame { return (.right, "") }
    // The previous day's close, from which a change is measured, is as much an open as a field of that name.
    if role == .open, original?.evidence.first == "the change is measured from it" { return (.unsure, "") }
    // If the recording leaves a doubt, a different result need not be wrong.
    return isKnown ? (.wrong, text) : nil
  }
}

/// A table to be transformed.
struct RecordedBody {
  let file: String
  let bytes: [UInt8]
}
