package import Config
import Files
package import Quotes
import Transport

/// Checks the size and age of the caches.
package enum CacheCheck {
  /// - Parameter folder: The folder of the caches; nil without a home folder.
  package static func findings(in folder: String?, now: Instant) -> [Finding] {
    guard let folder else {
      return [warning("no home folder, so nothing is kept between runs", help: "set HOME or XDG_CACHE_HOME")]
    }
    guard FileSystem.exists(folder) else { return [notThereYet(folder)] }
    let names: [String]
    do {
      names = try FileSystem.names(in: folder).sorted()
    } catch {
      return [unreadable(folder, error)]
    }
    let folders = names.map { "\(folder)/\($0)" }.filter(FileSystem.isFolder)
    guard !folders.isEmpty else {
      return [FileSystem.isWritable(folder) ? good("nothing is kept in \(folder) yet") : unwritable(folder)]
    }
    let closed = folders.filter { !FileSystem.isWritable($0) }
    return (closed.isEmpty && !FileSystem.isWritable(folder) ? [folder] : closed).map(unwritable)
      + folders.map { finding(of: $0, now: now) }
  }

  private static func finding(of folder: String, now: Instant) -> Finding {
    let survey: DiskCache.Survey
    do {
      survey = try DiskCache.survey(of: folder)
    } catch {
      return unreadable(folder, error)
    }
    var text = "\(folder): \(survey.entries.counted("entry", plural: "entries")), \(size(survey.size))"
    if let oldest = survey.oldest, let newest = survey.newest {
      text += ", from \(age(oldest, now)) to \(age(newest, now)) old"
      // Entries from the future are never used.
      if newest.isAhead(of: now) {
        return warning(
          "\(text); the newest was stored in the future",
          help: "the clock was wrong then or is wrong now; these answers are fetched again")
      }
    }
    guard survey.damaged > 0 else { return good(text) }
    return warning(
      "\(text); \(survey.damaged) damaged",
      help: "they are fetched again; to delete them: rm -r '\(folder)'")
  }

  /// Checks a folder that will be created on demand; the nearest existing one decides whether that is possible.
  private static func notThereYet(_ folder: String) -> Finding {
    var above = folder
    while !above.isEmpty, !FileSystem.exists(above) {
      guard let slash = above.lastIndex(of: "/") else { break }
      above = String(above[..<slash])
    }
    if above.isEmpty { above = "/" }
    guard FileSystem.isFolder(above) else {
      return warning(
        "\(folder) cannot be created, since \(above) is not a folder: nothing is kept between runs",
        help: "set HOME or XDG_CACHE_HOME to a folder of your own")
    }
    guard FileSystem.isWritable(above) else {
      return warning(
        "\(folder) cannot be created, since \(above) is not writable: nothing is kept between runs",
        help: "set XDG_CACHE_HOME to a folder of your own")
    }
    return good("nothing is kept in \(folder) yet")
  }

  private static func unwritable(_ folder: String) -> Finding {
    warning(
      "\(folder) is not writable: nothing new is kept between runs",
      help: "chmod u+rwx '\(folder)', or set XDG_CACHE_HOME to a folder of your own")
  }

  private static func unreadable(_ folder: String, _ error: FileError) -> Finding {
    warning(
      "\(error): every run requests everything again",
      help: "make '\(folder)' readable and writable: chmod u+rwx '\(folder)'")
  }

  private static func good(_ text: String) -> Finding { Finding(.cache, .cacheFolder, .ok, text) }

  private static func warning(_ text: String, help: String) -> Finding {
    Finding(.cache, .cacheFolder, .warning, text, help: help)
  }

  private static func age(_ stored: Instant, _ now: Instant) -> String {
    ClockText.age(nanoseconds: max(0, now.nanoseconds(since: stored)))
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(bytes) bytes"
    case ..<10_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }
}
