extension Double {
  /// The number with a few digits, for sentences: `0.333`.
  package func text(digits: Int) -> String {
    (Decimal(String(self)) ?? .zero).rounded(toSignificantDigits: digits).shortest
  }
}
