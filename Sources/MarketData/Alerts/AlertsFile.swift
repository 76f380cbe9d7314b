package import Files
import JSON

/// Why alerts cannot be had or kept.
package enum AlertsProblem: Error, Sendable, Hashable {
  /// The file is there and cannot be understood: where and why.
  case unreadable(String)
  case file(FileError)
}

/// The file of the user's alerts, beside the config: a JSON array of texts such as `"premium > 3% then bell"`.
///
/// Not in the config itself: configs are handed around, and an alert may run a command.
package struct AlertsFile: Sendable {
  private let file: UserFile
  private let exchanges: [String]
  private let aliases: [String: String]

  package var path: String { file.path }

  /// More are somebody's mistake.
  package static let most = 200

  /// - Parameters:
  ///   - folder: that of the user's config.
  ///   - exchanges: the names that alerts may use.
  ///   - aliases: other names of assets that they may use.
  package init(in folder: String, exchanges: [String], aliases: [String: String] = [:]) {
    file = UserFile(path: "\(folder)/alerts.json")
    self.exchanges = exchanges
    self.aliases = aliases
  }

  /// The alerts; none where there is no file.
  package func read() throws(AlertsProblem) -> [AlertRule] {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.bytes() } catch { throw .file(error) }
    return try rules(bytes)
  }

  /// Adds an alert, unless it is there.
  ///
  /// - Throws: also where the file cannot be understood: what the user has written is never overwritten.
  package func add(_ rule: AlertRule) throws(AlertsProblem) {
    try update { rules in
      guard !rules.contains(where: { $0.text == rule.text }) else { return false }
      rules.append(rule)
      return true
    }
  }

  /// Takes the alert of that text away.
  package func remove(_ text: String) throws(AlertsProblem) {
    try update { rules in
      let count = rules.count
      rules.removeAll { $0.text == text }
      return rules.count != count
    }
  }

  private func update(_ change: (inout [AlertRule]) -> Bool) throws(AlertsProblem) {
    try file.update(AlertsProblem.file) { bytes throws(AlertsProblem) in
      var rules = try rules(bytes)
      guard change(&rules) else { return nil }
      return JSONValue.texts(rules.map(\.text)).written(indent: 2) + Array("\n".utf8)
    }
  }

  private func rules(_ bytes: [UInt8]?) throws(AlertsProblem) -> [AlertRule] {
    guard let bytes else { return [] }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw .unreadable("\(SourceMap(bytes).position(of: error.offset)): \(error.problem)")
    }
    guard document.root.kind == .array else { throw .unreadable("it is not an array of texts") }
    guard document.root.count <= Self.most else { throw .unreadable("it has more than \(Self.most) alerts") }
    var rules: [AlertRule] = []
    for (place, element) in document.root.elements.enumerated() {
      guard let text = element.string else { throw .unreadable("element \(place + 1) is not a text") }
      do {
        rules.append(try AlertRule(parsing: text, exchanges: exchanges, aliases: aliases))
      } catch {
        throw .unreadable("element \(place + 1), \(error)")
      }
    }
    return rules
  }
}

/// The alerts of a running view, read again when their file has changed. A file that has become unreadable changes nothing:
/// what was read before holds.
package struct FollowedAlerts: Sendable {
  package let file: AlertsFile
  package private(set) var rules: [AlertRule] = []
  /// Why the file as it is now is not what holds; nil where it is.
  package private(set) var problem: AlertsProblem?

  package init(_ file: AlertsFile) {
    self.file = file
    refresh()
  }

  /// - Returns: whether alerts or problem have changed.
  @discardableResult package mutating func refresh() -> Bool {
    let before = (rules, problem)
    do {
      rules = try file.read()
      problem = nil
    } catch {
      problem = error
    }
    return before != (rules, problem)
  }
}
