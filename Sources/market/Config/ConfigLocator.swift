import Files

/// Where the config is looked for. The first file found is used.
struct ConfigLocator {
  struct Found: Hashable {
    let path: String
    /// What the user sees as the reason why this file was taken.
    let origin: String
    /// A file that happens to lie in the working directory never receives secrets.
    let isUntrusted: Bool

    /// The text of the file.
    ///
    /// - Throws: a file that cannot be read is a config that cannot be used, whichever way it was found.
    func read() throws(CommandError) -> [UInt8] {
      do {
        return try FileSystem.read(path)
      } catch {
        throw .invalidConfig("\(error) (\(origin))")
      }
    }
  }

  /// The origin of the copy that ships with the program: nothing is ever written there.
  static let shippedOrigin = "shipped with the program"

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// - Parameter named: the file that the command line names.
  func find(named: String?) throws -> Found {
    if let named { return Found(path: named, origin: "--config", isUntrusted: false) }
    if let path = context.environment["MARKET_CONFIG"], !path.isEmpty {
      return Found(path: path, origin: "MARKET_CONFIG", isUntrusted: false)
    }
    var tried: [String] = []
    // What is there and cannot be read is no reason to take another one in silence.
    let local = "exchanges.json"
    let place = context.workingDirectory == "/" ? "/\(local)" : "\(context.workingDirectory)/\(local)"
    // A working directory that may not be looked into is most often another user's.
    if FileSystem.isThere(place) {
      return Found(path: local, origin: "the working directory", isUntrusted: true)
    }
    tried.append(place)
    if let folder = context.paths.config {
      let path = "\(folder)/exchanges.json"
      if !FileSystem.isAbsent(path) { return Found(path: path, origin: "the user's config", isUntrusted: false) }
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
  func shipped(after places: [String] = []) throws -> Found {
    var tried: [String] = []
    if let executable = context.executablePath() {
      var folder = executable.parentFolder
      tried.append("\(folder.parentFolder)/share/market/exchanges.json")
      while !folder.isEmpty {
        // A build lies in `.build/…` of its checkout.
        if folder.hasSuffix("/.build") { tried.append("\(folder.parentFolder)/exchanges.json") }
        folder = folder.parentFolder
      }
    }
    if let path = tried.first(where: { !FileSystem.isAbsent($0) }) {
      return Found(path: path, origin: Self.shippedOrigin, isUntrusted: false)
    }
    let all = (places + tried).joined(separator: ", ")
    throw CommandError.invalidConfig(
      "found no exchanges.json (\(all.isEmpty ? "nowhere to look" : all)); name one with --config or MARKET_CONFIG")
  }
}

extension String {
  /// The path without its last component; empty at the root.
  fileprivate var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return String(self[..<slash])
  }
}
