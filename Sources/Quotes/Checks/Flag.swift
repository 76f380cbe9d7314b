/// A warning about a row.
package struct Flag: Sendable, Hashable {
  /// The kind of check. Raw values are printed and written to JSON, so they never change.
  package enum Kind: String, Sendable, CaseIterable {
    case range, change, turnover, stale, identity, duplicate
    case bidAsk = "bid-ask"
    /// The price is clearly outside of its own offers, which are close together.
    case offers
    /// There is no trading any more.
    case dead
    /// A time was sent but cannot be read.
    case time
    /// The row is structured differently from the others.
    case malformed
  }

  /// What may have gone wrong, or would fix it.
  package enum Advice: Sendable, Hashable {
    /// The change fits if its decimal point is moved by `power` places.
    case scale(power: Int)
    case otherSign
    /// The change fits with the other sign, but only a range says so: the price may be another one instead.
    case otherSignOrPrice
    case otherOpen
    /// Volume and turnover are swapped.
    case swapped
    case otherUnit(factor: Decimal)
    case otherCurrency
    case timeUnit
    /// The price is of an old trade, or not the last one.
    case oldOrOtherPrice

    package var text: String {
      switch self {
      case .scale(let power): "scale it by \(Decimal(1).scaledByPowerOfTen(power).shortest)"
      case .otherSign: "the sign is inverted"
      case .otherSignOrPrice: "is the sign wrong, or is the price not the last one?"
      case .otherOpen: "is it measured from another open?"
      case .swapped: "volume and turnover look swapped"
      case .otherUnit(let factor): "off by a factor of \(factor): wrong unit or contract size"
      case .otherCurrency: "contract size, or another currency?"
      case .timeUnit: "check unit and zone"
      case .oldOrOtherPrice: "is it of an old trade, or not the last price?"
      }
    }
  }

  package var kind: Kind
  /// The finding, with the numbers.
  package var fact: Fact
  package var advice: Advice?
  /// Whether the row is left out of every headline (largest premium, disparity).
  package var excludes: Bool
  /// Whether only the whole table shows it: messages about the row do not refute it.
  package var isOfTable = false
  /// What led to it; nil if there is nothing else to say than its own code.
  package var cause: Cause?

  /// Why a row is stale.
  package enum Cause: Sendable, Hashable {
    /// Its feed fails.
    case failing(Missing)
    /// Its feed is not asked.
    case inactive(InactiveReason)

    /// `http-503`, `paused`
    package var code: String {
      switch self {
      case .failing(let reason): reason.code
      case .inactive(let reason): reason.rawValue
      }
    }
  }

  package init(_ kind: Kind, _ fact: Fact, advice: Advice? = nil, excludes: Bool = true) {
    (self.kind, self.fact, self.advice, self.excludes) = (kind, fact, advice, excludes)
  }

  /// The stable name of the finding: `range`, `bid-ask`.
  package var code: String { kind.rawValue }

  /// The code that people and programs read as the reason why a row is left out: the cause, or else its own code.
  package var reason: String { cause?.code ?? code }

  /// One sentence, in lower case without a final period.
  package var message: String { "\(fact)" + (advice.map { ": \($0.text)" } ?? "") }
}

extension [Flag] {
  /// The code of each kind, once.
  package var codes: [String] { map(\.code).unique }

  /// The messages of each kind: a row may have several flags of one, such as a price and an open outside of the range.
  package var messagesByCode: [(code: String, message: String)] {
    codes.map { code in
      (code, filter { $0.code == code }.map(\.message).joined(separator: "; "))
    }
  }
}
