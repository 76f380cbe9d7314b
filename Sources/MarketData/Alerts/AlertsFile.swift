import JSON

/// The user's alerts file, next to the config: a JSON array of strings such as `"premium > 3% then bell"`.
///
/// Separate from the config, because configs are shared with others, and an alert may run a command.
package struct AlertsFile: UserList {
  package static let empty: [AlertRule] = []

  private let file: UserFile
  private let exchanges: [String]
  private let aliases: [String: String]

  package var path: String { file.path }

  /// The maximum number of alerts; a file with more is a mistake.
  package static let maximumCount = 200

  /// - Parameters:
  ///   - folder: The folder of the user's config.
  ///   - exchanges: The names that alerts may use.
  ///   - aliases: Other names of assets that alerts may use.
  package init(in folder: String, exchanges: [String], aliases: [String: String] = [:]) {
    file = UserFile(path: "\(folder)/alerts.json")
    self.exchanges = exchanges
    self.aliases = aliases
  }

  /// Returns the alerts; none if there is no file.
  package func read() throws(UserFileProblem) -> [AlertRule] { try file.read(rules) }

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

  private func update(_ change: (inout [AlertRule]) -> Bool) throws(UserFileProblem) {
    try file.update { bytes throws(UserFileProblem) in
      var rules = try rules(bytes)
      guard change(&rules) else { return nil }
      return JSONValue.texts(rules.map(\.text)).written(indent: 2) + Array("\n".utf8)
    }
  }

  private func rules(_ bytes: [UInt8]?) throws(UserFileProblem) -> [AlertRule] {
    guard let bytes else { return Self.empty }
    let elements = try UserFileProblem.elements(of: bytes, "strings", most: Self.maximumCount, "alerts")
    var rules: [AlertRule] = []
    for (place, element) in elements.enumerated() {
      guard let text = element.string else { throw .unreadable("element \(place + 1) is not a string") }
      do {
        rules.append(try AlertRule(parsing: text, exchanges: exchanges, aliases: aliases))
      } catch {
        throw .unreadable("element \(place + 1), \(error)")
      }
    }
    return rules
  }
}
