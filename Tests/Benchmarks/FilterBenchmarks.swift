import Terminal

/// The filter of `watch` and `list` as the user types.
enum FilterBenchmarks {
  /// 5,000 pairs, each with a Korean and an English name.
  private static let subjects: [NameFilter.Subject] = (0..<5_000).map { number in
    let letters = [number / 676, number / 26 % 26, number % 26].compactMap { UnicodeScalar(65 + $0 % 26) }
    let symbol = String(String.UnicodeScalarView(letters))
    let syllables = [number, number * 7, number * 31].compactMap { UnicodeScalar(0xAC00 + $0 % 11_172) }
    return NameFilter.Subject(
      symbol: "\(symbol)/KRW", names: [String(String.UnicodeScalarView(syllables)), "Coin \(symbol.lowercased())"])
  }

  /// Returns the milliseconds taken by the slowest keystroke.
  static func slowestKey() -> Double {
    let texts = ["ㅂ", "비", "빝", "비트", "비트 krw", "ㅂㅌ|ㄹㅍ", "q", "ql", "qlx", "qlxm", "ㅠ", "ㅠㅅㅊ", "coin", "zzzz"]
    return texts.map { text in TableBenchmarks.best(of: 20) { NameFilter(text).places(in: subjects).count } }.max() ?? 0
  }
}
