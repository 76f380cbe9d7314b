extension Flag {
  /// What was found, with the numbers: put into words only when it is shown, in English here.
  ///
  /// Computed numbers are rounded as they are shown, so that a flag is another one only if it reads otherwise.
  ///
  /// Boxed, since every check of every row returns a place for a flag, which hardly any has.
  package indirect enum Fact: Sendable, Hashable {
    /// A figure that is too large or too small for another one of its row.
    case figure(Figure, Decimal, Relation, Figure, Decimal)
    /// A figure that should lie between the low and the high.
    case outside(Figure, Decimal, low: Decimal, high: Decimal)
    /// A price above the ask or below the bid by some percent.
    case outsideOffers(price: Decimal, percent: Decimal?, Figure, Decimal)
    /// A fall by everything, or by more.
    case fall(change: Decimal)
    /// The open implied by a change should lie between the low and the high.
    case impliedOpen(change: Decimal, open: Decimal?, low: Decimal, high: Decimal)
    /// A change and the one from the open to the price.
    case otherChange(sent: Decimal, computed: Decimal?)
    /// A change and that of others at the same price.
    case unlikeOthers(change: Decimal, others: Decimal)
    case belowZero(Figure, Decimal)
    /// One of volume and turnover is zero, and the other is not.
    case zeroBeside(Figure, Figure, Decimal)
    case notTraded
    /// The average price of all that was traded should lie between low and high.
    case averageOutside(Decimal, low: Decimal, high: Decimal)
    /// The average price of all that was traded is more than twice the price, or less than half of it.
    case averageFar(Decimal, price: Decimal, UnusableRange)
    case unreadTime
    case futureTime(nanoseconds: Int64)
    case old(Dated, nanoseconds: Int64, limitMilliseconds: Int)
    case unconfirmed(Lapse)
    /// That many of all rows of a table fall by everything, or by more.
    case falls(Int, of: Int)
    /// The changes of that many of all rows of a table are small for their ranges.
    case smallChanges(Int, of: Int)
    case repeatedPair
    case fewerElements(Int, usual: Int)
    case repeatedMember
    /// A price that is about a power of ten times another one.
    case multiple(price: Decimal, factor: Decimal, of: Reference)
    /// A price further from another one than a limit.
    case far(price: Decimal, percent: Decimal, from: Reference)
    /// An official rate and the price of a dollar token that cannot both be the price of a dollar.
    case ratesApart(official: Decimal, token: Decimal)
    /// Sizes are computed with a contract size that other figures of the pair put in doubt.
    case contractSize
  }

  /// A figure of a row, by its name in English.
  package enum Figure: String, Sendable, Hashable {
    case price, open, low, high, bid, ask, volume, turnover
  }

  /// How one figure compares with another.
  package enum Relation: Sendable, Hashable {
    case above, overTwice, underHalf, overTenTimes, underTenth
    /// Beyond the tolerance of half a percent.
    case clearlyAbove, clearlyBelow

    fileprivate var text: String {
      switch self {
      case .above: "above"
      case .overTwice: "more than twice"
      case .underHalf: "less than half of"
      case .overTenTimes: "more than ten times"
      case .underTenth: "less than a tenth of"
      case .clearlyAbove: "more than 0.5 % above"
      case .clearlyBelow: "more than 0.5 % below"
      }
    }
  }

  /// Why an average is not compared with low and high.
  package enum UnusableRange: Sendable, Hashable {
    case missing
    case ofUnknownBasis
    case of(ChangeBasis)
  }

  /// What a time belongs to.
  package enum Dated: String, Sendable, Hashable {
    case quote
    case lastTrade = "last trade"
    case orderBook = "order book"
    case answer
  }

  /// A price that another one is compared with.
  package enum Reference: Sendable, Hashable {
    case median(Decimal)
    /// The nearer of two middle prices that cannot be of one coin.
    case nearerMiddle(Decimal)
    case exchange(String, Decimal)
    case ownSpot(Decimal)
    /// The official rate.
    case official(Decimal)

    fileprivate var text: String {
      switch self {
      case .median(let price): "the median \(price.readable) of the others"
      case .nearerMiddle(let price): "the nearer middle price \(price.readable) of the others"
      case .exchange(let name, let price): "\(name)'s \(price.readable)"
      case .ownSpot(let price): "the exchange's own spot price \(price.readable)"
      case .official(let rate): "the official rate \(rate.readable)"
      }
    }
  }
}

extension Flag.Fact: CustomStringConvertible {
  package var description: String {
    switch self {
    case .figure(let figure, let value, let relation, let other, let bound):
      "\(figure) \(value) is \(relation.text) the \(other) \(bound)"
    case .outside(let figure, let value, let low, let high): "\(figure) \(value) is outside low \(low) to high \(high)"
    case .outsideOffers(let price, let percent, let figure, let offer):
      "price \(price) is \(percent?.fixedText(places: 1) ?? "more") % "
        + "\(figure == .ask ? "above" : "below") the \(figure) \(offer)"
    case .fall(let change): "change \(change.signedText) %: no price falls by 100 % or more"
    case .impliedOpen(let change, let open, let low, let high):
      "change \(change.signedText) % implies an open of \(open?.shortest ?? "unknown"), "
        + "outside low \(low) to high \(high)"
    case .otherChange(let sent, let computed):
      "change \(sent.signedText) % but (price - open) / open is \(computed?.signedPercentText ?? "unknown") %"
    case .unlikeOthers(let change, let others):
      "change \(change.signedPercentText) %, while others at the same price report \(others.signedPercentText) %"
    case .belowZero(let figure, let value): "\(figure) \(value) is below zero"
    case .zeroBeside(let figure, let other, let value): "\(figure) is 0 and \(other) \(value)"
    case .notTraded: "nothing was traded in 24 hours, and there is no bid or ask"
    case .averageOutside(let average, let low, let high):
      "turnover / volume = \(average.shortest) is outside low \(low) to high \(high)"
    case .averageFar(let average, let price, let range):
      "turnover / volume = \(average.shortest) is not within a factor 2 of the price \(price) (\(range.text))"
    case .unreadTime: "its timestamp cannot be parsed"
    case .futureTime(let lead): "its timestamp is \(DurationText.text(nanoseconds: lead)) later than its arrival"
    case .old(let what, let age, let limit):
      "its \(what.rawValue) is \(DurationText.text(nanoseconds: age)) old, more than "
        + DurationText.text(limitMilliseconds: limit)
    case .unconfirmed(let lapse): lapse.description
    case .falls(let count, let all): "the changes of \(count) of \(all) rows are falls by 100 % or more"
    case .smallChanges(let count, let all):
      "the changes of \(count) of \(all) rows are less than a twentieth of their 24h ranges"
    case .repeatedPair: "the exchange sends this pair more than once"
    case .fewerElements(let count, let usual): "the row has \(count) elements, but the others have \(usual)"
    case .repeatedMember: "a member of the row is repeated"
    case .multiple(let price, let factor, let reference):
      "price \(price.readable) is about \(factor) times \(reference.text): a multiplier or another coin"
    case .far(let price, let percent, .median(let median)):
      "price \(price.readable) is further than \(percent.shortest) % from \(Flag.Reference.median(median).text)"
        + ": another coin or a multiplier"
    case .far(let price, let percent, let reference):
      "price \(price.readable) and \(reference.text) are further apart than \(percent.shortest) %"
        + ": another coin or a multiplier"
    case .ratesApart(let official, let token):
      "official rate \(official.readable) and token price \(token.readable) are "
        + "\(Flag.Fact.percentApart(official, token)) % apart"
    case .contractSize:
      "volume and turnover of the pair contradict each other: its contract size may have changed"
    }
  }

  /// Returns how far a token's price is from the official rate, in percent of that.
  package static func percentApart(_ official: Decimal, _ token: Decimal) -> String {
    token.percent(above: official)?.magnitude.fixedText(places: 1) ?? "-"
  }
}

extension Flag.UnusableRange {
  fileprivate var text: String {
    switch self {
    case .missing: "high and low are missing"
    case .ofUnknownBasis: "the basis of high and low is unknown"
    case .of(let basis): "high and low are of the \(basis.label ?? basis.rawValue), not of 24 hours"
    }
  }
}

extension Decimal {
  /// All digits, with an explicit plus sign unless negative.
  package var signedText: String { mantissa < 0 ? description : "+" + description }

  /// A price as sent, or that of a rate if it is a quotient of more digits than are readable.
  package var readable: String { normalized.significantDigits > 12 ? rateText : description }
}
