import Config
import JSON
import Quotes

/// Evidence that the price of a single row is none of a market: there is no other row to compare it with, and no offer,
/// bound or open near it.
struct LonePrice {
  private let rows: SampleRows
  private let root: JSONNode

  init(_ rows: SampleRows, root: JSONNode) { (self.rows, self.root) = (rows, root) }

  /// Lowers the confidence in a price that nothing confirms, and in the amounts beside it if they are those of one trade.
  func apply(to findings: inout [RoleFinding], _ columns: [SampleColumn]) {
    guard rows.nodes.count == 1, let price = findings[.price]?.column, !isConfirmed(price, findings, columns) else {
      return
    }
    let ofOne = numberOfOne
    guard let reason = ofOne ?? signOfAccount ?? span ?? longerList else { return }
    let roles: [Role] = ofOne == nil ? [.price] : [.price, .volume, .turnover]
    for index in findings.indices where roles.contains(findings[index].role) { findings[index].doubt(because: reason) }
  }

  private func isConfirmed(_ price: Int, _ findings: [RoleFinding], _ columns: [SampleColumn]) -> Bool {
    let relations = RowRelations(columns: columns)
    return findings.contains { other in
      other.role != .price && PriceRoles.roles.contains(other.role) && other.column != price
        && relations.areNear(price, other.column, factor: 2).holds > 0
    }
  }

  /// The number of one trade or order, beside its size.
  private var numberOfOne: String? {
    let hasSize = rows.columns.contains { column in
      column.hasNumbers && !column.leafName.hasAny([.rolling, .day])
        && column.leafName.hasAny([.amount, .quantity, .size, .volume])
    }
    let id = rows.columns.first { column in
      // A pair or an exchange may have an identifier as well, but as a word.
      column.leafName.has(.identifier) && column.presentTexts.contains { $0.count { $0.isNumber } >= 4 }
    }
    guard hasSize, let id else { return nil }
    return "'\(id.path.text)' may be the number of one trade or order, and no other price confirms it"
  }

  private var signOfAccount: String? {
    AccountRows(rows).signs.first.map { "'\($0)' is a member of orders or positions, and no other price confirms it" }
  }

  /// A number of minutes or hours, over which a price is an average.
  private var span: String? {
    let spans = RecordWords.intervals.filter { $0.count >= 3 }
    let column = rows.columns.first { column in
      spans.contains(Spelling.folded(column.path.names.last ?? "")) && column.isWhole && column.hasNumbers
    }
    return column.map { "it may be the average of '\($0.path.text)', and no other price confirms it" }
  }

  /// A list of rows outside of this row or within it, which the answer is rather about.
  private var longerList: String? {
    var visits = 0
    func find(_ node: JSONNode, _ path: SamplePath, depth: Int) -> SamplePath? {
      visits += 1
      guard depth < 6, visits < 300 else { return nil }
      switch node.kind {
      case .array:
        let isOfRows = node.count >= 2 && node.elements.allSatisfy { [.array, .object].contains($0.kind) }
        let hasRow = node.byteRange.contains(rows.nodes[0].byteRange.lowerBound)
        if isOfRows, !hasRow { return path }
        return node.elements.prefix(3).enumerated().lazy.compactMap { index, element in
          find(element, path.appending(.index(index)), depth: depth + 1)
        }.first
      case .object:
        return node.members.prefix(60).lazy.compactMap { member in
          find(member.value, path.appending(.member(member.name)), depth: depth + 1)
        }.first
      default: return nil
      }
    }
    return find(root, SamplePath(), depth: 0).map {
      "the answer is rather the list at \($0.text), and no other price confirms it"
    }
  }
}
