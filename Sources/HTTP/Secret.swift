/// A text that only its owner and the exchange may see: a key, or whatever was made of one.
///
/// It shows itself nowhere: not in a description, an interpolation, a dump or a mirror. Who really needs the text says
/// `revealed`, which a reader can search for.
package struct Secret: Sendable, Hashable {
  package let revealed: String

  package init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { Redaction.mark }
  package var debugDescription: String { Redaction.mark }
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
