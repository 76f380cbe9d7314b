import Asking
import Quotes
import Testing

@testable import Shell

/// Values of options as people type them.
@Suite struct TypedValueTests {
  private static func words(_ option: Option, _ text: String) -> Invocation {
    let command = Command(
      name: "sample", summary: "a sample", examples: [], options: [option], work: .immediate { _, _ in .answer })
    return Invocation(command: command, arguments: [:], optionValues: [option.name: [text]])
  }

  /// A number without a unit is of seconds, as in `--timeout`.
  @Test(
    arguments: [
      ("60", 60_000), ("10s", 10_000), ("500ms", 500), ("5m", 300_000), ("0", 0), ("+5", nil), ("-5", nil),
      ("+5s", nil),
      ("5x", nil), ("", nil), ("s", nil), ("1.5", nil), ("99999999", nil),
    ] as [(String, Int?)])
  func durations(_ text: String, _ milliseconds: Int?) {
    let option = Option("for", value: "TIME", help: "stop after this long")
    let found = try? Self.words(option, text).milliseconds(of: option, such: "60s or 5m")
    #expect(found == milliseconds)
  }

  @Test(
    arguments: [
      ("+09:00", 32_400), ("+9", 32_400), ("+09", 32_400), ("+0900", 32_400), ("-5", -18_000), ("-0530", -19_800),
      ("kst", 32_400), ("UTC", 0), ("Z", 0), ("9", nil), ("+900", nil), ("+15", nil), ("+9:00", nil), ("+0960", nil),
      ("+", nil), ("", nil), ("+x", nil), ("Asia/Seoul", nil),
    ] as [(String, Int?)])
  func zones(_ text: String, _ seconds: Int?) {
    let found = try? Self.words(.zone, text).zone()
    #expect(found?.offsetSeconds == seconds)
  }
}
