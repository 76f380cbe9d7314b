import JSON

/// The user's alerts file, next to the config: a JSON array of strings such as `"premium > 3% then bell"`.
///
/// Separate from the config, because configs are shared with others, and an alert may run a command.
package struct AlertsFile: UserList {
  package static let empty: [AlertRule] = []

  package let path: String
  private let names: AlertNames

  /// The maximum number of alerts; a file with more is a mistake.
  package static let maximumCount = 200

  /// - Parameters:
  ///   - folder: The folder of the user's config.
  ///   - names: The names that alerts may use.
  package init(in folder: String, _ names: AlertNames) {
    path = "\(folder)/alerts.json"
    self.names = names
  }

  /// Adds an alert unless it exists already.
  ///
  /// - Parameter replaced: The text of the alert in whose place it comes; nil to add it at the end.
  /// - Throws: Also if the file cannot be parsed, as the user's text is never overwritten.
  package func add(_ rule: AlertRule, replacing replaced: String? = nil) throws(UserFileProblem) {
    try update { rules in
      let before = rules
      let isKnown = rules.contains { $0.text == rule.text }
      if let place = rules.firstIndex(where: { $0.text == replaced }) {
        if isKnown, rule.text != replaced { rules.remove(at: place) } else { rules[place] = rule }
      } else if !isKnown {
        rules.append(rule)
      }
      return rules != before
    }
  }

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
        rules.append(try AlertRule(parsing: text, names))
      } catch {
        throw .unreadable("element \(place + 1), \(error)")
      }
    }
    return rules
  }
}
