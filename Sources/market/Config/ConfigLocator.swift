import Files

/// Where the config is looked for. The first file found is used.
struct ConfigLocator {
  struct Found: Hashable {
    let path: String
    /// What the user sees as the reason why this file was taken.
    let origin: String
    /// A file that happens to lie in the working directory never receives secrets.
    let isUntrusted: Bool
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
    let local = "exchanges.json"
    if FileSystem.isReadable(local) {
      return Found(path: local, origin: "the working directory", isUntrusted: true)
    }
    if let folder = context.paths.config, FileSystem.isReadable("\(folder)/exchanges.json") {
      return Found(path: "\(folder)/exchanges.json", origin: "the user's config", isUntrusted: false)
    }
    return try shipped()
  }

  /// The copy that ships with the program: `share/market` beside `bin` of an installation, or the top of the checkout
  /// that the program was built in.
  func shipped() throws -> Found {
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
    if let path = tried.first(where: FileSystem.isReadable) {
      return Found(path: path, origin: Self.shippedOrigin, isUntrusted: false)
    }
    let places = tried.isEmpty ? "nowhere to look" : tried.joined(separator: ", ")
    throw CommandError.invalidConfig(
      "found no exchanges.json (\(places)); name one with --config or MARKET_CONFIG")
  }
}

extension String {
  /// The path without its last component; empty at the root.
  fileprivate var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return String(self[..<slash])
  }
}
