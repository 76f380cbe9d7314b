package import Files

extension DiskCache {
  /// How a cache is filled, for people.
  package struct Survey: Hashable, Sendable {
    package var entries = 0
    /// In bytes.
    package var size = 0
    /// When the oldest and the newest were stored, in nanoseconds since 1970; nil for an empty cache.
    package var oldest: Int64?
    package var newest: Int64?
    /// Files that hold no whole record: misses, and no harm.
    package var damaged = 0
  }

  /// Reads the heads of all entries.
  ///
  /// - Throws: `FileError` where the folder cannot be listed.
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
