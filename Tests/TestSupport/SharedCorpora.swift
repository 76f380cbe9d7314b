#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The optional corpora that live beside a checkout: recorded responses and conformance suites.
///
/// They are other people's data and no part of the project, so every test that wants them asks here and is skipped,
/// visibly, where they are absent. `MARKET_SHARED` names their folder; without it `../shared` is tried.
public enum SharedCorpora {
  /// The folder's path, or nil where there is none.
  public static let root: String? = {
    let environment = getenv("MARKET_SHARED").map { String(cString: $0) }
    let path = environment ?? "../shared"
    return access(path, R_OK) == 0 ? path : nil
  }()

  /// True where the corpora can be read: the condition for `.enabled(if:)`.
  public static var arePresent: Bool { root != nil }
}
