extension Int {
  /// A number of things: `1 row`, `2 rows`, `3 entries`.
  ///
  /// - Parameter plural: the plural of a noun that needs more than an s.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) " + (self == 1 ? noun : plural ?? noun + "s")
  }

  /// With zeros before it, up to so many digits: `07`.
  package func padded(to digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

extension [String] {
  /// Each in single quotes.
  package var quoted: [String] { map { "'\($0)'" } }

  /// `A, B, …`: the first few, and whether there are more.
  package func list(upTo most: Int) -> String {
    prefix(most).joined(separator: ", ") + (count > most ? ", …" : "")
  }

  /// `A, B and 7 more`: the first few, and how many more there are.
  package func named(upTo most: Int) -> String {
    prefix(most).joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
  }

  /// `A, B or C`: all of them, with a conjunction before the last.
  package func listed(_ conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }

  /// `A, B, C`; if there are many, the first five.
  package var shortList: String { named(upTo: count > 6 ? 5 : 6) }
}

extension String {
  /// The text, or the beginning of one that is longer than this many characters.
  package func shortened(to most: Int) -> String { count > most ? prefix(most - 1) + "…" : self }

  /// In single quotes, as one word of a shell.
  package var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }

  /// The same, in quotes only if they are needed.
  package var shellWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./+:=@%".unicodeScalars.contains($0)
      }
    return isPlain ? self : shellQuoted
  }
}

extension [UInt8] {
  /// The text without a byte order mark at its start, which a reader of JSON may ignore (RFC 8259 §8.1).
  package var withoutByteOrderMark: [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return starts(with: mark) ? Array(dropFirst(mark.count)) : self
  }
}
