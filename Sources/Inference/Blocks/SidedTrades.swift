import Config
import JSON
import JSONPath

/// Trades in two lists, one for each side: `{"buys": […], "sells": […]}`.
struct SidedTrades {
  /// The path of the object that contains both lists.
  private let container: SamplePath
  private let buys: String
  private let sells: String
  /// How many trades both have.
  private let count: Int

  /// Returns nil if the list that a proposal reads has no counterpart with the same members.
  ///
  /// - Parameter root: The answer that the proposal is of.
  init?(_ proposal: BlockProposal, in root: JSONNode) {
    guard proposal.rowsText.hasSuffix("[*]"), let list = SamplePath(String(proposal.rowsText.dropLast(3))),
      case .member(let own)? = list.steps.last, let isBuy = Self.isBuy(own)
    else { return nil }
    container = SamplePath(list.steps.dropLast())
    guard let query = try? JSONPathQuery(container.text), let object = query.nodes(in: root).first,
      let rows = object[own]
    else { return nil }
    let other = object.members.first { member in
      member.value.kind == .array && Self.isBuy(member.name) == !isBuy && Self.names(member.value) == Self.names(rows)
    }
    guard let other else { return nil }
    (buys, sells) = isBuy ? (own, other.name) : (other.name, own)
    count = rows.count + other.value.count
  }

  /// Returns the side that a list is named after; nil for neither.
  private static func isBuy(_ name: String) -> Bool? {
    let name = FieldName(name)
    let (isBuy, isSell) = (name.hasAny([.buy, .bid]), name.hasAny([.sell, .ask]))
    return isBuy == isSell ? nil : isBuy
  }

  /// The names of the members of a list's first element; nil if it is no object.
  private static func names(_ list: JSONNode) -> Set<String>? {
    list.elements.first.flatMap { $0.kind == .object ? Set($0.members.map(\.name)) : nil }
  }

  /// Returns a proposal for one list as one for both. The name of its list is the side of a trade, unless the rows have
  /// one; a list of orders does not say whether these were the takers'.
  func joined(_ proposal: BlockProposal) -> BlockProposal {
    let names = [buys, sells].map { SingularStep.member($0).description.dropFirst().dropLast() }
    let text = "\(container.text)[\(names.joined(separator: ", "))][*]"
    let value = ConfigValue.object([
      ("from", .text("key")), ("up", .number("1")), ("buy", .text(buys)), ("sell", .text(sells)),
    ])
    let areOrders = [buys, sells].contains { FieldName($0).has(.order) }
    let side = BlockField(
      "side", path: "the name of the list", members: [(["fields", "side"], value)], example: buys,
      areOrders ? 0.6 : 0.85, ["trades are in '\(buys)' and '\(sells)'"])
    var fields = proposal.fields
    if !fields.contains(where: { $0.name == "side" && $0.isSure }) {
      fields.removeAll { $0.name == "side" }
      fields.append(side)
    }
    return BlockProposal(
      kind: .trades, rows: .text(text), rowsText: text, rowCount: count, fields: fields, times: proposal.times,
      unused: proposal.unused)
  }
}
