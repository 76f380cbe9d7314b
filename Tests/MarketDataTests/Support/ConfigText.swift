import Config
import Testing

extension Configuration {
  /// - Parameter text: a whole config.
  init(text: String, name: String = "exchanges.json", origin: SourceFile.Origin = .other) throws {
    let file = try ConfigFile(name: name, bytes: Array(text.utf8), origin: origin)
    try self.init(file) { () throws(ConfigSyntaxError) in file }
  }

  func firstExchange() throws -> Exchange { try #require(exchanges.first.flatMap { read($0).exchange }) }
}
