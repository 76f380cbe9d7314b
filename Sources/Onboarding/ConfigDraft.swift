import Cassettes
package import Config
package import Files
import JSON
package import MarketData
import Quotes

/// The user's config file with an unsaved edit: nothing is written to disk before the whole result has been parsed and
/// found valid.
package struct ConfigDraft {
  package let path: String
  /// nil if the file is new.
  private let old: [UInt8]?
  private(set) var bytes: [UInt8]
  /// The content of the shipped config, if the file extends it.
  private let shipped: ConfigFile?
  private let origin: SourceFile.Origin

  /// An empty file that extends the shipped config.
  private static let template = "{\n  \"version\": 1,\n  \"extends\": \"builtin\",\n  \"exchanges\": {\n  }\n}\n"

  /// Opens the file to edit: the one in use, or a new one in the user's folder if only the shipped copy exists.
  ///
  /// - Parameter named: The file given on the command line.
  /// - Throws: `OnboardingProblem`, `ConfigProblem` or `FileError`.
  package init(_ locator: ConfigLocator, named: String?) throws {
    var found: ConfigLocator.Found?
    do {
      found = try locator.find(named: named)
    } catch {
      // If there is none at all, not even the shipped one, a self-contained file can be created.
      guard case .notFound = error else { throw error }
    }
    if found?.origin == .shipped { found = nil }
    guard let path = found?.path ?? locator.userPath else { throw OnboardingProblem.noHome }
    // It may be a symbolic link to a file that does not exist yet.
    let isThere = !FileSystem.isAbsent(FileSystem.resolved(path))
    old = isThere ? try found?.read() ?? FileSystem.read(path) : nil
    self.path = path
    origin = found?.ownership ?? .user
    bytes = old ?? Array(Self.template.utf8)
    let file = try Self.file(path, bytes, origin: origin)
    guard file.root.json.kind == .object else { throw OnboardingProblem.notAnObject(path: path, key: nil) }
    shipped = file.extendsShipped ? try locator.shipped(extendedBy: path) : nil
  }

  private static func file(
    _ path: String, _ bytes: [UInt8], origin: SourceFile.Origin
  ) throws(OnboardingProblem) -> ConfigFile {
    do throws(ConfigSyntaxError) {
      return try ConfigFile(name: path, bytes: bytes, origin: origin)
    } catch {
      throw .configSyntax(error)
    }
  }

  /// Returns the whole config with the edit.
  package func configuration() throws(OnboardingProblem) -> Configuration {
    try configuration(of: try Self.file(path, bytes, origin: origin))
  }

  /// - Parameter file: A config that may extend the shipped one.
  private func configuration(of file: ConfigFile) throws(OnboardingProblem) -> Configuration {
    let base = shipped ?? file
    do throws(ConfigSyntaxError) {
      return try Configuration(file) { () throws(ConfigSyntaxError) in base }
    } catch {
      throw .configSyntax(error)
    }
  }

  /// Whether there was no file when the edit began.
  package var isNew: Bool { old == nil }

  /// Returns whether the exchange is in the user's own file, and whether it is in the shipped config.
  package func place(of name: String) throws(OnboardingProblem) -> (isOwn: Bool, isShipped: Bool) {
    let file = try Self.file(path, bytes, origin: origin)
    return (file.root["exchanges"]?[name] != nil, shipped?.root["exchanges"]?[name] != nil)
  }

  /// Returns the name as spelled in the config, ignoring case; the name itself if there is no such exchange.
  package func spelling(of name: String) throws(OnboardingProblem) -> String {
    let names = try configuration().exchangeNames
    return names.contains(name) ? name : names.first { $0.lowercased() == name.lowercased() } ?? name
  }

  /// Returns why the name cannot be used; nil if it can.
  func problem(with name: String) throws(OnboardingProblem) -> OnboardingProblem.NameProblem? {
    let (isOwn, isShipped) = try place(of: name)
    if isOwn { return .own(name, path: path) }
    if isShipped { return .shipped(name) }
    if name.allSatisfy(\.isWhitespace) || name.contains(where: \.isNewline) { return .notALine }
    // Names are case-insensitive, so one of the two could not be selected.
    let known = try configuration()
    if let other = known.exchange(named: name) { return .alias(name, of: other.name) }
    let folder = CassetteRecorder.safeFileName(name)
    return known.exchanges.first { CassetteRecorder.safeFileName($0.name) == folder }.map { .alike(name, $0.name) }
  }

  mutating func add(_ name: String, _ value: ConfigValue) throws(OnboardingProblem) {
    try set(name, of: ["exchanges"], to: value)
  }

  /// Adds order books, trades or candles to a market of an exchange.
  mutating func setBlock(
    _ kind: BlockKind, of exchange: String, _ market: Market, _ value: ConfigValue
  ) throws(OnboardingProblem) {
    try set(kind.rawValue, of: ["exchanges", exchange, "markets", market.rawValue], to: value)
  }

  /// Adds streams to a market of an exchange; for a shipped exchange, as the user's own override.
  mutating func setStreams(of exchange: String, _ market: Market, _ value: ConfigValue) throws(OnboardingProblem) {
    guard try place(of: exchange).isOwn else {
      let markets = ConfigValue.object([(market.rawValue, .object([("streams", value)]))])
      return try add(exchange, .object([("markets", markets)]))
    }
    try set("streams", of: ["exchanges", exchange, "markets", market.rawValue], to: value)
  }

  /// Returns the streams of a market that are in the user's own file; nil if there are none.
  func ownStreams(of exchange: String, _ market: Market) throws(OnboardingProblem) -> ConfigValue? {
    let file = try Self.file(path, bytes, origin: origin)
    let node = file.root["exchanges"]?[exchange]?["markets"]?[market.rawValue]?["streams"]
    return node.flatMap { $0.json.kind == .object ? ConfigValue($0.json) : nil }
  }

  package mutating func remove(_ name: String) throws(OnboardingProblem) {
    try edit { editor throws(ConfigEditor.Problem) in try editor.removeMember(name, of: ["exchanges"]) }
  }

  private mutating func set(_ name: String, of path: [String], to value: ConfigValue) throws(OnboardingProblem) {
    try edit { editor throws(ConfigEditor.Problem) in try editor.setMember(name, of: path, to: value) }
  }

  private mutating func edit(
    _ change: (inout ConfigEditor) throws(ConfigEditor.Problem) -> Void
  ) throws(OnboardingProblem) {
    do throws(ConfigEditor.Problem) {
      var editor = try ConfigEditor(bytes)
      try change(&editor)
      bytes = editor.bytes
    } catch {
      switch error {
      case .syntax(let error): throw .brokenConfig(path: path, "\(error.problem)")
      case .notAnObject(let names): throw .notAnObject(path: path, key: names.joined(separator: "."))
      }
    }
  }

  /// Returns the exchange according to the edited config.
  ///
  /// - Throws: The findings, if the edit would make the config invalid.
  func exchange(named name: String) throws(OnboardingProblem) -> Exchange {
    let configuration = try configuration()
    var findings = configuration.diagnostics.filter { $0.severity == .error }
    let read = configuration.exchange(named: name).map { configuration.read($0) }
    findings += read?.diagnostics.filter { $0.severity == .error } ?? []
    guard findings.isEmpty, let exchange = read?.exchange else { throw .configFindings(findings) }
    return exchange
  }

  /// Returns the errors of a file of ready blocks, `{"Newex": {…}}` or a whole config, located in that file.
  func findings(in file: ConfigFile) throws(OnboardingProblem) -> [Finding] {
    var bytes = file.source.bytes
    if file.root["exchanges"] == nil {
      // On the first line, to keep line numbers unchanged.
      bytes = Array(#"{"version":1,"extends":"builtin","exchanges":"#.utf8) + bytes + [UInt8(ascii: "}")]
    }
    let whole = try Self.file(file.name, bytes, origin: file.source.origin)
    let configuration = try configuration(of: whole)
    let own = whole.root["exchanges"]?.members.flatMap { member in
      configuration.exchange(named: member.name).map { configuration.read($0).diagnostics } ?? []
    }
    return (configuration.diagnostics + (own ?? [])).filter { $0.severity == .error }
  }

  /// - Throws: If the file has changed since the edit began, or cannot be written, leaving it unchanged.
  package func write() throws(FileError) {
    if old == nil { try FileSystem.createFolder(ofFile: path) }
    try FileSystem.replace(old, with: bytes, at: path)
  }

  /// The changed lines, with two lines of context.
  package var difference: String { LineDifference(old: old ?? [], new: bytes).text }
}
