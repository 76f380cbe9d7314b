import JSON
import JSONPath
import Quotes

/// Finds the places of a response that may contain the rows of a ticker table.
struct RowsFinder {
  private(set) var candidates: [SampleRows] = []
  /// Whether there is anything deeper than the search goes.
  private(set) var isCutOff = false
  /// Protects against responses with thousands of nested containers.
  private var visits = 0
  private static let depthLimit = 7
  private static let visitLimit = 400
  private let root: JSONNode

  init(_ root: JSONNode) {
    self.root = root
    visit(root, SamplePath(), depth: 0)
  }

  private mutating func visit(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    visits += 1
    guard visits < Self.visitLimit else { return }
    guard depth < Self.depthLimit else {
      isCutOff = isCutOff || node.kind == .array || node.kind == .object
      return
    }
    switch node.kind {
    case .array: visitArray(node, path, depth: depth)
    case .object: visitObject(node, path, depth: depth)
    default: break
    }
  }

  private mutating func visitArray(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    let elements = Array(node.elements)
    let objects = elements.filter { $0.kind == .object }
    let arrays = elements.filter { $0.kind == .array && $0.count >= 3 }
    let rowsPath = path.list
    if !objects.isEmpty, objects.count * 5 >= elements.count * 4 {
      candidates.append(
        SampleRows(
          path: rowsPath, shape: .arrayOfObjects, nodes: objects, strays: elements.count - objects.count))
      takeOnlyMembers(objects, path)
    } else if !arrays.isEmpty, arrays.count == elements.count {
      candidates.append(
        Header.table(of: arrays, at: path, in: root)
          ?? SampleRows(path: rowsPath, shape: .arrayOfArrays, nodes: arrays))
    } else if elements.count >= 5, elements.allSatisfy({ $0.scalarText != nil || $0.isNull }) {
      candidates.append(SampleRows(path: path, shape: .single, nodes: [node]))
    }
    guard elements.count <= 3, !joinInnerLists(objects, path) else { return }
    for (index, element) in elements.enumerated() { visit(element, path.appending(.index(index)), depth: depth + 1) }
  }

  /// Takes rows that are each in an object of their own: `[{"BTC-ETH": {…}}, {"BTC-XRP": {…}}]`.
  private mutating func takeOnlyMembers(_ objects: [JSONNode], _ path: SamplePath) {
    let members = objects.compactMap { $0.count == 1 ? Array($0.members).first : nil }
    guard members.count == objects.count, members.count >= 2, members.allSatisfy({ $0.value.kind == .object }),
      Set(members.map(\.name)).count == members.count
    else { return }
    candidates.append(
      SampleRows(
        path: path.list, shape: .objectByName, nodes: members.map(\.value), keys: members.map(\.name),
        written: path.list.text + ".*"))
  }

  /// Takes the lists of several objects as one: `[{"quote": "USD", "tickers": […]}, {"quote": "EUR", …}]`. Each may be
  /// anywhere in the next answer.
  ///
  /// - Returns: Whether there are such lists.
  private mutating func joinInnerLists(_ objects: [JSONNode], _ path: SamplePath) -> Bool {
    guard objects.count >= 2, let first = objects.first else { return false }
    var isJoined = false
    for member in first.members {
      let lists = objects.compactMap { $0[member.name] }
      guard lists.count == objects.count, areLists(lists) else { continue }
      let text = path.list.text + String([SingularStep.member(member.name)].pathText.dropFirst()) + "[*]"
      candidates.append(join(lists, path, text))
      isJoined = true
    }
    return isJoined
  }

  /// Takes lists named after payment currencies as one: `{"USDT": […], "BTC": […]}`.
  private mutating func joinMembers(_ members: [JSONMembers.Element], _ path: SamplePath) {
    guard members.count >= 2, arePayments(members.map(\.name)), areLists(members.map(\.value)) else { return }
    candidates.append(join(members.map(\.value), path, path.text + ".*[*]"))
  }

  /// Returns whether all are lists of objects with the same members.
  private func areLists(_ lists: [JSONNode]) -> Bool {
    guard let first = lists.first?.elements.first else { return false }
    return lists.allSatisfy { list in
      list.kind == .array
        && (list.elements.first.map { $0.kind == .object && isAlike($0, first) } ?? false)
    }
  }

  private func join(_ lists: [JSONNode], _ path: SamplePath, _ text: String) -> SampleRows {
    var rows = SampleRows(
      path: path.list, shape: .arrayOfObjects, nodes: lists.flatMap { $0.elements.filter { $0.kind == .object } },
      written: text)
    rows.isJoined = true
    return rows
  }

  private mutating func visitObject(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    let members = Array(node.members)
    let containers = members.filter { [.object, .array].contains($0.value.kind) }
    let rows = alike(containers)
    let isTable = rows.count >= 2 || (rows.count == 1 && looksLikePair(rows[0].name))
    if isTable {
      candidates.append(
        SampleRows(
          path: path.list, shape: .objectByName, nodes: rows.map(\.value), keys: rows.map(\.name),
          strays: members.count - rows.count))
    }
    visitMembersOfMembers(node, path, strays: members.count - containers.count)
    joinMembers(containers, path)
    if let table = Header.columns(node, at: path) { candidates.append(table) }
    if members.contains(where: { $0.value.scalarText != nil }) || containers.count <= 8 {
      candidates.append(SampleRows(path: path, shape: .single, nodes: [node]))
    }
    let below = isTable && rows.count == containers.count ? containers.prefix(6) : containers.prefix(40)
    for member in below { visit(member.value, path.appending(.member(member.name)), depth: depth + 1) }
  }

  /// `{"BTC": {"USD": {…}, "EUR": {…}}}`: either the outer or the inner names are payment currencies.
  private mutating func visitMembersOfMembers(_ node: JSONNode, _ path: SamplePath, strays: Int) {
    guard strays == 0, let rows = SampleRows.membersOfMembers(of: node, like: .object),
      let first = rows.first?.node, rows.allSatisfy({ isAlike($0.node, first) }),
      arePayments(rows.map(\.key)) || arePayments(rows.map(\.outerKey))
    else { return }
    candidates.append(
      SampleRows(
        path: path.list, shape: .objectByName, nodes: rows.map(\.node), keys: rows.map(\.key),
        outerKeys: rows.map(\.outerKey)))
  }

  private func arePayments(_ names: [String]) -> Bool {
    let distinct = Set(names.map { $0.uppercased() })
    return distinct.count(where: CurrencyCode.isPayment) * 4 >= distinct.count * 3
  }

  /// Returns the members whose values look like most of the others.
  private func alike(_ members: [JSONMembers.Element]) -> [JSONMembers.Element] {
    guard let first = members.first else { return [] }
    guard members.count > 1 else { return members }
    let samples = members.count > 2 ? [first, members[1], members[members.count / 2]] : [first]
    var best: [JSONMembers.Element] = []
    for sample in samples {
      let similar = members.filter { isAlike($0.value, sample.value) }
      if similar.count > best.count { best = similar }
    }
    return best.count * 10 >= members.count * 6 ? best : []
  }

  private func isAlike(_ left: JSONNode, _ right: JSONNode) -> Bool {
    guard left.kind == right.kind else { return false }
    if left.kind == .array {
      return left.elements.first?.kind == right.elements.first?.kind && left.count < 40
    }
    let names = Set(left.members.map(\.name))
    let others = Set(right.members.map(\.name))
    return names.intersection(others).count * 2 >= min(names.count, others.count) && !names.isEmpty && !others.isEmpty
  }

  private func looksLikePair(_ name: String) -> Bool {
    let upper = name.uppercased()
    let parts = upper.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if parts.count == 2 { return parts.contains { CurrencyCode.isPayment($0) } }
    guard parts.count == 1, upper.count >= 5 else { return false }
    return CurrencyCode.payments.contains { upper.hasSuffix($0) && upper.count > $0.count + 1 }
  }
}
