/// A text that only its owner and the exchange may see: a key, or anything derived from one.
///
/// It never reveals itself in a description, an interpolation, a dump or a mirror. Code that really needs the text uses
/// `revealed`, which is easy to search for.
package struct Secret: Sendable, Hashable {
  package let revealed: String

  package init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { Redaction.mark }
  package var debugDescription: String { Redaction.mark }
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
