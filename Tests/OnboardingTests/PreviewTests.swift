import Quotes
import Testing

@testable import Onboarding

/// Numbers in previews: as sent, or cut to what a person reads.
@Suite struct PreviewTests {
  @Test(arguments: [
    ("65001.50", "65001.50"), ("0.00000000004959341234", "0.00000000004959341234"),
    ("2.4570243216869909967411517052184533052", "2.45702432169"),
    ("-0.3333333333333333333333333333", "-0.333333333333"),
  ])
  func digits(_ sent: String, _ shown: String) throws {
    #expect(try #require(Decimal(sent)).preview == shown)
  }
}
