/// The colours of up and down, which differ by country and by eye. A sign always stands beside them.
package enum ColorScheme: String, CaseIterable, Sendable {
  /// Korea: red up, blue down.
  case kr
  /// United States and Europe: green up, red down.
  case us
  /// For colour-blind readers: blue up, orange down.
  case cb

  /// The scheme of a locale as in `LANG`: Korean (`ko`, `ko_KR.UTF-8`) has `kr`, every other one (and none) `us`.
  package init(locale: String?) {
    // `kok` is Konkani.
    self = locale?.prefix(while: \.isLetter) == "ko" ? .kr : .us
  }

  /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set to something, as POSIX orders them.
  package static func localeName(environment: (String) -> String?) -> String? {
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
  }
}
