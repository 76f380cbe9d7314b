/// Which columns of a table are shown, and how wide each is: a pure function of measured widths and room.
package struct TableLayout: Hashable, Sendable {
  /// A column that is shown.
  package struct Placement: Hashable, Sendable {
    /// Its place among the table's columns.
    package let index: Int
    /// In cells.
    package let width: Int
  }

  /// Cells between two columns.
  static let gap = 2

  package let shown: [Placement]
  /// Indexes of the columns that are left out, ascending.
  package let hidden: [Int]

  /// Lays the columns out.
  ///
  /// As long as they do not fit, columns are shortened in their order, each down to its minimum; if that is not enough
  /// the next columns are dropped and the shortening starts again, so that no text is cut without need. When nothing is left
  /// to shorten or drop the table is wider than the room: the terminal breaks the lines, but every number is whole.
  ///
  /// - Parameters:
  ///   - natural: the width that each column needs for its widest cell or title.
  ///   - room: cells a line; nil = unlimited.
  package init(columns: [TableColumn], natural: [Int], room: Int?) {
    // A column without a title and without a text has nothing to show, and so nothing to hide.
    let filled = columns.indices.filter { natural[$0] > 0 }
    var shown = filled
    var orders = Set(columns.compactMap(\.dropping)).sorted(by: >)
    while true {
      let placements = Self.fit(shown, columns: columns, natural: natural, room: room)
      if let placements {
        self.shown = placements
        break
      }
      guard let next = orders.popLast() else {
        self.shown = shown.map { Placement(index: $0, width: Self.least(columns[$0], natural: natural[$0])) }
        break
      }
      shown.removeAll { columns[$0].dropping == next }
    }
    hidden = filled.filter { !shown.contains($0) }
  }

  /// The widths of these columns within the room; nil when they do not fit at their narrowest.
  private static func fit(_ shown: [Int], columns: [TableColumn], natural: [Int], room: Int?) -> [Placement]? {
    var widths = shown.map { natural[$0] }
    if let room {
      var excess = widths.reduce(0, +) + gap * max(0, shown.count - 1) - room
      let order = shown.indices.filter { canShorten(columns[shown[$0]]) }
        .sorted { (columns[shown[$0]].shortening ?? 0, -$0) < (columns[shown[$1]].shortening ?? 0, -$1) }
      for place in order where excess > 0 {
        let cut = min(excess, widths[place] - least(columns[shown[place]], natural: widths[place]))
        widths[place] -= cut
        excess -= cut
      }
      if excess > 0 { return nil }
    }
    return zip(shown, widths).map { Placement(index: $0, width: $1) }
  }

  private static func canShorten(_ column: TableColumn) -> Bool {
    column.shortening != nil && column.alignment == .left
  }

  private static func least(_ column: TableColumn, natural: Int) -> Int {
    canShorten(column) ? min(natural, max(1, column.minimumWidth)) : natural
  }
}
