import Config
import JSON
import JSONPath

/// The names of the elements of rows that are arrays: in a list beside the rows, instead of the first one, or as those of
/// the columns.
///
///     {"columns": ["market", "last"], "data": [["BTC-USD", "91500.5"], …]}
///     [["market", "last"], ["BTC-USD", "91500.5"], …]
enum Header {
  /// Returns the rows at a given path, if it is that of rows with a header; nil if they have none.
  static func table(at text: String, in root: JSONNode) -> SampleRows? {
    guard let end = ["[*]", "[1:]"].first(where: text.hasSuffix) else { return nil }
    let place = String(text.dropLast(end.count))
    guard let query = try? JSONPathQuery(place), query.isSingular, let path = SamplePath(place),
      let list = query.nodes(in: root).first, list.elements.allSatisfy({ $0.kind == .array })
    else { return nil }
    let rows = table(of: Array(list.elements), at: path, in: root)
    return rows?.pathText == text ? rows : nil
  }

  /// Returns the rows of a list of arrays with a header; nil if it has none.
  ///
  /// - Parameter path: that of the list.
  static func table(of arrays: [JSONNode], at path: SamplePath, in root: JSONNode) -> SampleRows? {
    guard let count = arrays.first?.count, arrays.allSatisfy({ $0.count == count }) else { return nil }
    if let names = names(in: arrays[0]) {
      let rows = Array(arrays.dropFirst())
      guard rows.contains(where: { $0.elements.contains { $0.scalarText.flatMap(SampleColumn.number) != nil } }) else {
        return nil
      }
      return SampleRows(
        path: path.list, shape: .arrayOfArrays, nodes: rows, written: path.text + "[1:]", names: names)
    }
    let place = Array(path.steps.dropLast()).pathText
    guard let container = (try? JSONPathQuery(place))?.nodes(in: root).first else { return nil }
    for member in container.members where member.value.count == count {
      guard let names = names(in: member.value) else { continue }
      return SampleRows(path: path.list, shape: .arrayOfArrays, nodes: arrays, names: names)
    }
    return nil
  }

  /// Returns the rows of an object whose members are the columns, lists of one value for each pair; nil if they are not.
  ///
  ///     {"market": ["BTC-USD", "ETH-USD"], "last": ["91500.5", "3016.06"], …}
  ///
  /// - Parameter path: that of the object.
  static func columns(_ node: JSONNode, at path: SamplePath) -> SampleRows? {
    let lists = node.members.filter { member in
      member.value.kind == .array && member.value.elements.allSatisfy { $0.scalarText != nil || $0.isNull }
    }
    let names = lists.map(\.name)
    guard lists.count >= 3, let count = lists.first?.value.count, count >= 2, nameFigures(names),
      lists.allSatisfy({ $0.value.count == count }), lists.contains(where: { texts(in: $0.value) != nil })
    else { return nil }
    guard let rows = SampleRows.rows(joining: lists.prefix(40).map { $0.value.elements.map(\.text) }) else {
      return nil
    }
    let paths = names.prefix(40).map { ConfigValue.text(path.appending(.member($0)).text) }
    return SampleRows(
      path: path.list, shape: .arrayOfArrays, nodes: rows,
      written: ConfigValue.object([("zip", .list(paths))]).text(), names: names)
  }

  /// Returns the texts of a list that name columns of a ticker.
  private static func names(in list: JSONNode) -> [String]? { texts(in: list).flatMap { nameFigures($0) ? $0 : nil } }

  /// Returns the elements of a list of different texts; nil if it is something else.
  private static func texts(in list: JSONNode) -> [String]? {
    guard list.kind == .array else { return nil }
    let texts = list.elements.compactMap { $0.kind == .string ? $0.string : nil }
    let isList = texts.count == list.count && Set(texts).count == texts.count
    return isList && !texts.contains { $0.isEmpty || SampleColumn.number($0) != nil } ? texts : nil
  }

  private static func nameFigures(_ texts: [String]) -> Bool {
    let names = texts.map { FieldName($0) }
    return [Role.price, .high, .low, .bid, .ask, .open].contains { role in
      names.contains { FieldLexicon.score(role, $0) >= 0.8 }
    }
  }

  /// Returns the name of an element of a row; nil if it has none.
  static func name(at steps: [SingularStep], in names: [String]) -> String? {
    guard case .index(let index)? = steps.first, steps.count == 1, names.indices.contains(index) else { return nil }
    return names[index]
  }
}
