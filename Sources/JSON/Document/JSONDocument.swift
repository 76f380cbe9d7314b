/// A checked JSON text and its structure. Values are looked at where they stand in the text; nothing is decoded before it is asked
/// for.
///
///     let document = try JSONDocument(parsing: Array(#"{"price": 1.50}"#.utf8))
///     document.root["price"]?.numberText   // "1.50"
package final class JSONDocument: Sendable {
  /// The text.
  package let bytes: [UInt8]
  let tape: JSONTape

  /// Reads `bytes` as RFC 8259 demands, in one pass and without recursion.
  ///
  /// - Parameter maximumDepth: how many arrays and objects may be open at once.
  /// - Throws: the first error of the text.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 512) throws(JSONSyntaxError) {
    self.tape = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
      try JSONTapeBuilder(JSONBytes(buffer), maximumDepth: maximumDepth).build()
    }
    self.bytes = bytes
  }

  /// The value that the text is.
  package var root: JSONNode { JSONNode(document: self, index: 0) }
}
