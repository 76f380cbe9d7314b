import Catalog
import Files
import JSON
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
  private static let template = "{\n  \"version\": 1,\n  \"extends\": \"builtin\",\n  \"exchanges\": {}\n}\n"

  /// The file that a user's edits go to: the one in use, or a new one in the user's folder where only the shipped copy is.
  init(_ invocation: Invocation, in context: Context) throws {
    let locator = ConfigLocator(context)
    let named = invocation.value(of: .config) ?? context.environment["MARKET_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    if let named, !FileSystem.exists(named) {
      path = named
      old = nil
      isUntrusted = false
    } else {
      let found = try? locator.find(named: invocation.value(of: .config))
      if let found, found.origin != ConfigLocator.shippedOrigin {
        path = found.path
        old = try FileSystem.read(found.path)
        isUntrusted = found.isUntrusted
      } else {
        guard let folder = context.paths.config else {
          throw CommandError.noAnswer("there is no home folder to keep a config in; name a file with --config")
        }
        path = "\(folder)/exchanges.json"
        old = nil
        isUntrusted = false
      }
    }
    bytes = old ?? Array(Self.template.utf8)
    let file = try Self.file(path, bytes, isUntrusted: isUntrusted)
    if file.root["extends"]?.json.string == "builtin" {
      let found = try locator.shipped()
      shipped = try Self.file(found.path, try FileSystem.read(found.path), isUntrusted: false)
    } else {
      shipped = nil
    }
  }

  private static func file(_ path: String, _ bytes: [UInt8], isUntrusted: Bool) throws -> ConfigFile {
    do {
      return try ConfigFile(name: path, bytes: bytes, isUntrusted: isUntrusted)
    } catch {
      throw ConfigLoader.error(error)
    }
  }

  /// The whole config as it would be.
  func catalog() throws -> Catalog {
    let file = try Self.file(path, bytes, isUntrusted: isUntrusted)
    let base = shipped
    do {
      return try Catalog(file) { () throws(ConfigSyntaxError) in base ?? file }
    } catch {
      throw ConfigLoader.error(error)
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

  /// The venue as the edited config has it.
  ///
  /// - Throws: the findings, where the edit would leave a config with errors.
  func venue(named name: String) throws -> Venue {
    let catalog = try catalog()
    var findings = catalog.diagnostics.filter { $0.severity == .error }
    guard let source = catalog.venue(named: name) else {
      throw CommandError.invalidConfig("the edit did not add '\(name)'")
    }
    let (venue, diagnostics) = catalog.read(source)
    findings += diagnostics.filter { $0.severity == .error }
    guard findings.isEmpty, let venue else {
      throw CommandError.diagnostics(findings.map { SourceDiagnostic($0) }, .invalidConfig)
    }
    return venue
  }

  func write() throws {
    if old == nil, let slash = path.lastIndex(of: "/") { try FileSystem.createFolder(String(path[..<slash])) }
    try FileSystem.writeAtomically(bytes, to: path)
  }

  /// The lines that change, with two around them.
  var difference: String { LineDifference(old: old ?? [], new: bytes).text }
}
