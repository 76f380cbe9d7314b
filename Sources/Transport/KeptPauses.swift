import HTTP
import Quotes

/// The pauses that hosts have asked for (`Retry-After`), for later runs: a ban does not end with the program that
/// earned it.
///
/// There is one small file per host. It is written when a host asks for more than a few seconds, and read before a
/// signed request: whoever pays no heed to a ban prolongs it. What is damaged, or cannot be meant, is as good as absent.
package struct KeptPauses: Sendable {
  private let files: DiskCache

  /// Shorter pauses are over before another run could begin.
  static let minimum: Int64 = 5 * 1_000_000_000

  /// A pause as it is kept.
  struct Kept: Hashable, Sendable {
    let end: Instant
    /// The status of the answer that asked for it.
    let status: Int
  }

  /// - Parameter folder: `$XDG_STATE_HOME/market/pauses`; created when first needed, accessible only to its owner.
  package init(in folder: String) { files = DiskCache(directory: folder) }

  /// Returns the pause that a host is in.
  func pause(of host: HostName, at now: Instant) -> Kept? {
    guard let bytes = files.latest(Self.name(of: host)) else { return nil }
    let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").map { Int64($0) }
    guard numbers.count == 2, let end = numbers[0].map({ Instant(nanoseconds: $0) }), let status = numbers[1],
      400...599 ~= status
    else { return nil }
    // One that is longer was kept by a clock that was ahead.
    let isPossible = 1...RateLimiter.Pause.maximumPause ~= end.nanoseconds(since: now)
    return isPossible ? Kept(end: end, status: Int(status)) : nil
  }

  /// Keeps a pause, unless it is short or a longer one is known.
  ///
  /// - Parameters:
  ///   - wish: Its length in nanoseconds.
  ///   - now: Its beginning.
  func keep(_ wish: Int64, status: Int, of host: HostName, at now: Instant) {
    guard wish > Self.minimum else { return }
    let end = now.advanced(by: .nanoseconds(min(wish, RateLimiter.Pause.maximumPause)))
    if let known = pause(of: host, at: now), known.end >= end { return }
    files.put(Self.name(of: host), Array("\(end.nanoseconds) \(status)".utf8), now: now)
  }

  private static func name(of host: HostName) -> String { "pause of \(host.text)" }
}
