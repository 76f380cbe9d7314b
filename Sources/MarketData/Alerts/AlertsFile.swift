import JSON

/// The user's alerts file, next to the config: a JSON array of strings such as `"premium > 3% then bell"`.
///
/// Separate from the config, because configs are shared with others, and an alert may run a command.
package struct AlertsFile: UserList {
  package static let empty: [AlertRule] = []

  package let path: String
  private let exchanges: [String]
  private let otherNames: [String: String]
  private let aliases: [String: String]

  /// The maximum number of alerts; a file with more is a mistake.
  package static let maximumCount = 200

  /// - Parameters:
  ///   - folder: The folder of the user's config.
  ///   - exchanges: The names that alerts may use.
  ///   - otherNames: Other names of exchanges that alerts may use, folded.
  ///   - aliases: Other names of assets that alerts may use.
  package init(
    in folder: String, exchanges: [String], otherNames: [String: String] = [:], aliases: [String: String] = [:]
  ) {
    path = "\(folder)/alerts.json"
    self.exchanges = exchanges
    self.otherNames = otherNames
    self.aliases = aliases
  }

  /// Adds an alert unless it exists already.
  ///
  /// - Throws: Also if the file cannot be parsed, as the user's text is never overwritten.
  package func add(_ rule: AlertRule) throws(UserFileProblem) {
    try update { rules in
      guard !rules.contains(where: { $0.text == rule.text }) else { return false }
      rules.append(rule)
      return true
    }
  }

  /// Removes the alert with a text.
  package func remove(_ text: String) throws(UserFileProblem) {
    try update { rules in
      let count = rules.count
      rules.removeAll { $0.text == text }
      return rules.count != count
    }
  }

  package func bytes(of rules: [AlertRule]) -> [UInt8] {
    JSONValue.texts(rules.map(\.text)).document + Array("\n".utf8)
  }

  package func contents(of bytes: [UInt8]) throws(UserFileProblem) -> [AlertRule] {
    let elements = try UserFileProblem.elements(of: bytes, "strings", most: Self.maximumCount, "alerts")
    var rules: [AlertRule] = []
    for (place, element) in elements.enumerated() {
      guard let text = element.string else { throw .unreadable("element \(place + 1) is not a string") }
      do {
        rules.append(try AlertRule(parsing: text, exchanges: exchanges, otherNames: otherNames, aliases: aliases))
      } catch {
        throw .unreadable("element \(place + 1), \(error)")
      }
    }
    return rules
  }
}
