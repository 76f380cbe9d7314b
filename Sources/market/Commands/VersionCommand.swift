import Shell

/// `market version`, also `market --version`
enum VersionCommand {
  static let command = Command(
    name: "version",
    summary: "print the version, the platform and the compiler",
    examples: [.init("market version", "such as 'market 0.1.0 (x86_64-linux, swift 6.3)'")],
    work: .immediate { _, context in
      context.output.write(Version.line + "\n")
      return .answer
    })
}
