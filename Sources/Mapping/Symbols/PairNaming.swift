package import Config
import JSON
import JSONPath
package import Quotes

/// The way an exchange names a pair in the answers about it: the member that holds the symbol in its tables of pairs, or
/// one named by its first letter, holds one there as well, if it occurs.
package struct PairNaming: Sendable {
  private let table: TableSpec
  private let globalAliases: [String: String]
  /// `symbol` and `s`
  private let members: [String]

  /// Returns nil if the rows of the table are not named by the plain text of one member.
  package init?(_ table: TableSpec, globalAliases: [String: String]) {
    guard case .rules(let text?, _) = table.symbol, text.capture == nil, text.strip == nil,
      case .path(let path?, from: .row) = text.origin, case .member(let member)? = path.query.singularSteps?.last
    else { return nil }
    (self.table, self.globalAliases) = (table, globalAliases)
    members = [member, String(member.prefix(1))].unique
  }

  /// Whether the exchange uses the name of an asset for another one.
  package func renames(_ asset: String) -> Bool { table.aliases.contains { $0.from == asset } }

  /// Returns a pair that an answer names without naming `pair` anywhere; nil if it names `pair`, or none.
  package func otherPair(than pair: Pair, in body: [UInt8]) -> Pair? {
    // Most answers name none, and are read only once.
    guard names(body.prefix(4096)) || names(body.suffix(1024)), let document = try? JSONDocument(parsing: body) else {
      return nil
    }
    var compiler = ValueCompiler()
    let plan = SymbolPlan(table, market: nil, &compiler)
    let reader = SymbolReader(plan: plan, globalAliases: globalAliases)
    var search = Search(wanted: pair, members: members) { symbol in
      guard case .pair(let read) = reader.read(symbol, value: { _ in nil }) else { return nil }
      // Of a text that only looks like a pair, the payment currency is none of the exchange's.
      return table.canHold(payment: read.pair.payment, globalAliases: globalAliases) ? read.pair : nil
    }
    search.visit(document.root)
    return search.isFound ? nil : search.other
  }

  private func names(_ part: ArraySlice<UInt8>) -> Bool {
    members.contains { member in
      let name = Array("\"\(member)\"".utf8)
      guard part.count >= name.count else { return false }
      // Letters are rarer than quotes.
      return (part.startIndex...part.endIndex - name.count).contains {
        part[$0 + 1] == name[1] && part[$0...].starts(with: name)
      }
    }
  }

  private struct Search {
    let wanted: Pair
    let members: [String]
    /// Returns the pair that a symbol names; nil if it names none.
    let pair: (UnsafeBufferPointer<UInt8>) -> Pair?
    var isFound = false
    var other: Pair?

    mutating func visit(_ node: JSONNode) {
      switch node.kind {
      case .object:
        for member in members {
          guard var text = node[member]?.string, let pair = text.withUTF8(pair) else { continue }
          if pair == wanted { isFound = true } else { other = other ?? pair }
        }
        for member in node.members where !isFound { visit(member.value) }
      case .array:
        for element in node.elements where !isFound { visit(element) }
      default: break
      }
    }
  }
}
