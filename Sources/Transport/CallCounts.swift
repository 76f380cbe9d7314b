import HTTP
import JSON
import Quotes

/// The calls made to each host with each secret, this UTC day and this UTC month. A single record for everything, so
/// that configs that name their providers differently still share the counts.
struct CallCounts: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let host: String
    /// Distinguishes secrets without revealing them; empty if there is none.
    let mark: String
    var day: String
    var callsOfDay: Int
    var month: String
    var callsOfMonth: Int
  }

  private(set) var entries: [Entry] = []

  static let key = "calls by host and secret"
  /// More secrets than anyone has; the oldest are dropped.
  private static let maximumEntries = 256

  /// Returns the highest number of calls to any of these hosts with any of these secrets in the period that contains
  /// `now`; nil if none was ever recorded.
  ///
  /// - Parameter marks: The marks of the secrets; nil for any secret.
  func calls(to hosts: [String], with marks: [String]?, in period: CallRule.Budget.Period, now: Instant) -> Int? {
    let name = period.name(of: now)
    return entries.filter { hosts.contains($0.host) && marks?.contains($0.mark) != false }.map { entry in
      switch period {
      case .day: entry.day == name ? entry.callsOfDay : 0
      case .month: entry.month == name ? entry.callsOfMonth : 0
      }
    }.max()
  }

  mutating func add(_ count: Int, to hosts: [String], with marks: [String], now: Instant) {
    let (day, month) = (CallRule.Budget.Period.day.name(of: now), CallRule.Budget.Period.month.name(of: now))
    for host in hosts {
      for mark in marks {
        let index = entries.firstIndex { $0.host == host && $0.mark == mark }
        var entry =
          index.map { entries.remove(at: $0) }
          ?? Entry(host: host, mark: mark, day: day, callsOfDay: 0, month: month, callsOfMonth: 0)
        if entry.day != day { (entry.day, entry.callsOfDay) = (day, 0) }
        if entry.month != month { (entry.month, entry.callsOfMonth) = (month, 0) }
        entry.callsOfDay = max(0, entry.callsOfDay + count)
        entry.callsOfMonth = max(0, entry.callsOfMonth + count)
        entries.append(entry)
      }
    }
    if entries.count > Self.maximumEntries { entries.removeFirst(entries.count - Self.maximumEntries) }
  }
}

extension CallCounts {
  /// Reads the record; nil if it is damaged, so the number of calls is unknown.
  init?(in cache: DiskCache) {
    guard let bytes = cache.latest(Self.key) else {
      if cache.contains(Self.key) { return nil }
      return
    }
    guard let document = try? JSONDocument(parsing: bytes) else { return nil }
    for node in document.root.elements {
      guard let host = node["host"]?.string, let mark = node["mark"]?.string, let day = node["day"]?.string,
        let month = node["month"]?.string, let callsOfDay = Self.count(node["callsOfDay"]),
        let callsOfMonth = Self.count(node["callsOfMonth"])
      else { return nil }
      entries.append(
        Entry(host: host, mark: mark, day: day, callsOfDay: callsOfDay, month: month, callsOfMonth: callsOfMonth))
    }
  }

  /// Returns a number of calls or failures; nil for anything else, and for more than there can be.
  static func count(_ node: JSONNode?) -> Int? {
    node?.numberText.flatMap { Int($0) }.flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
  }

  /// Returns whether the record was written durably, so that it survives a power failure.
  func write(to cache: DiskCache, now: Instant) -> Bool {
    let json = JSONValue.list(entries) { entry in
      [
        "host": .string(entry.host), "mark": .string(entry.mark), "day": .string(entry.day),
        "callsOfDay": .integer(entry.callsOfDay), "month": .string(entry.month),
        "callsOfMonth": .integer(entry.callsOfMonth),
      ]
    }
    return cache.put(Self.key, json.written(indent: 1), now: now, isDurable: true)
  }
}

extension HTTPRequest {
  /// The hosts that the request may call, without duplicates.
  var hosts: [String] { urls.map { HostName(of: $0).text }.unique }

  /// A mark for each secret: sixteen bits are enough to tell secrets apart and too few to reveal them.
  var secretMarks: [String] {
    let marks = secrets.filter { !$0.isEmpty }.map { secret in
      let hash = CacheRecord.hash(secret.utf8)
      return String((hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff, radix: 16)
    }
    return marks.isEmpty ? [""] : marks.unique
  }
}
