/// The badges of exchanges: two or three letters, where the name does not fit.
package enum Badges {
  /// Returns a badge for each exchange, all different: its own, or the first letters of its name that no other has.
  ///
  /// - Parameter exchanges: The exchanges and their own badges, the most important first: of two with the same badge the
  ///   later one gets another.
  package static func distinct(_ exchanges: [(name: String, badge: String?)]) -> [String: String] {
    var badges: [String: String] = [:]
    var taken: Set<String> = []
    func give(_ badge: String, to name: String) -> Bool {
      guard taken.insert(badge).inserted else { return false }
      badges[name] = badge
      return true
    }
    for case (let name, let badge?) in exchanges where badges[name] == nil { _ = give(badge, to: name) }
    for (name, _) in exchanges where badges[name] == nil {
      let numbered = (2...2 * exchanges.count + 2).lazy.map { "\(name.prefix(1).uppercased())\($0)" }
      _ = candidates(name).contains { give($0, to: name) } || numbered.contains { give($0, to: name) }
    }
    return badges
  }

  /// The badge of an exchange that has been given none: the first two letters of its name.
  package static func initials(of name: String) -> String { String(name.prefix(2)).uppercased() }

  /// The first two letters, the first with each later one, then the first with any two later ones.
  private static func candidates(_ name: String) -> [String] {
    // The first ones are enough to tell exchanges apart.
    let letters = name.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(24).map(String.init)
    guard letters.count > 1 else { return [name.uppercased()] }
    let rest = letters.dropFirst()
    let threes = rest.indices.flatMap { second in
      letters[(second + 1)...].map { letters[0] + letters[second] + $0 }
    }
    return rest.map { letters[0] + $0 } + threes
  }
}
