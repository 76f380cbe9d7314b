package import JSON

/// The text of one config file, read as JSON and kept with its name, so that every value can say where it stands.
package final class ConfigFile: Sendable {
  /// How messages name the file: the path as the user gave it, or `builtin`.
  package let name: String
  package let document: JSONDocument
  /// True for a file found in the working directory: such a file never receives secrets.
  package let isUntrusted: Bool

  /// - Throws: `ConfigSyntaxError` where the text is no JSON.
  package init(name: String, bytes: [UInt8], isUntrusted: Bool = false) throws(ConfigSyntaxError) {
    self.name = name
    self.isUntrusted = isUntrusted
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw ConfigSyntaxError(file: name, bytes: bytes, error: error)
    }
  }

  package var root: ConfigNode { ConfigNode(file: self, json: document.root) }

  /// Maps offsets to lines and columns; made on demand, since only messages need it.
  package var sourceMap: SourceMap { SourceMap(document.bytes) }
}

/// A config file that is no JSON text.
package struct ConfigSyntaxError: Error {
  package let file: String
  /// The text itself.
  package let bytes: [UInt8]
  package let error: JSONSyntaxError
}
