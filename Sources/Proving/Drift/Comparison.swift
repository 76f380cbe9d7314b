import Config
import JSON
import JSONPath
import Quotes

/// Two answers side by side, with what a mapping reads from each.
struct Comparison {
  /// A path of the mapping and its values in both answers.
  struct Reading {
    let path: MappedPath
    /// All uses of the path.
    let all: [MappedPath]
    /// Its steps with the pair filled in; nil if the path is more than names and indexes.
    let steps: [SingularStep]?
    /// By row; outside of rows there is just one value.
    let old: [Int: AnswerValue]
    let new: [Int: AnswerValue]
    /// Whether it is null now: then its values are gone, but not the path.
    let hasNull: Bool

    var isInRow: Bool { path.isInRow }
    var uses: [String] { all.map(\.use.text).unique }
    var fields: [TickerField] { all.compactMap(\.field).unique }
    /// All places in the mapping that contain the path.
    var places: [Place] { all.map(\.path.node.place).unique }
  }

  let recorded: AnswerColumns
  let current: AnswerColumns
  let pairing: RowPairing
  /// The distinct paths, in the order of the mapping.
  let readings: [Reading]
  /// Whether the prices and amounts of matching rows are of the same pair.
  let comparesAmounts: Bool
  let arrivals: (recorded: Instant?, current: Instant?)

  init(
    recorded: AnswerColumns, current: AnswerColumns, pairing: RowPairing, paths: [MappedPath], pair: Pair?,
    comparesAmounts: Bool, arrivals: (recorded: Instant?, current: Instant?)
  ) {
    (self.recorded, self.current, self.pairing) = (recorded, current, pairing)
    (self.comparesAmounts, self.arrivals) = (comparesAmounts, arrivals)
    var groups: [[MappedPath]] = []
    for path in paths {
      if let index = groups.firstIndex(where: { $0[0].isSame(as: path) }) {
        groups[index].append(path)
      } else {
        groups.append([path])
      }
    }
    readings = groups.map { group in
      let new = current.nodes(at: group[0], pair)
      return Reading(
        path: group[0], all: group, steps: group[0].path.steps(filledWith: pair),
        old: recorded.nodes(at: group[0], pair).compactMapValues { $0.lazy.compactMap { AnswerValue($0) }.first },
        new: new.compactMapValues { $0.lazy.compactMap { AnswerValue($0) }.first },
        hasNull: new.values.contains { $0.contains { $0.isNull || group[0].isInRow && $0.string?.isEmpty == true } })
    }
  }

  /// The current price of each row, by row index; nil if no member holds it as it is.
  var currentPrices: [Int: Double]? {
    let found = readings.lazy.compactMap { reading in
      reading.all.first { $0.field == .price && $0.isWhole && $0.isInRow }.map { (reading, $0.scale) }
    }.first
    return found.map { reading, scale in reading.new.compactMapValues { $0.number.map { $0 * scale } } }
  }

  /// Returns the values of the rows that both answers have.
  func pairs(_ old: [Int: AnswerValue], _ new: [Int: AnswerValue], isInRow: Bool) -> [(AnswerValue, AnswerValue)] {
    (isInRow ? pairing.rows : [(0, 0)]).compactMap { row in
      old[row.recorded].flatMap { old in new[row.current].map { (old, $0) } }
    }
  }
}
