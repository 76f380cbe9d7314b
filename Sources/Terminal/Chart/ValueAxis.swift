package import Quotes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Decimal {
  /// The decimal logarithm of a number above zero, only for positions in a chart.
  fileprivate var logarithm: Double { log10(Double(mantissa)) + Double(exponent) }

  /// The nearest binary number, only for positions in a chart, never for printed values.
  fileprivate var position: Double {
    var value = Double(mantissa)
    var rest = Int(exponent)
    while rest > 0, value.isFinite, value != 0 {
      value *= 10
      rest -= 1
    }
    while rest < 0, value != 0 {
      let step = min(22, -rest)
      value /= (0..<step).reduce(1.0) { power, _ in power * 10 }
      rest += step
    }
    return value
  }
}

/// The vertical axis of a chart: the height of values, and round values along it.
package struct ValueAxis: Sendable, Hashable {
  package let low: Decimal
  package let high: Decimal
  /// Whether equal ratios have equal heights, rather than equal differences.
  private let isLogarithmic: Bool
  private let span: Double

  /// - Parameter isLogarithmic: Whether equal ratios have equal heights; values that are not above zero then have no
  ///   place.
  /// - Returns: nil without values. If all values are equal, they are in the middle.
  package init?(_ values: some Sequence<Decimal>, isLogarithmic: Bool = false) {
    var range: (low: Decimal, high: Decimal)?
    for value in values where !isLogarithmic || value.signum > 0 {
      range = range.map { (min($0.low, value), max($0.high, value)) } ?? (value, value)
    }
    guard var range else { return nil }
    if range.low == range.high {
      let room = range.low.isZero ? Decimal(1) : range.low.magnitude.scaledByPowerOfTen(-2)
      range = (range.low - room, range.high + room)
    }
    (low, high) = range
    self.isLogarithmic = isLogarithmic
    span = isLogarithmic ? high.logarithm - low.logarithm : (high - low).position
  }

  /// Returns the distance of a value from the top as a fraction of the height: 0 to 1.
  package func depth(_ value: Decimal) -> Double {
    guard !isLogarithmic || value.signum > 0 else { return 1 }
    let depth = (isLogarithmic ? high.logarithm - value.logarithm : (high - value).position) / span
    return depth.isFinite ? min(1, max(0, depth)) : 0
  }

  /// Returns the index of a value's part if the height is divided into equal parts, counted from the top.
  package func part(of value: Decimal, among count: Int) -> Int {
    max(0, min(count - 1, Int(depth(value) * Double(count))))
  }

  /// Returns round values within the axis, ascending: multiples of 1, 2 or 5 times a power of ten, each with the decimals
  /// of that step; on a logarithmic axis of several such numbers, these.
  ///
  /// - Parameter count: The approximate maximum number of values.
  package func ticks(atMost count: Int) -> [Decimal] {
    (isLogarithmic ? decades(atMost: count) : nil) ?? multiples(atMost: count)
  }

  /// Returns 1, 2 and 5 times each power of ten within the axis; if they are too many, only the powers, or every second
  /// one and so on. nil if they are fewer than three, which give no idea of what lies between, or if a single one is left
  /// where there is room for more.
  private func decades(atMost count: Int) -> [Decimal]? {
    let powers = low.leadingPower...high.leadingPower
    func values(_ digits: [Int], every step: Int = 1) -> [Decimal] {
      powers.filter { $0 % step == 0 }.flatMap { power in
        digits.map { Decimal($0).scaledByPowerOfTen(power).rounded(toPlaces: max(0, -power)) }
      }.filter { low <= $0 && $0 <= high }
    }
    let all = values([1, 2, 5])
    guard count > 0, all.count >= 3 else { return nil }
    if all.count <= count { return all }
    let fewer = (1...powers.count + 1).lazy.map { values([1], every: $0) }.first { $0.count <= count }
    return fewer.flatMap { $0.count < min(2, count) ? nil : $0 }
  }

  private func multiples(atMost count: Int) -> [Decimal] {
    guard count > 0, let least = (high - low).divided(by: Decimal(count)), least.signum > 0 else { return [] }
    let steps = [1, 2, 5, 10].map { Decimal($0).scaledByPowerOfTen(least.leadingPower) }
    guard let step = steps.first(where: { $0 >= least }), let quotient = low.divided(by: step) else { return [] }
    var tick = quotient.rounded(toPlaces: 0) * step
    if tick < low { tick = tick + step }
    var ticks: [Decimal] = []
    while tick <= high, ticks.count <= count {
      ticks.append(tick.rounded(toPlaces: max(0, -Int(step.exponent))))
      tick = tick + step
    }
    return ticks
  }
}

/// The format of an axis's values.
package enum ValueForm: Sendable, Hashable {
  /// `91542.31`
  case price
  /// `+0.54`, without the percent sign.
  case percent

  package func text(_ value: Decimal) -> String {
    switch self {
    case .price: value.description
    case .percent: value.exponent < -2 ? (value.signum < 0 ? "" : "+") + value.description : value.signedPercentText
    }
  }
}
