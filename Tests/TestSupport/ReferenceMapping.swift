/// What an independent project reads and where, taken from its Ruby code.
///
///     last = NumericHelper.to_d(output['ticker']['last'])   // ["ticker", "last"]
///     volume = NumericHelper.divide(NumericHelper.to_d(output['vol']), ticker.last)   // a turnover
package struct ReferenceMapping: Sendable {
  package struct Access: Sendable, Hashable {
    /// Names and indexes, as texts, from the row or from above it.
    package let steps: [String]
    /// Whether the value is divided by the price, so that the field is the turnover, not the volume.
    package let isFlipped: Bool
  }

  /// How the symbol is split.
  package enum Split: Sendable {
    case separator(String, paymentFirst: Bool)
    case endings([String])
    case fields(asset: String, payment: String)
  }

  /// The accesses by slot; several where the source reads one or another.
  package let slots: [String: [Access]]
  package let split: Split?
  /// The field whose text is split; nil for the row's name.
  package let symbolField: String?

  init(symbolLines: String, assignments: String) {
    var slots: [String: [Access]] = [:]
    for assignment in assignments.components(at: " | ") {
      let halves = assignment.components(at: " = ")
      guard halves.count >= 2 else { continue }
      var right = halves.dropFirst().joined(separator: " = ")
      // `output['ask1'] ? …output['ask1'][0]… : 'Nil'`
      if let query = right.components(at: " ? ").dropFirst().first {
        right = query.components(at: " : ")[0]
      }
      let steps = Self.steps(in: right)
      guard !steps.isEmpty else { continue }
      let isFlipped =
        right.contains("flip_volume") || right.contains("ticker.last") || right.contains("ticker_last")
        || right.contains("/ last")
      slots[halves[0], default: []].append(Access(steps: steps, isFlipped: isFlipped))
    }
    self.slots = slots
    (split, symbolField) = Self.split(in: symbolLines)
  }

  /// Returns the quoted names and the bracketed numbers: `['ticker'][0]`, `dig(output, 'ticker', 'last')`.
  private static func steps(in ruby: String) -> [String] {
    var steps: [String] = []
    let characters = Array(ruby)
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if character == "'" || character == "\"" {
        let end = characters[(index + 1)...].firstIndex(of: character) ?? characters.count
        steps.append(String(characters[(index + 1)..<end]))
        index = end + 1
        continue
      }
      if character == "[", index + 1 < characters.count, characters[index + 1].isNumber {
        let end = characters[index...].firstIndex(of: "]") ?? characters.count
        steps.append(String(characters[(index + 1)..<end]))
        index = end
      }
      index += 1
    }
    return steps
  }

  private static func split(in lines: String) -> (Split?, String?) {
    for line in lines.components(at: " | ") {
      let halves = line.components(at: "=")
      guard halves.count == 2, let right = halves.last else { continue }
      let left = halves[0].filter { $0 != " " }
      guard left == "base,target" || left == "target,base" else { continue }
      let parts = right.components(at: ".split(")
      if parts.count == 2 {
        let separator = steps(in: parts[1]).first ?? (parts[1].hasPrefix("/-/") ? "-" : "")
        guard separator.count == 1 else { continue }
        return (.separator(separator, paymentFirst: left.hasPrefix("target")), steps(in: parts[0]).last)
      }
      let fields = steps(in: right)
      if parts.count == 1, fields.count == 2, right.contains(",") {
        let inOrder = left.hasPrefix("base")
        return (.fields(asset: fields[inOrder ? 0 : 1], payment: fields[inOrder ? 1 : 0]), nil)
      }
    }
    if let open = lines.components(at: "/(").dropFirst().first, let list = open.components(at: ")").first,
      open.contains("\\z") || open.contains("$"), list.contains("|")
    {
      let field = lines.components(at: "=~").dropFirst().first.map { steps(in: $0) }?.first
      return (.endings(list.components(at: "|")), field)
    }
    return (nil, nil)
  }

  /// Returns the pair in a symbol; nil if this mapping cannot tell.
  package func pair(of symbol: String) -> [String]? {
    switch split {
    case .separator(let separator, let paymentFirst)?:
      let parts = symbol.uppercased().components(at: separator)
      guard parts.count == 2 else { return nil }
      return paymentFirst ? [parts[1], parts[0]] : parts
    case .endings(let endings)?:
      let upper = symbol.uppercased()
      // Their expression takes the first match; if there are several, it may itself be wrong.
      let fitting = endings.filter { upper.hasSuffix($0.uppercased()) && upper.count > $0.count }
      guard let longest = fitting.max(by: { $0.count < $1.count }) else { return nil }
      return [String(upper.dropLast(longest.count)), longest.uppercased()]
    default: return nil
    }
  }
}

extension String {
  package func components(at separator: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var rest = self[...]
    while let first = rest.first {
      if rest.hasPrefix(separator) {
        parts.append(current)
        current = ""
        rest = rest.dropFirst(separator.count)
      } else {
        current.append(first)
        rest = rest.dropFirst()
      }
    }
    return parts + [current]
  }
}
