import Files
import Quotes
import Transport
import Views

/// How full and how old the caches are.
enum CacheCheckup {
  static func checkups(in context: Context) -> [Checkup] {
    guard let folder = context.paths.cache else {
      return [
        Checkup(.cache, .warning, "no home folder, so nothing is kept between runs", help: "set HOME or XDG_CACHE_HOME")
      ]
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
      return [
        FileSystem.isWritable(folder) ? Checkup(.cache, .ok, "nothing is kept yet in \(folder)") : unwritable(folder)
      ]
    }
    let closed = folders.filter { !FileSystem.isWritable($0) }
    return (closed.isEmpty && !FileSystem.isWritable(folder) ? [folder] : closed).map(unwritable)
      + folders.map { checkup(of: $0, now: context.now()) }
  }

  private static func checkup(of folder: String, now: Instant) -> Checkup {
    let survey: DiskCache.Survey
    do {
      survey = try DiskCache.survey(of: folder)
    } catch {
      return unreadable(folder, error)
    }
    var text = "\(folder): \(survey.entries) \(survey.entries == 1 ? "entry" : "entries"), \(size(survey.size))"
    if let oldest = survey.oldest, let newest = survey.newest {
      text += ", from \(age(oldest, now)) to \(age(newest, now)) old"
      // What comes out of the future is never used.
      if newest > now.nanoseconds + 60_000_000_000 {
        return Checkup(
          .cache, .warning, "\(text); the newest was stored after the present time",
          help: "the clock was wrong then or is now; what lies there is fetched again")
      }
    }
    guard survey.damaged > 0 else { return Checkup(.cache, .ok, text) }
    return Checkup(
      .cache, .warning, "\(text); \(survey.damaged) damaged",
      help: "they are fetched again; to be rid of them: rm -r '\(folder)'")
  }

  /// A folder that will be made when it is needed: whether that is possible says the nearest one that there is.
  private static func notThereYet(_ folder: String) -> Checkup {
    var above = folder
    while !above.isEmpty, !FileSystem.exists(above) {
      guard let slash = above.lastIndex(of: "/") else { break }
      above = String(above[..<slash])
    }
    if above.isEmpty { above = "/" }
    guard folder.hasPrefix("/") else {
      return Checkup(
        .cache, .warning, "\(folder) is no absolute path: what is kept there is found from one folder alone",
        help: "set HOME or XDG_CACHE_HOME to a path that begins with /")
    }
    guard FileSystem.isFolder(above) else {
      return Checkup(
        .cache, .warning, "\(folder) cannot be made, for \(above) is no folder: nothing is kept between runs",
        help: "set HOME or XDG_CACHE_HOME to a folder of yours")
    }
    guard FileSystem.isWritable(above) else {
      return Checkup(
        .cache, .warning, "\(folder) cannot be made, for \(above) cannot be written: nothing is kept between runs",
        help: "set XDG_CACHE_HOME to a folder of yours")
    }
    return Checkup(.cache, .ok, "nothing is kept yet in \(folder)")
  }

  private static func unwritable(_ folder: String) -> Checkup {
    Checkup(
      .cache, .warning, "\(folder) cannot be written: nothing new is kept between runs",
      help: "chmod u+rwx '\(folder)', or set XDG_CACHE_HOME to a folder of yours")
  }

  private static func unreadable(_ folder: String, _ error: FileError) -> Checkup {
    Checkup(
      .cache, .warning, "\(error): every run asks for everything anew",
      help: "make '\(folder)' readable and writable for you: chmod u+rwx '\(folder)'")
  }

  private static func age(_ stored: Int64, _ now: Instant) -> String {
    ClockText.age(nanoseconds: max(0, now.nanoseconds(since: Instant(nanoseconds: stored))))
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(bytes) bytes"
    case ..<10_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }
}
