import Synchronization

/// A short text kept as a number: the name of a lookup, the error code of an exchange.
///
/// Cells are copied by the thousand. With this in place of a text a cell is plain bytes, and copying it counts no
/// references. Each text is kept once and for good, so this is for texts of which there are few.
package struct InternedText: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let number: UInt32

  /// The texts of a process, in the order in which they came.
  private struct Book {
    var texts = [""]
    var numbers: [String: UInt32] = ["": 0]
  }

  private static let book = Mutex(Book())

  /// What an exchange could make of ever new texts must end somewhere.
  private static let maximumCount = 4096
  private static let maximumLength = 256

  /// A text longer than 256 characters is cut; when there are 4,096 texts, the next one is `…`.
  package init(_ text: String) {
    number = InternedText.book.withLock { book in
      var text = String(text.prefix(InternedText.maximumLength))
      if let number = book.numbers[text] { return number }
      if book.texts.count > InternedText.maximumCount { text = "…" }
      if let number = book.numbers[text] { return number }
      let number = UInt32(book.texts.count)
      book.texts.append(text)
      book.numbers[text] = number
      return number
    }
  }

  package init(stringLiteral text: String) { self.init(text) }

  package var description: String {
    InternedText.book.withLock { $0.texts[Int(number)] }
  }
}
