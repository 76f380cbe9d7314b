/// `market version`, also `market --version`
enum VersionCommand {
  static let command = Command(
    name: "version",
    summary: "print the version, the platform and the compiler",
    examples: [.init("market version", "such as 'market 0.1.0 (x86_64-linux, swift 6.3)'")],
    work: .immediate { _, context in
      context.output.write("market \(Version.number) (\(Version.target), swift \(Version.compiler))\n")
      return .answer
    })
}

/// What this build is.
enum Version {
  /// Semantic version of the program.
  static let number = "0.1.0"

  /// Processor and system, as `x86_64-linux`.
  static var target: String { "\(processor)-\(system)" }

  /// The compiler's version, as far as the compiler tells it.
  static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var processor: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "unknown"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      "linux"
    #elseif os(macOS)
      "macos"
    #else
      "unknown"
    #endif
  }
}
