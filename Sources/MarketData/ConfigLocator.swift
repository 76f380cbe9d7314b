package import Config
package import Files
import Quotes

/// Why the config, or the secrets file next to it, cannot be used.
package enum ConfigProblem: Error, Sendable {
  /// There is no file in any of these places.
  case notFound(places: [String])
  /// A file extends the shipped config, which is in none of these places.
  case nothingToExtend(path: String, places: [String])
  case unreadable(FileError, ConfigLocator.Origin)
  case syntax(ConfigSyntaxError)
  /// The config as a whole has errors; a single broken exchange is not one.
  case invalid([Finding])
  /// The file given as the config holds the user's secrets. No message may quote its text.
  case isCredentials(path: String)
}

extension ConfigProblem: CustomStringConvertible {
  /// One line, without locations in the file.
  package var description: String {
    switch self {
    case .notFound(let places):
      "found no exchanges.json (\(Self.listed(places))); name one with --config or MARKET_CONFIG"
    case .nothingToExtend(let path, let places):
      "\(path) extends \"builtin\", but the exchanges.json that ships with the program is missing: "
        + "\(Self.listed(places)); install the program again"
    case .unreadable(let error, .argument): "\(error)"
    case .unreadable(let error, let origin): "\(error) (\(origin))"
    case .syntax(let error): "\(error)"
    case .invalid(let findings): findings.first?.message ?? "the config has errors"
    case .isCredentials(let path): "\(path) holds your secrets; it is not a config"
    }
  }

  fileprivate static func listed(_ places: [String]) -> String {
    places.isEmpty ? "nowhere to look" : places.joined(separator: ", ")
  }
}

/// Finds the config: the file named on the command line, else `$MARKET_CONFIG`, else the user's own, else the shipped
/// one. A file that exists but cannot be read is never silently skipped.
///
/// The working directory is not searched: unpacking someone else's folder does not mean trusting its config.
package struct ConfigLocator {
  /// Why a file was chosen, as shown to users.
  package enum Origin: String, Sendable, CustomStringConvertible {
    case option = "--config"
    /// The command's own subject.
    case argument = "an argument"
    case environment = "MARKET_CONFIG"
    case user = "the user's config"
    /// The copy that ships with the program, which is never written to.
    case shipped = "shipped with the program"

    package var description: String { rawValue }
  }

  package struct Found: Hashable, Sendable {
    package let path: String
    package let origin: Origin
    /// The file's owner, regardless of how it was found.
    package let ownership: SourceFile.Origin

    /// What another command of the user's needs to find the same file: ` -c PATH`; empty if it finds it anyway.
    package var option: String { origin == .option ? " -c \(path.shellWord)" : "" }

    /// Returns the text of the file.
    ///
    /// - Throws: An error if the file cannot be read, regardless of how it was found.
    package func read() throws(ConfigProblem) -> [UInt8] {
      do {
        // A file named by the user may be `<(jq … exchanges.json)`, but a run must never wait forever.
        let isNamed = [.option, .argument, .environment].contains(origin)
        return try FileSystem.read(path, from: isNamed ? .promptPipe(milliseconds: 10_000) : .file)
      } catch {
        throw .unreadable(error, origin)
      }
    }

    /// Returns the text with its location.
    package func source() throws(ConfigProblem) -> SourceFile {
      SourceFile(name: path, bytes: try read(), origin: ownership)
    }

    /// Returns the file with its text parsed.
    package func file() throws(ConfigProblem) -> ConfigFile {
      let bytes = try read()
      do {
        return try ConfigFile(name: path, bytes: bytes, origin: ownership)
      } catch {
        throw .syntax(error)
      }
    }
  }

  private let environment: (String) -> String?
  /// The folder of the user's own config; nil without a home folder.
  package let userFolder: String?
  private let executablePath: () -> String?

  /// - Parameters:
  ///   - environment: Looks up a variable.
  ///   - userFolder: The folder of the user's own config; nil without a home folder.
  ///   - executablePath: The absolute path of the running program, with symbolic links resolved.
  package init(
    environment: @escaping (String) -> String?, userFolder: String?, executablePath: @escaping () -> String?
  ) {
    (self.environment, self.userFolder, self.executablePath) = (environment, userFolder, executablePath)
  }

  /// - Parameters:
  ///   - named: The file named on the command line.
  ///   - origin: Where it was named.
  package func find(named: String?, as origin: Origin = .option) throws(ConfigProblem) -> Found {
    if let named { return try found(named, origin) }
    if let path = environment("MARKET_CONFIG"), !path.isEmpty { return try found(path, .environment) }
    guard let path = userPath else { return try shipped(after: ["no home folder"]) }
    if !FileSystem.isAbsent(path) { return try found(path, .user) }
    return try shipped(after: [path])
  }

  /// Returns the files that exist but are not used because another takes precedence.
  package func shadowed(by found: Found) -> [String] {
    [environment("MARKET_CONFIG"), userPath].compactMap(\.self).filter {
      !$0.isEmpty && $0 != found.path && FileSystem.isReadable($0)
    }
  }

  /// Where the user's own config is, or would be; nil without a home folder.
  package var userPath: String? { userFolder.map { "\($0)/exchanges.json" } }

  private func found(_ path: String, _ origin: Origin) throws(ConfigProblem) -> Found {
    let status = FileStatus(path)
    func isSame(_ other: String?) -> Bool {
      status != nil && status?.identity == other.flatMap { FileStatus($0) }?.identity
    }
    // A link, or a slip on the command line: its text must not be shown as a line of a config.
    if isSame(userFolder.map { CredentialsFile.path(in: $0) }) { throw .isCredentials(path: path) }
    if origin == .user { return Found(path: path, origin: origin, ownership: .user) }
    let isShipped = isSame((try? shipped())?.path)
    return Found(path: path, origin: origin, ownership: isShipped ? .shipped : isSame(userPath) ? .user : .other)
  }

  /// Finds the copy that ships with the program: `share/market` next to `bin` of an installation, or the root of the
  /// checkout that the program was built in.
  ///
  /// - Parameter places: The places already searched.
  package func shipped(after places: [String] = []) throws(ConfigProblem) -> Found {
    var tried: [String] = []
    if let executable = executablePath() {
      var folder = FileSystem.folder(of: executable)
      tried.append("\(FileSystem.folder(of: folder))/share/market/exchanges.json")
      while folder.hasPrefix("/") {
        // A build is located in `.build/…` of its checkout.
        if folder.hasSuffix("/.build") { tried.append("\(FileSystem.folder(of: folder))/exchanges.json") }
        folder = FileSystem.folder(of: folder)
      }
    }
    if let path = tried.first(where: { !FileSystem.isAbsent($0) }) {
      return Found(path: path, origin: .shipped, ownership: .shipped)
    }
    throw .notFound(places: places + tried)
  }

  /// Returns the shipped config, for a file that extends it.
  package func shipped(extendedBy path: String) throws(ConfigProblem) -> ConfigFile {
    do {
      return try shipped().file()
    } catch .notFound(let places) {
      throw .nothingToExtend(path: path, places: places)
    }
  }

  /// The shipped config, for a file that extends it. If it cannot be read, which is reported when it is needed, it is
  /// empty and named after the places where it was looked for.
  package var builtin: SourceFile {
    do {
      return try shipped().source()
    } catch .notFound(let places) {
      return SourceFile(name: ConfigProblem.listed(places), bytes: [])
    } catch {
      return SourceFile(name: "\(error)", bytes: [])
    }
  }
}
