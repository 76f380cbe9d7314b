import Config
import HTTP
import Mapping
import Quotes

/// How a test asks, and what else the world answers.
struct Asked {
  /// Rows of other pairs are dropped.
  var pair: Pair?
  /// Every row is looked at, also where its symbol cannot hold the wanted asset.
  var namesUnsplit = false
  var keys: String?
  var status = 200
  var globalAliases: [String: String] = [:]
  /// The answers of lookups by name. A lookup that is not among them was asked for in vain.
  var lookups: [String: String] = [:]
  var hooks = HookRegistry()
  var arrival: Instant?
  /// 2024-02-29T15:30:00Z: the first of March in Seoul.
  var now = Instant(nanoseconds: 1_709_220_600_000_000_000)

  func state(of lookup: LookupSpec) -> LookupState {
    guard let text = lookups[lookup.name] else { return .failed(TableFailure(.timeout)) }
    do {
      return .table(try LookupTable(lookup, answer: HTTPResponse(body: Array(text.utf8)), hooks: hooks))
    } catch {
      return .failed(error)
    }
  }
}
