/// A member's name as it stands in a text, with its quotes and its colon: made once where it is written for every row.
package struct JSONKey: Sendable {
  let bytes: [UInt8]

  package init(_ name: String) {
    var writer = JSONWriter()
    writer.string(name)
    bytes = writer.finished() + [ASCII.colon]
  }
}
