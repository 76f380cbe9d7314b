import Files
import Quotes
import Transport

/// How full and how old the caches are.
enum CacheCheckup {
  static func checkups(in context: Context) -> [Checkup] {
    guard let folder = context.paths.cache else {
      return [
        Checkup(.cache, .warning, "no home folder, so nothing is kept between runs", help: "set HOME or XDG_CACHE_HOME")
      ]
    }
    guard FileSystem.exists(folder) else { return [Checkup(.cache, .ok, "nothing is kept yet in \(folder)")] }
    let names: [String]
    do {
      names = try FileSystem.names(in: folder).sorted()
    } catch {
      return [unreadable(folder, error)]
    }
    let folders = names.map { "\(folder)/\($0)" }.filter(FileSystem.isFolder)
    guard !folders.isEmpty else { return [Checkup(.cache, .ok, "nothing is kept yet in \(folder)")] }
    return folders.map { checkup(of: $0, now: context.now()) }
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

  private static func unreadable(_ folder: String, _ error: FileError) -> Checkup {
    Checkup(
      .cache, .warning, "\(error): every run asks for everything anew",
      help: "make '\(folder)' readable and writable for you: chmod u+rwx '\(folder)'")
  }

  private static func age(_ stored: Int64, _ now: Instant) -> String {
    AgeText.of(seconds: max(0, now.nanoseconds(since: Instant(nanoseconds: stored))) / 1_000_000_000)
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(bytes) bytes"
    case ..<10_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }
}
