package import JSON

/// The text of one config file, read as JSON and kept with its name, so that every value can say where it stands.
package final class ConfigFile: Sendable {
  package let source: SourceFile
  package let document: JSONDocument

  /// - Throws: `ConfigSyntaxError` where the text is not JSON.
  package init(_ source: SourceFile) throws(ConfigSyntaxError) {
    self.source = source
    do {
      document = try JSONDocument(parsing: source.bytes)
    } catch {
      throw ConfigSyntaxError(source: source, error: error)
    }
  }

  /// - Throws: `ConfigSyntaxError` where the text is not JSON.
  package convenience init(name: String, bytes: [UInt8], isUntrusted: Bool = false) throws(ConfigSyntaxError) {
    try self.init(SourceFile(name: name, bytes: bytes, isUntrusted: isUntrusted))
  }

  package var name: String { source.name }
  package var isUntrusted: Bool { source.isUntrusted }
  package var root: ConfigNode { ConfigNode(file: self, json: document.root) }
}

/// A config file that is not JSON.
package struct ConfigSyntaxError: Error {
  package let source: SourceFile
  package let error: JSONSyntaxError
}
