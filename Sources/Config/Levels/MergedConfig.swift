import JSON

/// A config as a single text: the file in use, merged with the shipped one if it extends that.
package struct MergedConfig {
  /// The way a nearer value is merged with the one it overrides.
  private struct Rule: Sendable {
    /// What `null` does in place of the value.
    enum Null {
      case removes
      /// It must remove something on another level.
      case isKept
      /// Nothing.
      case isIgnored
    }

    var null: Null
    /// The rule for each member, by which an object is merged with another; nil if the nearer value replaces the other.
    var members: (@Sendable (_ name: String) -> Rule)?
    /// Whether two names of members mean the same, as the config is read.
    var isSame: @Sendable (String, String) -> Bool = { $0 == $1 }

    static let config = Rule(null: .isIgnored) { name in
      switch name {
      case "exchanges": list(of: Rule(null: .removes, members: level))
      case "fx":
        Rule(null: .isIgnored) { name in
          var rule = list(of: name == "providers" ? Rule(null: .removes, members: provider) : removable)
          if name == "routes" { rule.isSame = { PairPattern($0) == PairPattern($1) } }
          return rule
        }
      case "retired": list(of: removable)
      case "settings", "aliases": Rule(null: .removes) { _ in removable }
      case "networks":
        Rule(null: .removes, members: { _ in removable }, isSame: { Spelling.folded($0) == Spelling.folded($1) })
      default: removable
      }
    }

    private static let removable = Rule(null: .removes)
    private static let replaced = Rule(null: .isKept)

    private static func list(of rule: Rule) -> Rule { Rule(null: .isIgnored) { _ in rule } }

    @Sendable private static func provider(_ name: String) -> Rule {
      name == "rate" ? Rule(null: .isKept, members: block) : block(name)
    }

    /// Returns the rule for a key of an exchange or of a level below it.
    @Sendable private static func level(_ name: String) -> Rule {
      if name == AccountBlock.balances.rawValue {
        return Rule(null: .isKept) { _ in Rule(null: .isKept, members: block) }
      }
      if name == "streams" { return Rule(null: .isKept, members: streams) }
      if AccountBlock(rawValue: name) != nil || BlockKind(rawValue: name) != nil || name == "names" {
        return Rule(null: .isKept, members: block)
      }
      let isLevel = ["markets", "spot", "futures", "tickers", "ticker"].contains(name)
      return isLevel ? Rule(null: .isKept, members: level) : block(name)
    }

    /// Returns the rule for a key of `streams`, which may be a channel.
    @Sendable private static func streams(_ name: String) -> Rule {
      StreamChannel(rawValue: name) == nil ? stream(name) : Rule(null: .isKept, members: stream)
    }

    @Sendable private static func stream(_ key: String) -> Rule {
      ["set", "headers", "intervals"].contains(key) ? Rule(null: .isKept) { _ in replaced } : block(key)
    }

    @Sendable private static func block(_ key: String) -> Rule {
      BlockKey(rawValue: key)?.mergesByMember == true ? Rule(null: .isKept) { _ in replaced } : replaced
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
    guard let ruleOfMember = rule.members, case .object(var members) = far, case .object(let others) = near else {
      return near
    }
    for (name, value) in others {
      let index = members.firstIndex { rule.isSame($0.name, name) }
      let own = ruleOfMember(name)
      switch (index, value.isNull ? own.null : .isKept) {
      case (_, .isIgnored), (nil, .removes): break
      case (let index?, .removes): members.remove(at: index)
      case (let index?, .isKept): members[index].value = merged(members[index].value, value, by: own)
      case (nil, .isKept): members.append((name, value))
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
