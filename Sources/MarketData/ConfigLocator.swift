package import Config
package import Files

/// Why the config, or the file of secrets beside it, cannot be used.
package enum ConfigProblem: Error, Sendable {
  /// There is no file at any of these places.
  case notFound(places: [String])
  case unreadable(FileError, ConfigLocator.Origin)
  case syntax(ConfigSyntaxError)
  /// The config as a whole has errors; a broken exchange alone is not one.
  case invalid([Finding])
  /// Other users may read the file of secrets.
  case exposedCredentials(path: String)
  /// The file of secrets is not JSON. No message may quote its text, so the place is not kept.
  case malformedCredentials(path: String)
}

/// Finds the config. The first file that is there is used.
package struct ConfigLocator {
  /// Why a file was taken, as users see it.
  package enum Origin: String, Sendable, CustomStringConvertible {
    case option = "--config"
    case environment = "MARKET_CONFIG"
    case workingDirectory = "the working directory"
    case user = "the user's config"
    /// The copy that ships with the program: nothing is ever written there.
    case shipped = "shipped with the program"

    package var description: String { rawValue }
  }

  package struct Found: Hashable, Sendable {
    package let path: String
    package let origin: Origin

    package init(path: String, origin: Origin) {
      self.path = path
      self.origin = origin
    }

    /// A file that happens to lie in the working directory never receives secrets.
    package var isUntrusted: Bool { origin == .workingDirectory }

    /// The text of the file.
    ///
    /// - Throws: a file that cannot be read is a config that cannot be used, whichever way it was found.
    package func read() throws(ConfigProblem) -> [UInt8] {
      do {
        return try FileSystem.read(path)
      } catch {
        throw .unreadable(error, origin)
      }
    }

    /// The file with its text parsed.
    package func file() throws(ConfigProblem) -> ConfigFile {
      let bytes = try read()
      do {
        return try ConfigFile(name: path, bytes: bytes, isUntrusted: isUntrusted)
      } catch {
        throw .syntax(error)
      }
    }
  }

  private let environment: (String) -> String?
  private let workingDirectory: String
  private let userFolder: String?
  private let executablePath: () -> String?

  /// - Parameters:
  ///   - environment: looks a variable up.
  ///   - workingDirectory: the absolute path that relative paths start from.
  ///   - userFolder: the folder of the user's own config; nil without a home folder.
  ///   - executablePath: the absolute path of the running program, symbolic links resolved.
  package init(
    environment: @escaping (String) -> String?, workingDirectory: String, userFolder: String?,
    executablePath: @escaping () -> String?
  ) {
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.userFolder = userFolder
    self.executablePath = executablePath
  }

  /// - Parameter named: the file that the command line names.
  package func find(named: String?) throws(ConfigProblem) -> Found {
    if let named { return Found(path: named, origin: .option) }
    if let path = environment("MARKET_CONFIG"), !path.isEmpty {
      return Found(path: path, origin: .environment)
    }
    var tried: [String] = []
    // What is there and cannot be read is no reason to take another one in silence.
    let local = "exchanges.json"
    let place = workingDirectory == "/" ? "/\(local)" : "\(workingDirectory)/\(local)"
    // A working directory that may not be looked into is most often another user's.
    if FileSystem.isThere(place) {
      return Found(path: local, origin: .workingDirectory)
    }
    tried.append(place)
    if let folder = userFolder {
      let path = "\(folder)/exchanges.json"
      if !FileSystem.isAbsent(path) { return Found(path: path, origin: .user) }
      tried.append(path)
    } else {
      tried.append("no home folder")
    }
    return try shipped(after: tried)
  }

  /// The copy that ships with the program: `share/market` beside `bin` of an installation, or the top of the checkout
  /// that the program was built in.
  ///
  /// - Parameter places: where a file was looked for before.
  package func shipped(after places: [String] = []) throws(ConfigProblem) -> Found {
    var tried: [String] = []
    if let executable = executablePath() {
      var folder = executable.parentFolder
      tried.append("\(folder.parentFolder)/share/market/exchanges.json")
      while !folder.isEmpty {
        // A build lies in `.build/…` of its checkout.
        if folder.hasSuffix("/.build") { tried.append("\(folder.parentFolder)/exchanges.json") }
        folder = folder.parentFolder
      }
    }
    if let path = tried.first(where: { !FileSystem.isAbsent($0) }) {
      return Found(path: path, origin: .shipped)
    }
    throw .notFound(places: places + tried)
  }
}

extension String {
  /// The path without its last component; empty at the root.
  fileprivate var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return String(self[..<slash])
  }
}
