/// When output is coloured: the value of `--color`.
package enum ColorMode: String, CaseIterable, Sendable {
  case auto, always, never

  /// Decides for one stream.
  ///
  /// The flag wins over everything. With `auto`, colour needs a terminal, no `NO_COLOR` that is set to something
  /// (https://no-color.org) and another `TERM` than `dumb`.
  ///
  /// - Parameters:
  ///   - environment: looks up a variable, nil when it is not set.
  package func isColored(onTerminal isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
  }
}
