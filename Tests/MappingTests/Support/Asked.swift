import Config
import HTTP
import Mapping
import Quotes

/// How a test queries a table, and how the rest of the world responds.
struct Asked {
  /// The wanted pair; rows of other pairs are dropped.
  var pair: Pair?
  /// Whether every row is examined, even if its symbol cannot contain the wanted asset.
  var namesUnsplit = false
  var keys: String?
  var status = 200
  var globalAliases: [String: String] = [:]
  /// The responses of lookups, by name. The requests of missing ones fail.
  var lookups: [String: String] = [:]
  var hooks = HookRegistry()
  var arrival: Instant?
  /// 2024-02-29T15:30:00Z, which is the first of March in Seoul.
  var now = Instant(nanoseconds: 1_709_220_600_000_000_000)

  func state(of lookup: LookupSpec) -> LookupState {
    guard let text = lookups[lookup.name] else { return .failed(AnswerFailure(.timeout)) }
    do {
      return .table(try LookupTable(lookup, answer: HTTPResponse(body: Array(text.utf8)), hooks: hooks))
    } catch {
      return .failed(error)
    }
  }
}
