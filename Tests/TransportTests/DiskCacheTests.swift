import Files
import HTTP
import Quotes
import TestSupport
import Testing

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct DiskCacheTests {
  static let now = Instant.at("2026-01-01T00:00:00Z")

  @Test func keeps() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: "\(folder.path)/a/b")
    #expect(cache.get("key", maxAgeSeconds: 60, now: Self.now) == nil)
    #expect(cache.put("key", [0, 1, 255, 10], now: Self.now))
    #expect(cache.get("key", maxAgeSeconds: 60, now: Self.now) == [0, 1, 255, 10])
    #expect(cache.get("other", maxAgeSeconds: 60, now: Self.now) == nil)
    #expect(folder.mode("a/b") == 0o700)
    #expect(try folder.files().map { folder.mode($0) } == [0o600])
  }

  @Test func isTrimmed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    var names: Set<String> = []
    for (number, second) in [3, 9, 1, 8, 2].enumerated() {
      cache.put("key \(number)", [0], now: Self.now)
      for name in try folder.files() where names.insert(name).inserted {
        let moment = timeval(tv_sec: 1_000_000 + second, tv_usec: 0)
        #expect(utimes("\(folder.path)/\(name)", [moment, moment]) == 0)
      }
    }
    cache.trim(toEntries: 2, bytes: .max)
    #expect((0..<5).filter { cache.contains("key \($0)") } == [1, 3])
    cache.trim(toEntries: 2, bytes: 1)
    #expect(try folder.files() == [])
  }

  @Test(
    arguments: [
      (0, 60, true), (59, 60, true), (60, 60, false), (-1, 60, false), (0, 0, false), (0, -1, false),
      (1_000_000, .max, true),
    ] as [(Int64, Int, Bool)])
  func ages(_ age: Int64, _ maxAge: Int, _ isHit: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    cache.put("key", [1], now: Self.now)
    #expect((cache.get("key", maxAgeSeconds: maxAge, now: Self.now.advanced(by: .seconds(age))) != nil) == isHit)
  }

  @Test func surveysContents() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try DiskCache.survey(of: folder.path) == DiskCache.Survey())
    let cache = DiskCache(directory: folder.path)
    cache.put("one", [1], now: Self.now)
    let later = Self.now.advanced(by: .seconds(1))
    cache.put("two", [1, 2], now: later)
    try folder.write("no record", to: "0000000000000000.cache")
    let survey = try DiskCache.survey(of: folder.path)
    #expect([survey.entries, survey.damaged] == [2, 1])
    #expect([survey.oldest, survey.newest] == [Self.now, later])
    #expect(throws: FileError.self) { try DiskCache.survey(of: folder.path + "/none") }
  }

  @Test func impossibleClocksAreMisses() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    cache.put("key", [1], now: Instant(nanoseconds: .min))
    #expect(cache.get("key", maxAgeSeconds: 60, now: Instant(nanoseconds: .max)) == nil)
  }

  @Test func emptyValueIsAValue() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    cache.put("", [], now: Self.now)
    #expect(cache.get("", maxAgeSeconds: 1, now: Self.now) == [])
  }

  /// Every prefix of a file, and every file with one byte changed, is a miss or the true value, never another.
  @Test func damageIsAMiss() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    cache.put("key", Array("value".utf8), now: Self.now)
    let name = try #require(try folder.files().first)
    let whole = try FileSystem.read("\(folder.path)/\(name)")
    for length in whole.indices {
      try FileSystem.writeAtomically(Array(whole.prefix(length)), to: "\(folder.path)/\(name)")
      #expect(cache.get("key", maxAgeSeconds: 60, now: Self.now) == nil, "first \(length) bytes")
    }
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1
      try FileSystem.writeAtomically(changed, to: "\(folder.path)/\(name)")
      let value = cache.get("key", maxAgeSeconds: .max, now: Instant(nanoseconds: Self.now.nanoseconds * 2))
      #expect(value == nil || value == Array("value".utf8), "byte \(index)")
    }
    try FileSystem.writeAtomically(whole + [0], to: "\(folder.path)/\(name)")
    #expect(cache.get("key", maxAgeSeconds: 60, now: Self.now) == nil)
  }

  @Test func otherKeyInFileIsAMiss() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    cache.put("key", [1], now: Self.now)
    let name = try #require(try folder.files().first)
    let stranger = CacheRecord(key: "same hash", stored: Self.now, value: [2])
    try FileSystem.writeAtomically(stranger.encoded, to: "\(folder.path)/\(name)")
    #expect(cache.get("key", maxAgeSeconds: 60, now: Self.now) == nil)
  }

  @Test func unwritableCacheIsBypassed() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("", to: "file")
    let cache = DiskCache(directory: "\(folder.path)/file/cache")
    #expect(!cache.put("key", [1], now: Self.now))
    #expect(cache.get("key", maxAgeSeconds: 60, now: Self.now) == nil)
    #expect(await cache.locked("key") { 5 } == 5)
  }

  @Test func hundredConcurrentCallersFetchOnce() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let fetches = Counter()
    await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          // Each with its own cache, like a process.
          let cache = DiskCache(directory: folder.path)
          // On a busy machine even a hundred quick turns take a while.
          return await cache.locked("key", patience: .seconds(120)) {
            if let value = cache.get("key", maxAgeSeconds: 60, now: Self.now) { return value }
            fetches.increment()
            await Task.yield()
            cache.put("key", [7], now: Self.now)
            return cache.get("key", maxAgeSeconds: 60, now: Self.now)
          }
        }
      }
      for await value in group { #expect(value == [7]) }
    }
    #expect(fetches.value == 1)
  }

  @Test func keysDoNotWaitForEachOther() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    let value = await cache.locked("one") { await cache.locked("two") { 2 } }
    #expect(value == 2)
  }

  @Test func waitIsBoundedByPatience() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    let value = await cache.locked("key") { await cache.locked("key", patience: .milliseconds(20)) { 2 } }
    #expect(value == 2)
    // The lock acquired too late was released.
    #expect(await cache.locked("key", patience: .seconds(5)) { 3 } == 3)
  }

  @Test func cancellationEndsTheWait() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    let isCancelled = await cache.locked("key") {
      let second = Task { await cache.locked("key", patience: .seconds(60)) { Task.isCancelled } }
      second.cancel()
      return await second.value
    }
    #expect(isCancelled)
  }

  @Test func errorsPassThroughAndReleaseTheLock() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cache = DiskCache(directory: folder.path)
    var found: TransportError?
    do throws(TransportError) {
      try await cache.locked("key") { () throws(TransportError) in throw .timeout }
    } catch {
      found = error
    }
    #expect(found == .timeout)
    #expect(await cache.locked("key", patience: .seconds(5)) { 1 } == 1)
  }
}
