import JSON

/// Looks for the places of a response that may hold the rows of a ticker table.
struct RowsFinder {
  private(set) var candidates: [SampleRows] = []
  /// Whether something lies deeper than rows are looked for.
  private(set) var isCutOff = false
  /// Guards against a response of thousands of nested containers.
  private var visits = 0
  private static let depthLimit = 7
  private static let visitLimit = 400

  init(_ root: JSONNode) { visit(root, SamplePath(), depth: 0) }

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
    let rowsPath = path.appending(.all)
    if !objects.isEmpty, objects.count * 5 >= elements.count * 4 {
      candidates.append(
        SampleRows(
          path: rowsPath, shape: .arrayOfObjects, nodes: objects, strays: elements.count - objects.count))
    } else if !arrays.isEmpty, arrays.count == elements.count {
      candidates.append(SampleRows(path: rowsPath, shape: .arrayOfArrays, nodes: arrays))
    } else if elements.count >= 5, elements.allSatisfy({ $0.scalarText != nil || $0.isNull }) {
      candidates.append(SampleRows(path: path, shape: .single, nodes: [node]))
    }
    for (index, element) in elements.prefix(3).enumerated() where elements.count <= 3 || index == 0 {
      let isRow = elements.count > 3
      if !isRow { visit(element, path.appending(.index(index)), depth: depth + 1) }
    }
  }

  private mutating func visitObject(_ node: JSONNode, _ path: SamplePath, depth: Int) {
    let members = Array(node.members)
    let containers = members.filter { [.object, .array].contains($0.value.kind) }
    let rows = alike(containers)
    let isTable = rows.count >= 2 || (rows.count == 1 && looksLikePair(rows[0].name))
    if isTable {
      candidates.append(
        SampleRows(
          path: path.appending(.all), shape: .objectByName, nodes: rows.map(\.value), keys: rows.map(\.name),
          strays: members.count - rows.count))
    }
    if members.contains(where: { $0.value.scalarText != nil }) || containers.count <= 8 {
      candidates.append(SampleRows(path: path, shape: .single, nodes: [node]))
    }
    let below = isTable && rows.count == containers.count ? containers.prefix(6) : containers.prefix(40)
    for member in below { visit(member.value, path.appending(.member(member.name)), depth: depth + 1) }
  }

  /// The members whose values look like most of the others.
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
      return left.elements.first { _ in true }?.kind == right.elements.first { _ in true }?.kind && left.count < 40
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
