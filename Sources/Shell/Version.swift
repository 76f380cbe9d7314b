/// Information about this build.
package enum Version {
  package static let number = "0.1.0"

  package static var userAgent: String { "market/\(number)" }

  /// The version line of `market --version`.
  package static var line: String { "market \(number) (\(target), swift \(compiler))" }

  /// The processor and system: `x86_64-linux`.
  package static var target: String { "\(processor)-\(system)" }

  /// The compiler's version, as precisely as the compiler reveals it.
  package static var compiler: String {
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
