import Config
import Quotes

/// A factor that is applied where the number has it already.
enum ScaleCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.tables.flatMap { table in
      table.spec.allValues.compactMap(finding).map(table.own)
    } + inspection.books.flatMap { book in book.spec.values.compactMap(finding).map(book.own) }
  }

  private static func finding(_ value: ValueSpec) -> Finding? {
    guard value.scale != nil, let node = value.node["scale"] else { return nil }
    if case .fromOpen = value.origin {
      return .scaledTwice("the change from an open is a percentage already", at: node)
    }
    guard value.parts.contains(where: { $0.withParts.contains { $0.scale != nil } }) else { return nil }
    return .scaledTwice("a part of this value has a \"scale\" of its own", at: node)
  }
}
