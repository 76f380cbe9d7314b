import Synchronization

/// A short text stored as a number: the name of a lookup, the error code of an exchange.
///
/// Cells are copied by the thousand. With this instead of a `String`, a cell is trivially copyable, without reference
/// counting. Texts are never freed, so use it only where there are few.
package struct InternedText: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let number: UInt32

  /// The texts of the process, in order of first use.
  private struct Book {
    var texts = [""]
    var numbers: [String: UInt32] = ["": 0]
  }

  private static let book = Mutex(Book())

  /// Limits the memory that an exchange can use up by sending ever new texts.
  private static let maximumCount = 4096
  private static let maximumLength = 256

  /// Interns a text. Texts are cut to 256 characters; once there are 4,096 of them, any new one becomes `…`.
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

  package var description: String { InternedText.book.withLock { $0.texts[Int(number)] } }
}
