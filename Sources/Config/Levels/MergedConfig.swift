import JSON

/// A config as a single text: the file in use, merged with the shipped one if it extends that.
package struct MergedConfig {
  /// The way a nearer value is merged with the one it overrides.
  private indirect enum Rule {
    /// The nearer value replaces the other.
    case replaced
    /// Members are merged one by one, each by its own rule. `null` removes the member, or is kept where it must remove
    /// something on another level.
    case members(removesNull: Bool, of: @Sendable (_ name: String) -> Rule)

    static let config = Rule.members(removesNull: true) { name in
      switch name {
      case "exchanges": entries(exchange)
      case "fx": .members(removesNull: true) { $0 == "providers" ? entries(provider) : entries(.replaced) }
      case "settings", "aliases", "retired": entries(.replaced)
      default: .replaced
      }
    }

    private static func entries(_ rule: Rule) -> Rule { .members(removesNull: true) { _ in rule } }

    private static let exchange = Rule.members(removesNull: false, of: level)
    private static let provider = Rule.members(removesNull: false) { name in
      name == "rate" ? .members(removesNull: false, of: block) : block(name)
    }

    /// Returns the rule for a key of an exchange or of a level below it.
    @Sendable private static func level(_ name: String) -> Rule {
      if name == AccountBlock.balances.rawValue {
        return .members(removesNull: false) { _ in .members(removesNull: false, of: block) }
      }
      if AccountBlock(rawValue: name) != nil { return .members(removesNull: false, of: block) }
      if BlockKind(rawValue: name) != nil || name == "names" { return .members(removesNull: false, of: block) }
      let isLevel = ["markets", "spot", "futures", "tickers", "ticker"].contains(name)
      return isLevel ? .members(removesNull: false, of: level) : block(name)
    }

    @Sendable private static func block(_ key: String) -> Rule {
      BlockKey(rawValue: key)?.mergesByMember == true ? .members(removesNull: false) { _ in .replaced } : .replaced
    }
  }

  private let files: [ConfigFile]
  private let covered: (ConfigNode) -> String?

  /// - Parameter covered: returns what to show instead of a string or number; nil shows it.
  package init(_ configuration: Configuration, covering covered: @escaping (ConfigNode) -> String?) {
    files = configuration.files
    self.covered = covered
  }

  /// The merged config, which is equivalent but does not need the shipped one.
  package var value: ConfigValue {
    let whole = files.dropFirst().reduce(files.first.map { value(of: $0.root) }) { far, file in
      far.map { merged($0, value(of: file.root), by: .config) }
    }
    return .object((whole?.members ?? []).filter { $0.name != "extends" })
  }

  private func merged(_ far: ConfigValue, _ near: ConfigValue, by rule: Rule) -> ConfigValue {
    guard case .members(let removesNull, let rule) = rule, case .object(var members) = far,
      case .object(let others) = near
    else { return near }
    for (name, value) in others {
      let index = members.firstIndex { $0.name == name }
      switch (index, value.isNull && removesNull) {
      case (let index?, true): members.remove(at: index)
      case (nil, true): break
      case (let index?, false): members[index].value = merged(members[index].value, value, by: rule(name))
      case (nil, false): members.append((name, value))
      }
    }
    return .object(members)
  }

  private func value(of node: ConfigNode) -> ConfigValue {
    switch node.json.kind {
    case .object: .object(node.members.map { ($0.name, value(of: $0.value)) })
    case .array: .list(node.elements.map(value))
    default: covered(node).map { .text($0) } ?? ConfigValue(node.json)
    }
  }
}

extension ConfigValue {
  fileprivate var isNull: Bool { if case .raw("null") = self { true } else { false } }
}
