import Config
import JSON
import JSONPath
import Mapping
package import Quotes

/// What has changed between a recorded answer and another one, as far as a mapping reads it.
package struct AnswerDrift: Sendable {
  /// A path that had a value in the recording and has none now.
  package struct Lost: Sendable {
    /// What reads it, in words: `price`, `symbol`.
    package let uses: [String]
    package let fields: [TickerField]
    package let isInRow: Bool
    /// How many rows of the recording had it, of how many.
    package let recorded: (count: Int, of: Int)
    package let replacement: Replacement
  }

  /// A path whose values say something else than they did.
  package struct Shift: Sendable, Hashable {
    /// Whether the mapping is wrong now; else it is worth knowing.
    package let isProblem: Bool
    package let uses: [String]
    package let fields: [TickerField]
    /// What was found, in words that go on after the path.
    package let text: String
    package let help: String?
  }

  /// Where the rows have gone; nil where they are where they were.
  package let rows: Replacement?
  /// The paths that lead nowhere, in the order in which the mapping has them.
  package let lost: [Lost]
  package let shifts: [Shift]
  /// Names of recorded rows that are not there any more, and of how many.
  package let goneRows: [String]
  package let recordedRowCount: Int

  package static let none = AnswerDrift(rows: nil, lost: [], shifts: [], goneRows: [], recordedRowCount: 0)

  private init(rows: Replacement?, lost: [Lost], shifts: [Shift], goneRows: [String], recordedRowCount: Int) {
    (self.rows, self.lost, self.shifts) = (rows, lost, shifts)
    (self.goneRows, self.recordedRowCount) = (goneRows, recordedRowCount)
  }

  /// - Parameter comparesRows: whether the two answers can have the same rows: not where each is of another pair.
  init(
    _ before: DriftSide, _ after: DriftSide, _ reading: DriftReading, pair: Pair?, comparesRows: Bool = true
  ) {
    guard let recorded = AnswerColumns(before.bodies, rows: reading.rows),
      let first = AnswerColumns(after.bodies, rows: reading.rows)
    else {
      self = .none
      return
    }
    let moved = MovedRows(recorded: recorded, spec: reading.rows, slots: reading.slots, name: reading.names)
      .replacement(in: after.bodies, taken: reading.taken)
    var current = first
    if let path = moved?.candidates.first?.path, case .path(let old) = reading.rows,
      let query = try? JSONPathQuery(path),
      let there = AnswerColumns(
        after.bodies, rows: .path(PathSpec(query: query, templates: [:], node: old.node)))
    {
      current = there
    }
    let pairing =
      comparesRows ? RowPairing(recorded, current, names: reading.names) : RowPairing.none
    let search = ReplacementSearch(
      recorded: recorded, current: current, pairing: pairing, slots: reading.slots, pair: pair,
      arrivals: (before.arrival, after.arrival))

    // Where there are no rows at all, all paths of rows lead nowhere: the rows alone are told.
    let hasRows = !recorded.rows.isEmpty && !current.rows.isEmpty
    let gone = reading.slots.filter { slot in
      guard !slot.isInRow || hasRows else { return false }
      let old = recorded.values(at: slot.path, isInRow: slot.isInRow, pair)
      guard old.count * 2 >= (slot.isInRow ? recorded.rows.count : 1), !old.isEmpty else { return false }
      return current.values(at: slot.path, isInRow: slot.isInRow, pair).isEmpty
        && !current.hasNull(at: slot.path, isInRow: slot.isInRow, pair)
    }
    var order: [ReadSlot] = []
    for slot in gone where !order.contains(where: { $0.isSamePath(as: slot) }) { order.append(slot) }
    lost = zip(order, search.replacements(of: order)).map { slot, replacement in
      let same = gone.filter { $0.isSamePath(as: slot) }
      let old = recorded.values(at: slot.path, isInRow: slot.isInRow, pair).count
      return Lost(
        uses: same.map(\.use).unique, fields: same.compactMap(\.field).unique, isInRow: slot.isInRow,
        recorded: (old, slot.isInRow ? recorded.rows.count : 1), replacement: replacement)
    }
    rows = moved
    shifts = ShiftSearch(recorded: recorded, current: current, pairing: pairing, slots: reading.slots, pair: pair)
      .shifts(besides: gone)
    goneRows = pairing.gone
    recordedRowCount = hasRows && pairing.movedTo == nil ? pairing.recordedCount : 0
  }
}

extension AnswerDrift {
  /// The same, where what nothing could be proposed for has the proposal of another answer.
  ///
  /// - Parameter has: whether this answer has what the other one proposes.
  package func completed(by other: AnswerDrift, has: (Replacement.Candidate) -> Bool) -> AnswerDrift {
    let lost = lost.map { lost -> Lost in
      guard lost.replacement.chosen == nil,
        let same = other.lost.first(where: {
          $0.replacement.lost == lost.replacement.lost && $0.isInRow == lost.isInRow
        }),
        let chosen = same.replacement.chosen, has(chosen)
      else { return lost }
      let replacement = Replacement(
        lost: lost.replacement.lost, places: lost.replacement.places, isInRow: lost.isInRow, candidates: [chosen])
      return Lost(
        uses: lost.uses, fields: lost.fields, isInRow: lost.isInRow, recorded: lost.recorded, replacement: replacement)
    }
    return AnswerDrift(rows: rows, lost: lost, shifts: shifts, goneRows: goneRows, recordedRowCount: recordedRowCount)
  }
}

/// The answers of one side: recorded, or those that came now.
package struct DriftSide: Sendable {
  package let bodies: [[UInt8]]
  package let arrival: Instant?

  package init(bodies: [[UInt8]], arrival: Instant?) {
    self.bodies = bodies
    self.arrival = arrival
  }
}

/// How a mapping reads answers: where the rows are, what they are known by, and which paths count.
struct DriftReading {
  let rows: RowsSpec
  let slots: [ReadSlot]
  let names: (AnswerColumns) -> [String?]
  /// Places that are read for something else.
  var taken: [String] = []
}

extension AnswerColumns {
  /// Whether a path leads to null: then it has not gone, its values have.
  func hasNull(at path: PathSpec, isInRow: Bool, _ pair: Pair?) -> Bool {
    var place = RowPlace(index: 0)
    place.asset = pair?.asset ?? ""
    place.payment = pair?.payment ?? ""
    guard isInRow else { return roots.contains { path.nodes(in: $0, place).contains { $0.isNull } } }
    return rows.contains { $0.nodes(at: path, place).contains { $0.isNull || $0.string?.isEmpty == true } }
  }
}

extension ReadSlot {
  func isSamePath(as other: ReadSlot) -> Bool { path.text == other.path.text && isInRow == other.isInRow }
}

extension Array where Element: Hashable {
  /// Each of them once, where it comes first.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
