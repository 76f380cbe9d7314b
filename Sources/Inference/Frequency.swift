extension [String: Int] {
  /// The counted texts, the most frequent first, and those as frequent in their order.
  package var byFrequency: [(key: String, value: Int)] { sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
}
