import HTTP
import Quotes
import Testing

@testable import Cassettes
@testable import Transport

@Suite struct TransportErrorTests {
  static let texts: [(TransportError, sentence: String, cassette: String)] = [
    (.timeout, "no answer in time", "timeout"),
    (.cannotResolve("a.com"), "cannot resolve 'a.com'", "cannot-resolve a.com"),
    (.cannotConnect("a.com:443"), "cannot connect to a.com:443", "cannot-connect a.com:443"),
    (.tooManyFiles, "too many files are open at once; run: ulimit -n 4096", "too-many-files"),
    (.tls("a.com:443: expired"), "no secure connection: a.com:443: expired", "tls a.com:443: expired"),
    (.tooLarge(limit: 64), "the answer is longer than 64 bytes", "too-large 64"),
    (.redirectRefused("to http"), "redirect refused: to http", "redirect-refused to http"),
    (.badEncoding, "the answer's compression is unknown or damaged", "bad-encoding"),
    (.brokenOff("early"), "connection lost: early", "broken-off early"),
    (.notInCassette("GET x"), "no recording of GET x", "not-in-cassette GET x"),
    (.cancelled, "cancelled", "cancelled"),
    (.notSent(reason: .noSecret, "no key"), "no key", "not-sent no-secret no key"),
    (.notSent(reason: .noRequest, "no value"), "no value", "not-sent no-request no value"),
    (.other("who knows"), "who knows", "other who knows"),
    (.other(""), "", "other"),
  ]

  @Test(arguments: texts) func spellings(_ error: TransportError, _ sentence: String, _ cassette: String) {
    #expect(error.description == sentence)
    #expect(error.cassetteText == cassette)
    #expect(TransportError(cassetteText: cassette) == error)
  }

  @Test(arguments: [
    "", "Timeout", "timeout 5", "too-many-files 9", "too-large", "too-large much", "not-sent x", "not-sent x no key",
    "not-sent clock", "http-404",
  ])
  func otherTextsAreNotFailures(_ text: String) { #expect(TransportError(cassetteText: text) == nil) }
}
