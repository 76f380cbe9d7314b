package import Quotes

/// What came back from an exchange.
package struct Answer: Sendable, Equatable {
  package let status: Int
  package let body: [UInt8]
  /// nil when it is not known: a file given by hand.
  package let arrival: Instant?

  package init(status: Int = 200, body: [UInt8], arrival: Instant?) {
    self.status = status
    self.body = body
    self.arrival = arrival
  }
}
