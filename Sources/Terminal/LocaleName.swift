/// The name of a locale in the environment: `ko_KR.UTF-8`.
package struct LocaleName: Hashable, Sendable {
  package let text: String

  /// Creates the locale of a category such as `LC_TIME`: the first nonempty one of `LC_ALL`, the category and `LANG`,
  /// the order that POSIX defines.
  ///
  /// - Returns: nil if none is set.
  package init?(of category: String, environment: (String) -> String?) {
    let names = ["LC_ALL", category, "LANG"].compactMap(environment)
    guard let text = names.first(where: { !$0.isEmpty }) else { return nil }
    self.text = text
  }

  /// Whether the language is Korean; `kok` is Konkani.
  package var isKorean: Bool { text.prefix(while: \.isLetter) == "ko" }

  package var isUTF8: Bool { ["utf-8", "utf8"].contains { text.lowercased().contains($0) } }
}
