import Quotes
import Terminal
import Testing

@testable import Views

@Suite struct LanguageTests {
  /// Korean counts in units of ten thousand.
  @Test(arguments: [
    ("0", "0", "0"), ("9.87654", "9.877", "9.877"), ("9999", "10.0K", "9999"), ("12345", "12.3K", "1.23만"),
    ("383000", "383K", "38.3만"), ("9876543", "9.88M", "988만"), ("23000000", "23.0M", "2300만"),
    ("1840000000", "1.84B", "18.4억"), ("191234567890", "191B", "1912억"), ("999960000000", "1.00T", "1.00조"),
    ("999949999999", "1.00T", "9999억"), ("-191234567890", "-191B", "-1912억"), ("12345678900000000", "12300T", "12346조"),
  ])
  func amounts(_ value: String, _ english: String, _ korean: String) throws {
    let value = try #require(Decimal(value))
    #expect(Language.english.amount(value) == english)
    #expect(Language.korean.amount(value) == korean)
  }

  @Test func marketsHaveWords() {
    #expect(Market.allCases.map(Language.english.word) == ["spot", "futures"])
    #expect(Market.allCases.map(Language.korean.word) == ["현물", "선물"])
  }

  /// What the terminal would not accept is not called copied.
  @Test func largePicturesAreNotCopied() {
    let fits = String(repeating: "█", count: 18_748)
    for (picture, isCopied) in [(fits, true), (fits + "█", false)] {
      #expect((Language.english.copiedScreen(picture) == "copied the screen") == isCopied)
      #expect((TerminalMessage.copy(picture) != nil) == isCopied)
    }
  }
}
