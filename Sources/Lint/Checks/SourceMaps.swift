import JSON

/// The texts that findings are in, each as it is shown.
struct SourceMaps {
  private let source: ConfigReview.Source
  private let map: SourceMap
  private let builtin: ConfigReview.Source

  init(_ look: ConfigLook, secrets: [Range<Int>]) {
    source = look.source
    let found = look.configuration == nil ? SecretCheck.ranges(in: source.bytes) : []
    map = SourceMap(source.bytes.masked(secrets + found))
    builtin = look.builtin
  }

  func finding(_ told: ConfigLook.Told) -> Finding {
    if told.isInBuiltin {
      return Finding(
        file: builtin.name, range: told.range, code: told.code, severity: told.severity, message: told.message,
        help: told.help, in: SourceMap(builtin.bytes), of: builtin.bytes)
    }
    return Finding(
      file: source.name, range: told.range, code: told.code, severity: told.severity, message: told.message,
      help: told.help, in: map, of: source.bytes)
  }
}
