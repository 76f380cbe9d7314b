package import Files
package import Quotes

/// A cache of lookups that persists across runs: one small file per key.
///
/// The cache never causes a failure: a file that is missing, too old, damaged or written for another key is a miss, and
/// what cannot be stored is not stored. Keys and values must not contain secrets; they are written as they are.
///
///     let table = await cache.locked(key) {
///       if let bytes = cache.get(key, maxAgeSeconds: 86_400, now: now) { return bytes }
///       let bytes = …  // fetch
///       cache.put(key, bytes, now: now)
///       return bytes
///     }
package struct DiskCache: Sendable {
  private let directory: String

  /// Creates a cache in a directory, which is created, accessible only to the user, when something is first stored.
  package init(directory: String) { self.directory = directory }

  /// Returns the value of a key if it was stored at most `maxAgeSeconds` ago, otherwise nil. An age of 0 is
  /// always a miss, and so is a value stored later than `now`.
  package func get(_ key: String, maxAgeSeconds: Int, now: Instant) -> [UInt8]? {
    entry(key, maxAgeSeconds: maxAgeSeconds, now: now)?.value
  }

  /// Returns the value of a key like `get`, with when it was stored.
  package func entry(_ key: String, maxAgeSeconds: Int, now: Instant) -> (value: [UInt8], stored: Instant)? {
    guard let record = record(of: key) else { return nil }
    let (age, overflow) = now.nanoseconds.subtractingReportingOverflow(record.stored.nanoseconds)
    return !overflow && age >= 0 && age / 1_000_000_000 < maxAgeSeconds ? (record.value, record.stored) : nil
  }

  /// Returns the value of a key, regardless of its age and the clock.
  package func latest(_ key: String) -> [UInt8]? { record(of: key)?.value }

  /// Whether there is a file for a key, readable or not.
  package func contains(_ key: String) -> Bool { FileSystem.exists(path(key, "cache")) }

  private func record(of key: String) -> CacheRecord? {
    let record = (try? FileSystem.read(path(key, "cache"))).flatMap { CacheRecord(decoding: $0) }
    return record?.key == key ? record : nil
  }

  /// Stores a value, replacing an older one. Returns whether it was stored.
  ///
  /// - Parameter isDurable: Whether it must survive a power failure, because it cannot be fetched again.
  @discardableResult
  package func put(_ key: String, _ value: [UInt8], now: Instant, isDurable: Bool = false) -> Bool {
    (try? store(key, value, now: now, isDurable: isDurable)) != nil
  }

  /// Stores a value like `put`, and says why it cannot.
  package func store(_ key: String, _ value: [UInt8], now: Instant, isDurable: Bool = false) throws(FileError) {
    try FileSystem.createFolder(directory)
    try FileSystem.writeAtomically(
      CacheRecord(key: key, stored: now, value: value).encoded, to: path(key, "cache"), mode: 0o600,
      isDurable: isDurable)
  }

  /// Stores a value and removes it, to see whether values can be stored.
  package func probe() throws(FileError) {
    try store("", [], now: Instant(nanoseconds: 0))
    try FileSystem.remove(path("", "cache"))
  }

  /// Removes the oldest entries beyond a number and a size.
  ///
  /// - Parameter bytes: The size of all files together.
  package func trim(toEntries count: Int, bytes: Int) {
    let names = (try? FileSystem.names(in: directory)) ?? []
    let files = names.filter { $0.hasSuffix(".cache") }.compactMap { name in
      FileStatus("\(directory)/\(name)").map { (name: name, status: $0) }
    }
    var (entries, size) = (0, 0)
    for file in files.sorted(by: { $0.status.modified > $1.status.modified }) {
      entries += 1
      size += file.status.size
      if entries > count || size > bytes { try? FileSystem.remove("\(directory)/\(file.name)") }
    }
  }

  /// Runs `body` while no other process or task runs one for this key, so that the second one finds what the first has
  /// stored. After `patience`, or if locks are unavailable, it runs anyway.
  package func locked<Value: Sendable, Failure: Error>(
    _ key: String, patience: Duration = .seconds(10),
    _ body: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try? FileSystem.createFolder(directory)
    let lock = await FileLock.acquire(path(key, "lock"), patience: patience)
    defer { lock?.release() }
    return try await body()
  }

  /// Runs `body` like `locked`, but only with the lock: returns nil without running it if `patience` is exceeded.
  package func exclusively<Value: Sendable>(
    _ key: String, patience: Duration = .seconds(10), _ body: @Sendable () async -> Value
  ) async -> Value? {
    try? FileSystem.createFolder(directory)
    guard let lock = await FileLock.acquire(path(key, "lock"), patience: patience) else { return nil }
    defer { lock.release() }
    return await body()
  }

  /// The hash turns any key into a file name; two keys with the same hash share a file and only lose cache hits.
  private func path(_ key: String, _ suffix: String) -> String {
    "\(directory)/\(CacheRecord.hash(key.utf8).hexadecimal(digits: 16)).\(suffix)"
  }

  /// Returns a short hash of a text, to keep the results for different texts apart.
  package static func fingerprint(of text: String) -> String { String(CacheRecord.hash(text.utf8), radix: 16) }

  /// A summary of a cache's contents, for display.
  package struct Survey: Hashable, Sendable {
    package var entries = 0
    /// In bytes.
    package var size = 0
    /// When the oldest and the newest entry were stored; nil for an empty cache.
    package var oldest: Instant?
    package var newest: Instant?
    /// Files without a complete record: harmless misses.
    package var damaged = 0
  }

  /// Reads the headers of all entries.
  ///
  /// - Throws: `FileError` if the directory cannot be listed.
  package static func survey(of directory: String) throws(FileError) -> Survey {
    var survey = Survey()
    for name in try FileSystem.names(in: directory) where name.hasSuffix(".cache") {
      guard let bytes = try? FileSystem.read("\(directory)/\(name)"), let record = CacheRecord(decoding: bytes) else {
        survey.damaged += 1
        continue
      }
      survey.entries += 1
      survey.size += bytes.count
      survey.oldest = min(survey.oldest ?? record.stored, record.stored)
      survey.newest = max(survey.newest ?? record.stored, record.stored)
    }
    return survey
  }
}

/// The contents of one cache file.
///
///     market-cache 1        the format
///     1767225600000000000   when it was stored, nanoseconds since 1970
///     28 5                  lengths of key and value in bytes
///     85944171f73967e8      checksum of key and value together
///     Bitget https://…      the key, immediately followed by the value
struct CacheRecord: Equatable, Sendable {
  var key: String
  var stored: Instant
  var value: [UInt8]

  private static let format = "market-cache 1"
}

extension CacheRecord {
  /// Returns nil for bytes that are not a complete record.
  init?(decoding bytes: [UInt8]) {
    var rest = bytes[...]
    func line() -> Substring? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end - rest.startIndex < 64 else { return nil }
      defer { rest = rest[(end + 1)...] }
      return Substring(decoding: rest[..<end], as: UTF8.self)
    }
    guard line().map(String.init) == Self.format, let stored = line().flatMap({ Int64($0) }),
      let lengths = line()?.split(separator: " ").map({ Int($0) }), lengths.count == 2,
      let keyLength = lengths[0], let valueLength = lengths[1], keyLength >= 0, valueLength >= 0,
      let checksum = line().flatMap({ UInt64($0, radix: 16) }),
      keyLength <= rest.count, valueLength == rest.count - keyLength, Self.hash(rest) == checksum
    else { return nil }
    key = String(decoding: rest.prefix(keyLength), as: UTF8.self)
    self.stored = Instant(nanoseconds: stored)
    value = Array(rest.dropFirst(keyLength))
  }

  var encoded: [UInt8] {
    let content = Array(key.utf8) + value
    let head = """
      \(Self.format)
      \(stored.nanoseconds)
      \(key.utf8.count) \(value.count)
      \(String(Self.hash(content), radix: 16))

      """
    return Array(head.utf8) + content
  }

  /// 64-bit FNV-1a: detects damage and distributes file names; not used for security.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
