import Inference
import TestSupport

@testable import Config

/// Counts verdicts by slot and by body.
struct AccuracyTable {
  struct Row {
    var counts: [SlotVerdict: Int] = [:]
    /// Verdicts that are unsure but whose best guess is right.
    var guessed = 0

    var judged: Int { SlotVerdict.allCases.filter { $0 != .unjudged }.reduce(0) { $0 + (counts[$1] ?? 0) } }
    /// The share of right or unsure verdicts among those that can be judged.
    var honestShare: Double { judged == 0 ? 1 : 1 - Double(counts[.wrong] ?? 0) / Double(judged) }
    var rightShare: Double { judged == 0 ? 1 : Double(counts[.right] ?? 0) / Double(judged) }
  }

  private var rows: [String: Row] = [:]
  private(set) var total = Row()
  private(set) var bodies = 0
  private(set) var wrongBodies = 0
  var refused = 0

  var bodiesWithoutWrong: Double { bodies == 0 ? 1 : 1 - Double(wrongBodies) / Double(bodies) }

  /// - Returns: a line for each slot that is not right.
  mutating func add(_ body: RecordedTickers, _ proposal: ExchangeProposal) -> [String] {
    guard let judge = SlotJudge(body, proposal) else { return [] }
    var details: [String] = []
    var isWrong = false
    for slot in SlotJudge.slots {
      guard let (verdict, note) = judge.verdict(slot) else { continue }
      rows[slot, default: Row()].counts[verdict, default: 0] += 1
      total.counts[verdict, default: 0] += 1
      if verdict == .unsure, note.hasPrefix("best guess right") {
        rows[slot, default: Row()].guessed += 1
        total.guessed += 1
      }
      if verdict == .wrong { isWrong = true }
      if verdict != .right { details.append("\(body.file) \(proposal.rows) \(slot) \(verdict.rawValue): \(note)") }
    }
    bodies += 1
    if isWrong { wrongBodies += 1 }
    return details
  }

  func text(title: String) -> String {
    var lines = ["\(title): \(bodies) bodies, \(wrongBodies) with a wrong slot, \(refused) without a proposal"]
    lines.append("  slot     right unsure (guess right) wrong unjudged  right%  right or unsure%")
    for slot in SlotJudge.slots + ["total"] {
      let row = slot == "total" ? total : rows[slot] ?? Row()
      func cell(_ number: Int, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - String(number).count)) + String(number)
      }
      let name = slot + String(repeating: " ", count: 8 - slot.count)
      lines.append(
        "  \(name)\(cell(row.counts[.right] ?? 0, 6))\(cell(row.counts[.unsure] ?? 0, 7))\(cell(row.guessed, 14))"
          + "\(cell(row.counts[.wrong] ?? 0, 6))\(cell(row.counts[.unjudged] ?? 0, 9))"
          + "\(cell(Int((row.rightShare * 1000).rounded()), 8))\(cell(Int((row.honestShare * 1000).rounded()), 10)) (per mille)"
      )
    }
    return lines.joined(separator: "\n")
  }
}
