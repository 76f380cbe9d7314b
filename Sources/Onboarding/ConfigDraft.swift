package import Config
package import Files
import JSON
package import MarketData
import Quotes

/// The user's config file with an edit that is not written yet: nothing reaches the disk before the whole result has been
/// read and found good.
package struct ConfigDraft {
  package let path: String
  /// nil where the file is new.
  private let old: [UInt8]?
  private(set) var bytes: [UInt8]
  /// What the shipped config gives where the file extends it.
  private let shipped: ConfigFile?
  private let origin: SourceFile.Origin

  /// A file that holds nothing yet but is laid over the shipped config.
  private static let template = "{\n  \"version\": 1,\n  \"extends\": \"builtin\",\n  \"exchanges\": {\n  }\n}\n"

  /// The file that a user's edits go to: the one in use, or a new one in the user's folder where only the shipped copy is.
  ///
  /// - Parameter named: the file that the command line names.
  /// - Throws: `OnboardingProblem`, `ConfigProblem` or `FileError`.
  package init(_ locator: ConfigLocator, named: String?) throws {
    var found: ConfigLocator.Found?
    do {
      found = try locator.find(named: named)
    } catch {
      // Where there is none at all, not even the shipped one, a file that says all by itself can be made.
      guard case .notFound = error else { throw error }
    }
    if found?.origin == .shipped { found = nil }
    guard let path = found?.path ?? locator.userPath else { throw OnboardingProblem.noHome }
    // It may be behind a link that leads nowhere yet.
    let isThere = !FileSystem.isAbsent(FileSystem.resolved(path))
    old = isThere ? try found?.read() ?? FileSystem.read(path) : nil
    self.path = path
    origin = found?.ownership ?? .user
    bytes = old ?? Array(Self.template.utf8)
    let file = try Self.file(path, bytes, origin: origin)
    guard file.root.json.kind == .object else { throw OnboardingProblem.notAnObject(path: path, key: nil) }
    shipped = file.root["extends"]?.json.string == "builtin" ? try locator.shipped().file() : nil
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

  /// The whole config as it would be.
  package func configuration() throws(OnboardingProblem) -> Configuration {
    let file = try Self.file(path, bytes, origin: origin)
    let base = shipped
    do throws(ConfigSyntaxError) {
      return try Configuration(file) { () throws(ConfigSyntaxError) in base ?? file }
    } catch {
      throw .configSyntax(error)
    }
  }

  /// The exchange in the user's own file, and whether the shipped config has one of that name.
  package func place(of name: String) throws(OnboardingProblem) -> (isOwn: Bool, isShipped: Bool) {
    let file = try Self.file(path, bytes, origin: origin)
    return (file.root["exchanges"]?[name] != nil, shipped?.root["exchanges"]?[name] != nil)
  }

  /// The name as the config has it, whatever its case; the name itself where there is none like it.
  package func spelling(of name: String) throws(OnboardingProblem) -> String {
    let names = try configuration().exchangeNames
    return names.contains(name) ? name : names.first { $0.lowercased() == name.lowercased() } ?? name
  }

  /// Why the name cannot be taken; nil where it can.
  func problem(with name: String) throws(OnboardingProblem) -> OnboardingProblem.NameProblem? {
    let (isOwn, isShipped) = try place(of: name)
    if isOwn { return .own(name, path: path) }
    if isShipped { return .shipped(name) }
    if name.isEmpty || name.contains(where: \.isNewline) { return .notALine }
    // Names are found in any case: one of the two could not be asked for.
    return try configuration().exchange(named: name).map { .alias(name, of: $0.name) }
  }

  mutating func add(_ name: String, _ value: ConfigValue) throws(OnboardingProblem) {
    try edit { editor throws(ConfigEditor.Problem) in try editor.setMember(name, of: ["exchanges"], to: value) }
  }

  /// Gives a market of an exchange its order books, trades or candles.
  mutating func setBlock(
    _ kind: BlockKind, of exchange: String, _ market: Market, _ value: ConfigValue
  ) throws(OnboardingProblem) {
    try edit { editor throws(ConfigEditor.Problem) in
      try editor.setMember(kind.rawValue, of: ["exchanges", exchange, "markets", market.rawValue], to: value)
    }
  }

  /// Gives a market of an exchange its streams; one of the shipped config has them as a change of the user's own.
  mutating func setStreams(
    of exchange: String, _ market: Market, _ value: ConfigValue
  ) throws(OnboardingProblem) {
    guard try place(of: exchange).isOwn else {
      let block = ConfigValue.object([
        ("markets", .object([(market.rawValue, .object([("streams", value)]))]))
      ])
      return try add(exchange, block)
    }
    try edit { editor throws(ConfigEditor.Problem) in
      try editor.setMember("streams", of: ["exchanges", exchange, "markets", market.rawValue], to: value)
    }
  }

  package mutating func remove(_ name: String) throws(OnboardingProblem) {
    try edit { editor throws(ConfigEditor.Problem) in try editor.removeMember(name, of: ["exchanges"]) }
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

  /// The exchange as the edited config has it.
  ///
  /// - Throws: the findings, where the edit would leave a config with errors.
  func exchange(named name: String) throws(OnboardingProblem) -> Exchange {
    let configuration = try configuration()
    var findings = configuration.diagnostics.filter { $0.severity == .error }
    let read = configuration.exchange(named: name).map { configuration.read($0) }
    findings += read?.diagnostics.filter { $0.severity == .error } ?? []
    guard findings.isEmpty, let exchange = read?.exchange else { throw .configFindings(findings) }
    return exchange
  }

  /// The errors of a file of ready blocks, `{"Newex": {…}}` or a whole config, where they stand in it.
  func findings(in file: ConfigFile) throws(OnboardingProblem) -> [Finding] {
    var bytes = file.source.bytes
    if file.root["exchanges"] == nil {
      // On the first line, so that all lines keep their numbers.
      bytes = Array(#"{"version":1,"extends":"builtin","exchanges":"#.utf8) + bytes + [UInt8(ascii: "}")]
    }
    let whole = try Self.file(file.name, bytes, origin: file.source.origin)
    let base = shipped ?? whole
    do throws(ConfigSyntaxError) {
      let configuration = try Configuration(whole) { () throws(ConfigSyntaxError) in base }
      let own = whole.root["exchanges"]?.members.flatMap { member in
        configuration.exchange(named: member.name).map { configuration.read($0).diagnostics } ?? []
      }
      return (configuration.diagnostics + (own ?? [])).filter { $0.severity == .error }
    } catch {
      throw .configSyntax(error)
    }
  }

  /// - Throws: where the file is no longer what the edit started from, or cannot be written; then it is as it was.
  package func write() throws(FileError) {
    if old == nil, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try FileSystem.createFolder(String(path[..<slash]))
    }
    try FileSystem.replace(old, with: bytes, at: path)
  }

  /// The lines that change, with two around them.
  package var difference: String { LineDifference(old: old ?? [], new: bytes).text }
}
