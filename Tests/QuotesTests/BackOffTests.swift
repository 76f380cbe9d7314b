import Quotes
import Testing

@Suite struct BackOffTests {
  struct Case: Sendable {
    let waits: BackOff
    let failures: Int
    let seconds: Int
  }

  @Test(arguments: [
    Case(waits: BackOff(1, 5, 15, 60), failures: 1, seconds: 1),
    Case(waits: BackOff(1, 5, 15, 60), failures: 2, seconds: 5),
    Case(waits: BackOff(1, 5, 15, 60), failures: 4, seconds: 60),
    Case(waits: BackOff(1, 5, 15, 60), failures: 5, seconds: 60),
    Case(waits: BackOff(1, 5, 15, 60), failures: .max, seconds: 60),
    // Nothing has failed.
    Case(waits: BackOff(1, 5, 15, 60), failures: 0, seconds: 0),
    Case(waits: BackOff(1, 5, 15, 60), failures: -1, seconds: 0),
    Case(waits: BackOff(), failures: 3, seconds: 0),
  ])
  func waitsLongerAfterEachFailure(_ example: Case) {
    #expect(example.waits.seconds(after: example.failures) == example.seconds)
  }
}
