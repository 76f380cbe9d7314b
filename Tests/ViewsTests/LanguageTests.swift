import Mapping
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

  /// The word after a number depends on how its last digit is read.
  @Test(arguments: [
    ("1400", "1400.00과"), ("1461.51", "1461.51과"), ("1461.52", "1461.52와"), ("1461.53", "1461.53과"),
    ("1461.54", "1461.54와"), ("1461.55", "1461.55와"), ("1461.56", "1461.56과"), ("1461.57", "1461.57과"),
    ("1461.58", "1461.58과"), ("1461.59", "1461.59와"),
  ])
  func particles(_ rate: String, _ text: String) throws {
    let label = RateLabel.unconfirmed(since: try #require(Decimal(rate)))
    #expect(label.explanation(.korean) == "직전 \(text) 차이 큼, 미확인")
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
