import Config

/// A check for names that are read from the key of rows in several lists: the key of a list's element is its index, and
/// the names of the lists are not in their rows.
enum IndexKeyCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.flatMap { table in
      (findings(in: table.spec.symbol.values, rows: table.spec.rows)
        + table.spec.lookups.flatMap { findings(in: [$0.key], rows: $0.rows) }).map(table.own)
    }
  }

  private static func findings(in values: [ValueSpec], rows: RowsSpec) -> [Finding] {
    // A single `[*]` may be of an object, whose keys are names.
    guard case .path(let path) = rows, path.text.hasSuffix("[*]"), path.text.dropLast(3).contains("*") else {
      return []
    }
    return values.flatMap(\.withParts).compactMap { value in
      guard case .path(_, .key) = value.origin, value.levelsUp == 0 else { return nil }
      return .keyIsIndex(path.text, at: value.node["from"] ?? value.node)
    }
  }
}

/// A check for factors that are applied to numbers which already include them.
enum ScaleCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.flatMap { table in
      table.allValues.compactMap(finding).map(table.own)
    }
  }

  private static func finding(_ value: ValueSpec) -> Finding? {
    guard value.scale != nil, let node = value.node["scale"] else { return nil }
    if case .fromOpen = value.origin {
      return .scaledTwice("the change from an open is already a percentage", at: node)
    }
    guard value.parts.contains(where: { $0.withParts.contains { $0.scale != nil } }) else { return nil }
    return .scaledTwice("a part of this value has its own 'scale'", at: node)
  }
}
