import Files
import Quotes
import Views

/// Writes a live view's contents to a new file.
enum NewFile {
  /// - Parameter zone: The zone of the time in the name: `market-watch-2026-11-18-141207.txt`.
  /// - Returns: A message about the outcome for the user.
  static func write(_ saved: SavedView, zone: ClockZone, at now: Instant, _ language: Language) -> String {
    let stamp = "\(zone.day(now))-\(zone.clock(now))".filter { $0.isNumber || $0 == "-" }
    let names = ["", "-2", "-3", "-4", "-5"].map { "market-\(saved.subject)-\(stamp)\($0).\(saved.form.rawValue)" }
    guard let name = names.first(where: FileSystem.isAbsent) else {
      return language("nothing saved: \(names[0]) already exists", "저장 안 함: \(names[0]) 파일이 이미 있음")
    }
    do {
      try FileSystem.writeAtomically(saved.bytes, to: name, mode: saved.isPrivate ? 0o600 : 0o644)
      return language("saved \(name)", "저장함: \(name)")
    } catch {
      return "\(error)"
    }
  }
}
