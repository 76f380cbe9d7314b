import Config
import Testing

@Suite struct UTCOffsetTests {
  @Test(
    arguments: [
      ("+09:00", 32_400), ("-05:30", -19_800), ("+00:00", 0), ("Z", 0), ("UTC", 0), ("+14:00", 50_400), ("+14:60", nil),
      ("+15:00", nil), ("+-9:00", nil), ("--9:00", nil), ("-+9:00", nil), ("+05:-5", nil), ("+ 5:00", nil),
      ("09:00", nil),
      ("+0900", nil), ("", nil), ("+0९:00", nil),
    ] as [(String, Int?)])
  func seconds(_ text: String, _ expected: Int?) { #expect(UTCOffset.seconds(text) == expected) }
}
