/// The folders of the user, after the XDG Base Directory Specification 0.8.
struct UserPaths: Hashable, Sendable {
  /// `$HOME`; nil when it is not set.
  let home: String?
  /// `$XDG_CONFIG_HOME/market`, by default `~/.config/market`.
  let config: String?
  /// `$XDG_CACHE_HOME/market`, by default `~/.cache/market`.
  let cache: String?
  /// `$XDG_STATE_HOME/market`, by default `~/.local/state/market`.
  let state: String?

  init(environment: Environment) {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
    /// The specification has relative paths ignored.
    func folder(_ variable: String, default path: String) -> String? {
      if let base = environment[variable], base.hasPrefix("/") { return base + "/market" }
      return home.map { "\($0)/\(path)/market" }
    }
    self.home = home
    config = folder("XDG_CONFIG_HOME", default: ".config")
    cache = folder("XDG_CACHE_HOME", default: ".cache")
    state = folder("XDG_STATE_HOME", default: ".local/state")
  }
}
