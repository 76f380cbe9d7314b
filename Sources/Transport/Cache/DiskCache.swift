import Files

/// Answers of lookups that are kept across runs: one small file a key.
///
/// A cache is never a reason to fail: a file that is missing, too old, damaged or of another key is a miss, and what
/// cannot be stored is not stored. Keys and values must hold no secrets; they are written as they are.
///
///     let table = await cache.locked(key) {
///       if let bytes = cache.get(key, maxAgeSeconds: 86_400, now: now) { return bytes }
///       let bytes = …  // fetch
///       cache.put(key, bytes, now: now)
///       return bytes
///     }
package struct DiskCache: Sendable {
  private let directory: String

  /// A cache in a directory, which is made, for the user alone, when there is something to store.
  package init(directory: String) {
    self.directory = directory
  }

  /// The value of a key, if it was stored at most `maxAgeSeconds` ago; nil for anything else. `now` is in nanoseconds
  /// since 1970. An age of 0 is always a miss, and so is a value that was stored later than now.
  package func get(_ key: String, maxAgeSeconds: Int, now: Int64) -> [UInt8]? {
    guard maxAgeSeconds > 0, let bytes = try? FileSystem.read(path(key, "cache")),
      let record = CacheRecord(decoding: bytes), record.key == key
    else { return nil }
    let (age, overflow) = now.subtractingReportingOverflow(record.stored)
    guard !overflow, age >= 0, age / 1_000_000_000 < maxAgeSeconds else { return nil }
    return record.value
  }

  /// The value of a key, however old and whatever the clock says.
  package func latest(_ key: String) -> [UInt8]? {
    guard let bytes = try? FileSystem.read(path(key, "cache")), let record = CacheRecord(decoding: bytes),
      record.key == key
    else { return nil }
    return record.value
  }

  /// Stores a value in the place of an older one, unless it is to be kept for no time at all. Returns whether it is
  /// stored.
  ///
  /// - Parameter isDurable: whether it must outlive a power cut: what cannot be fetched again.
  @discardableResult
  package func put(
    _ key: String, _ value: [UInt8], maxAgeSeconds: Int = .max, now: Int64, isDurable: Bool = false
  ) -> Bool {
    guard maxAgeSeconds > 0 else { return false }
    do throws(FileError) {
      try FileSystem.createFolder(directory)
      try FileSystem.writeAtomically(
        CacheRecord(key: key, stored: now, value: value).encoded, to: path(key, "cache"), mode: 0o600,
        isDurable: isDurable)
      return true
    } catch {
      return false
    }
  }

  /// Runs `body` while no other process and no other task runs one for this key, so that who comes second finds what
  /// the first has stored. After `patience`, and where locks cannot be had, it runs all the same.
  package func locked<Value: Sendable, Failure: Error>(
    _ key: String, patience: Duration = .seconds(10),
    _ body: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try? FileSystem.createFolder(directory)
    let lock = await FileLock.acquire(path(key, "lock"), patience: patience)
    defer { lock?.release() }
    return try await body()
  }

  /// Runs `body` as `locked` does, but only with the lock: nil, and nothing run, where it is not had within `patience`.
  package func exclusively<Value: Sendable>(
    _ key: String, patience: Duration = .seconds(10), _ body: @Sendable () async -> Value
  ) async -> Value? {
    try? FileSystem.createFolder(directory)
    guard let lock = await FileLock.acquire(path(key, "lock"), patience: patience) else { return nil }
    defer { lock.release() }
    return await body()
  }

  /// The hash makes a file name of any key; two keys of one hash share a file and only cost each other their hits.
  private func path(_ key: String, _ suffix: String) -> String {
    let hash = String(CacheRecord.hash(key.utf8), radix: 16)
    return "\(directory)/\(String(repeating: "0", count: 16 - hash.count))\(hash).\(suffix)"
  }
}
