/// The columns of a table that are shown, and their widths: a pure function of the measured widths and the room.
package struct TableLayout: Hashable, Sendable {
  /// A column that is shown.
  package struct Placement: Hashable, Sendable {
    /// The index among the table's columns.
    package let index: Int
    package let width: Int
  }

  /// The number of cells between two columns.
  package static let gap = 2

  package let shown: [Placement]
  /// The indexes of the columns that are left out, ascending.
  package let hidden: [Int]

  /// Lays out the columns.
  ///
  /// While they do not fit, columns are shortened in order, each down to its minimum. If that is not enough, the next
  /// columns are dropped, first those in which no row has anything, and shortening starts again, so that no text is cut
  /// unnecessarily. A column that tells rows apart is shortened only when it is the next to be dropped, or nothing is left
  /// to drop; others then beyond their minimum. If nothing is left to shorten either, the table is wider than the room, and
  /// every number is complete; see ``lines(within:)``. What room is left goes to the columns that reserve some.
  ///
  /// - Parameters:
  ///   - natural: The width that each column needs for its widest cell or title.
  ///   - empty: The indexes of the columns in which no row has anything.
  ///   - room: The line width in cells; nil is unlimited.
  package init(columns: [TableColumn], natural: [Int], empty: Set<Int> = [], room: Int?) {
    // A column without a title and text has nothing to show, and so nothing to hide.
    let filled = columns.indices.filter { natural[$0] > 0 }
    var shown = filled
    let full = Set(columns.indices.filter { !empty.contains($0) }.compactMap { columns[$0].dropping })
    let bare = Set(columns.compactMap(\.dropping)).subtracting(full)
    var orders = full.sorted(by: >) + bare.sorted(by: >)
    while true {
      let placements = Self.fit(shown, columns: columns, natural: natural, room: room, next: orders.last)
      if let placements {
        self.shown = Self.widened(placements, columns: columns, room: room)
        break
      }
      guard let next = orders.popLast() else {
        self.shown = shown.map {
          Placement(index: $0, width: Self.least(columns[$0], natural: natural[$0], isLast: true))
        }
        break
      }
      shown.removeAll { columns[$0].dropping == next }
    }
    hidden = filled.filter { !shown.contains($0) }
  }

  /// Returns the columns by line: one, or if they have no room on it, as many as they need. All but the first are indented
  /// by a gap. A column wider than the room is alone on its line.
  package func lines(within room: Int?) -> [ArraySlice<Placement>] {
    guard let room else { return [shown[...]] }
    var lines: [ArraySlice<Placement>] = []
    var start = shown.startIndex
    var end = 0
    for (place, placement) in shown.enumerated() {
      if place > start, end + placement.width > room {
        lines.append(shown[start..<place])
        (start, end) = (place, Self.gap)
      }
      end += placement.width + Self.gap
    }
    return lines + [shown[start...]]
  }

  /// Returns the widths of these columns within the room, or nil if they do not fit even at their minimum.
  ///
  /// - Parameter next: The order of the columns to be dropped next; nil if none is left to drop.
  private static func fit(
    _ shown: [Int], columns: [TableColumn], natural: [Int], room: Int?, next: Int?
  ) -> [Placement]? {
    var widths = shown.map { natural[$0] }
    if let room {
      var excess = widths.reduce(0, +) + gap * max(0, shown.count - 1) - room
      let order = shown.indices.filter {
        canShorten(columns[shown[$0]]) && (!columns[shown[$0]].isKey || columns[shown[$0]].dropping == next)
      }
      .sorted { (columns[shown[$0]].shortening ?? 0, -$0) < (columns[shown[$1]].shortening ?? 0, -$1) }
      for place in order where excess > 0 {
        let cut = min(excess, widths[place] - least(columns[shown[place]], natural: widths[place], isLast: next == nil))
        widths[place] -= cut
        excess -= cut
      }
      if excess > 0 { return nil }
    }
    return zip(shown, widths).map { Placement(index: $0, width: $1) }
  }

  /// Widens columns to what they reserve, from the left, as far as the room allows.
  private static func widened(_ placements: [Placement], columns: [TableColumn], room: Int?) -> [Placement] {
    guard let room else { return placements }
    var left = room - placements.reduce(0) { $0 + $1.width } - gap * max(0, placements.count - 1)
    return placements.map { placement in
      let more = max(0, min(columns[placement.index].reserved - placement.width, left))
      left -= more
      return Placement(index: placement.index, width: placement.width + more)
    }
  }

  private static func canShorten(_ column: TableColumn) -> Bool {
    column.shortening != nil && column.alignment == .left
  }

  private static func least(_ column: TableColumn, natural: Int, isLast: Bool) -> Int {
    let minimum = isLast ? column.lastWidth ?? column.minimumWidth : column.minimumWidth
    return canShorten(column) ? min(natural, max(1, minimum)) : natural
  }
}
