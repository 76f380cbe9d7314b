#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The optional corpora beside a checkout: recorded responses and conformance suites.
///
/// They are other people's data and not part of the project, so tests that need them check here and are visibly skipped
/// if they are absent. `MARKET_SHARED` names their folder; without it `../shared` is tried.
public enum SharedCorpora {
  /// The folder's path; nil if there is none.
  public static let root: String? = {
    let environment = getenv("MARKET_SHARED").map { String(cString: $0) }
    let path = environment ?? "../shared"
    return access(path, R_OK) == 0 ? path : nil
  }()

  /// Whether the corpora can be read: the condition for `.enabled(if:)`.
  public static var arePresent: Bool { root != nil }
}
