import Config
import Files
import JSON
import MarketData
import Terminal

/// The user's config file with an edit that is not written yet: nothing reaches the disk before the whole result has been
/// read and found good.
struct ConfigDraft {
  let path: String
  /// nil where the file is new.
  let old: [UInt8]?
  private(set) var bytes: [UInt8]
  /// What the shipped config gives where the file extends it.
  private let shipped: ConfigFile?
  /// A file of the working directory never receives secrets.
  let isUntrusted: Bool

  /// A file that holds nothing yet but is laid over the shipped config.
  private static let template = "{\n  \"version\": 1,\n  \"extends\": \"builtin\",\n  \"exchanges\": {\n  }\n}\n"

  /// The file that a user's edits go to: the one in use, or a new one in the user's folder where only the shipped copy is.
  init(_ invocation: Invocation, in context: Context) throws {
    let locator = ConfigLocator(context)
    let found = try Self.place(invocation, in: context)
    path = found.path
    old = Self.isNew(path) ? nil : try found.read()
    isUntrusted = found.isUntrusted
    bytes = old ?? Array(Self.template.utf8)
    let file = try Self.file(path, bytes, isUntrusted: isUntrusted)
    guard file.root.json.kind == .object else {
      throw CommandError.invalidConfig("\(path) is no object: a config begins with { \"version\": 1 }")
    }
    if file.root["extends"]?.json.string == "builtin" {
      let found = try locator.shipped()
      shipped = try Self.file(found.path, try found.read(), isUntrusted: false)
    } else {
      shipped = nil
    }
  }

  /// What is named, there or not; else what is in use; else a file in the user's folder, where only the shipped one is.
  private static func place(_ invocation: Invocation, in context: Context) throws -> ConfigLocator.Found {
    let locator = ConfigLocator(context)
    var found: ConfigLocator.Found?
    do {
      found = try locator.find(named: invocation.value(of: .config))
    } catch ConfigProblem.notFound {
      // There is none at all, not even the shipped one: a file that says all by itself can be made.
    }
    if let found, found.origin != .shipped { return found }
    guard let folder = context.paths.config else {
      throw CommandError.noAnswer("there is no home folder to keep a config in; name a file with --config")
    }
    return ConfigLocator.Found(path: "\(folder)/exchanges.json", origin: .user)
  }

  /// Whether the file is to be made, perhaps behind a link that leads nowhere yet.
  private static func isNew(_ path: String) -> Bool { FileSystem.isAbsent(FileSystem.resolved(path)) }

  private static func file(_ path: String, _ bytes: [UInt8], isUntrusted: Bool) throws -> ConfigFile {
    do {
      return try ConfigFile(name: path, bytes: bytes, isUntrusted: isUntrusted)
    } catch {
      throw ConfigProblem.syntax(error)
    }
  }

  /// The whole config as it would be.
  func configuration() throws -> Configuration {
    let file = try Self.file(path, bytes, isUntrusted: isUntrusted)
    let base = shipped
    do {
      return try Configuration(file) { () throws(ConfigSyntaxError) in base ?? file }
    } catch {
      throw ConfigProblem.syntax(error)
    }
  }

  /// The exchange in the user's own file, and whether the shipped config has one of that name.
  func place(of name: String) throws -> (isOwn: Bool, isShipped: Bool) {
    let file = try Self.file(path, bytes, isUntrusted: isUntrusted)
    return (file.root["exchanges"]?[name] != nil, shipped?.root["exchanges"]?[name] != nil)
  }

  mutating func add(_ name: String, _ value: ConfigValue) throws {
    try edit { editor throws(ConfigEditor.Problem) in try editor.setMember(name, of: ["exchanges"], to: value) }
  }

  mutating func remove(_ name: String) throws {
    try edit { editor throws(ConfigEditor.Problem) in try editor.removeMember(name, of: ["exchanges"]) }
  }

  private mutating func edit(_ change: (inout ConfigEditor) throws(ConfigEditor.Problem) -> Void) throws {
    do {
      var editor = try ConfigEditor(bytes)
      try change(&editor)
      bytes = editor.bytes
    } catch {
      switch error {
      case .syntax(let error): throw CommandError.invalidConfig("\(path) is no JSON: \(error.problem)")
      case .notAnObject(let names):
        throw CommandError.invalidConfig("'\(names.joined(separator: "."))' of \(path) is no object")
      }
    }
  }

  /// The exchange as the edited config has it.
  ///
  /// - Throws: the findings, where the edit would leave a config with errors.
  func exchange(named name: String) throws -> Exchange {
    let configuration = try configuration()
    var findings = configuration.diagnostics.filter { $0.severity == .error }
    guard let source = configuration.exchange(named: name) else {
      throw CommandError.invalidConfig("the edit did not add '\(name)'")
    }
    let (exchange, diagnostics) = configuration.read(source)
    findings += diagnostics.filter { $0.severity == .error }
    guard findings.isEmpty, let exchange else {
      throw CommandError.diagnostics(SourceDiagnostic.list(findings), .invalidConfig)
    }
    return exchange
  }

  /// - Throws: where the file is no longer what the edit started from, or cannot be written; then it is as it was.
  func write() throws {
    if old == nil, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try FileSystem.createFolder(String(path[..<slash]))
    }
    try FileSystem.replace(old, with: bytes, at: path)
  }

  /// The lines that change, with two around them.
  var difference: String { LineDifference(old: old ?? [], new: bytes).text }
}
