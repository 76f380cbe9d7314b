package import JSON
import Synchronization

/// The text of one config file, parsed as JSON and kept with its name so that every value can report its location.
package final class ConfigFile: Sendable {
  package let source: SourceFile
  package let document: JSONDocument

  /// - Throws: `ConfigSyntaxError` if the text is not JSON.
  package init(_ source: SourceFile) throws(ConfigSyntaxError) {
    self.source = source
    do {
      document = try JSONDocument(parsing: source.bytes)
    } catch {
      throw ConfigSyntaxError(source: source, error: error)
    }
  }

  /// - Throws: `ConfigSyntaxError` if the text is not JSON.
  package convenience init(name: String, bytes: [UInt8], origin: SourceFile.Origin = .other) throws(ConfigSyntaxError) {
    try self.init(SourceFile(name: name, bytes: bytes, origin: origin))
  }

  package var name: String { source.name }
  package var root: ConfigNode { ConfigNode(file: self, json: document.root) }

  /// Whether it is laid over the config that ships with the program.
  package var extendsShipped: Bool { root["extends"]?.json.string == "builtin" }
}

/// A config file that is not JSON.
package struct ConfigSyntaxError: Error {
  package let source: SourceFile
  package let error: JSONSyntaxError
}

/// A config value together with its file. Every part of the model keeps one to report where it was written.
package struct ConfigNode: Sendable {
  package let file: ConfigFile
  package let json: JSONNode

  package var place: Place { Place(file: file.source, range: json.byteRange) }

  package var isShipped: Bool { file.source.origin == .shipped }

  package subscript(_ name: String) -> ConfigNode? {
    json[name].map { ConfigNode(file: file, json: $0) }
  }

  /// Returns whether another value is written within this one.
  package func contains(_ other: ConfigNode) -> Bool {
    file === other.file && json.byteRange.contains(other.json.byteRange)
  }

  /// The elements of an array; empty for any other value.
  package var elements: [ConfigNode] { json.elements.map { ConfigNode(file: file, json: $0) } }

  /// The members of an object in source order; empty for any other value.
  package var members: [ConfigMember] {
    json.members.map {
      ConfigMember(
        name: $0.name, key: ConfigNode(file: file, json: $0.key), value: ConfigNode(file: file, json: $0.value))
    }
  }

  /// Returns the place of one character of this string value. Escapes rule out plain counting: `"a\"b"` and `"\u0024"`
  /// take more bytes than characters.
  ///
  /// - Parameter offset: UTF-8 offset in the decoded string.
  package func place(ofDecodedOffset offset: Int) -> Place {
    guard json.kind == .string else { return place }
    let start = json.position(ofDecodedOffset: offset)
    return Place(file: file.source, range: start..<start + 1)
  }
}

/// One member of a config object.
package struct ConfigMember: Sendable {
  package let name: String
  /// The member's name as written; findings about the name point here.
  package let key: ConfigNode
  package let value: ConfigNode
}

/// A config's text and the name that messages use for it, whether or not it can be parsed.
package final class SourceFile: Sendable {
  /// The owner of a text, which decides what it shares with others and what it may do.
  package enum Origin: Sendable {
    /// The copy that ships with the program.
    case shipped
    /// `exchanges.json` in the user's own folder.
    case user
    case other
  }

  /// The path as the user gave it, or `builtin`.
  package let name: String
  package let bytes: [UInt8]
  package let origin: Origin

  package init(name: String, bytes: [UInt8], origin: Origin = .other) {
    (self.name, self.bytes, self.origin) = (name, bytes, origin)
  }

  /// The line map of the text, built when the first place is reported.
  var map: SourceMap {
    knownMap.withLock { known in
      if let known { return known }
      let map = SourceMap(bytes)
      known = map
      return map
    }
  }

  private let knownMap = Mutex<SourceMap?>(nil)
}

/// A range of a config's text.
package struct Place: Sendable, Hashable {
  package let file: SourceFile
  /// Byte offsets.
  package let range: Range<Int>

  package init(file: SourceFile, range: Range<Int>) { (self.file, self.range) = (file, range) }

  package static func == (a: Place, b: Place) -> Bool { a.file === b.file && a.range == b.range }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(file))
    hasher.combine(range)
  }

  package var start: SourcePosition { file.map.position(of: range.lowerBound) }
}
