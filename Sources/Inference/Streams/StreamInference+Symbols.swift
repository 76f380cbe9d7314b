import Config
import Quotes

/// What names the pairs of rows.
extension StreamInference {
  struct FoundSymbol {
    let value: ConfigValue
    /// Human-readable.
    let text: String
    let isInRow: Bool
    let path: String
    /// By row: the index of the known pair.
    let known: [Int?]
  }

  /// Returns what may identify the pairs, starting with what identifies the most.
  ///
  /// - Parameter hasInterval: whether a text around a pair may contain an interval, which is left open.
  func symbols(of table: RowTable, hasInterval: Bool = false) -> [FoundSymbol] {
    // What each element of a list has is a row's own; the first one's is not that of all.
    var sources = table.inner.filter { !$0.isInObjectOfList }.map { SymbolSource($0, isInRow: true) }
    sources += table.outer.map { SymbolSource($0, isInRow: false) }
    if !table.names.isEmpty { sources.append(SymbolSource(names: table.names, levelsUp: table.levelsUp)) }
    var found = sources.compactMap { source in
      source.found(source.texts.map { $0.flatMap { bySymbol[$0.uppercased()] } })
    }
    // Tries texts with more in them, or another spelling, if no member is the symbol itself.
    if found.isEmpty {
      for source in sources {
        found += captured(source, hasInterval) + [split(source)].compactMap(\.self)
      }
      if let symbol = named(table.inner) { found.append(symbol) }
    }
    let ranked = found.sorted { one, other in
      let counts = (one.known.count { $0 != nil }, other.known.count { $0 != nil })
      return counts.0 == counts.1 ? one.isInRow && !other.isInRow : counts.0 > counts.1
    }
    return Array(ranked.prefix(4))
  }

  /// A value of each row that may be its symbol, or contain it.
  private struct SymbolSource {
    /// By row.
    let texts: [String?]
    private let origin: [(name: String, value: ConfigValue)]
    private let text: String
    private let isInRow: Bool
    private let path: String

    init(_ column: SampleColumn, isInRow: Bool) {
      (texts, path, self.isInRow) = (column.texts, column.path.text, isInRow)
      origin = (isInRow ? [] : [("from", .text("response"))]) + [("path", .text(path))]
      text = (isInRow ? "" : "response ") + path
    }

    /// The names that lead to the rows.
    init(names: [String?], levelsUp: Int) {
      (texts, path, isInRow) = (names, "$", true)
      origin = [("from", .text("key"))] + (levelsUp == 0 ? [] : [("up", .number(String(levelsUp)))])
      text = levelsUp == 0 ? "the name of the row" : "the name of the list"
    }

    /// - Parameters:
    ///   - known: by row, the index of the known pair.
    ///   - rule: how the text is taken apart.
    func found(
      _ known: [Int?], _ rule: [(name: String, value: ConfigValue)] = [], suffix: String = ""
    ) -> FoundSymbol? {
      guard known.contains(where: { $0 != nil }) else { return nil }
      let isPathAlone = rule.isEmpty && origin.count == 1 && origin[0].name == "path"
      return FoundSymbol(
        value: isPathAlone ? origin[0].value : .object(origin + rule), text: text + suffix, isInRow: isInRow,
        path: path, known: known)
    }
  }

  /// Finds symbols within texts such as `tickers.BTCUSDT`, one result per frame, as there may be several message kinds.
  private func captured(_ source: SymbolSource, _ hasInterval: Bool) -> [FoundSymbol] {
    var frames: [[String]] = []
    let parts = source.texts.map { text -> (index: Int, frame: [String])? in
      guard let text, text.utf8.count <= 100, let (index, range) = symbol(within: text) else { return nil }
      let frame = [text[..<range.lowerBound], text[range.upperBound...]].map { part in
        let pieces = hasInterval ? MessageMark.withoutInterval(String(part)) : [String(part)]
        return MessageMark.pattern(of: pieces, hole: "[A-Za-z0-9]+")
      }
      if !frames.contains(frame) { frames.append(frame) }
      return (index, frame)
    }
    return frames.prefix(8).compactMap { frame in
      let capture = frame[0] + "(?<value>.+)" + frame[1]
      return source.found(
        parts.map { $0?.frame == frame ? $0?.index : nil }, [("capture", .text(capture))], suffix: " \(capture)")
    }
  }

  /// Returns the longest known symbol in a text between punctuation.
  func symbol(within text: String) -> (index: Int, range: Range<String.Index>)? {
    func isWord(_ index: String.Index) -> Bool { text[index].isLetter || text[index].isNumber }
    let starts = text.indices.filter { isWord($0) && ($0 == text.startIndex || !isWord(text.index(before: $0))) }
    let ends = text.indices.filter { isWord($0) }.map { text.index(after: $0) }
      .filter { $0 == text.endIndex || !isWord($0) }
    let ranges = starts.flatMap { start in ends.filter { $0 > start }.map { start..<$0 } }
    let found = ranges.compactMap { range in bySymbol[text[range].uppercased()].map { (index: $0, range: range) } }
    return found.max { text[$0.range].count < text[$1.range].count }
  }

  /// Returns an I-Regexp that matches exactly this text (RFC 9485).
  static func escaped(_ text: String) -> String {
    text.map { ".\\|?*+(){}[]^$".contains($0) ? ($0 == "\\" || $0 == "^" ? "\\\($0)" : "[\($0)]") : "\($0)" }.joined()
  }

  /// Finds `BTC/USD` if the table has another name for it.
  private func split(_ source: SymbolSource) -> FoundSymbol? {
    for separator in ["-", "_", "/", ":"] {
      for isPaymentFirst in [false, true] {
        let known = source.texts.map { text -> Int? in
          let parts = (text ?? "").uppercased().split(separator: separator, omittingEmptySubsequences: false).map(
            String.init)
          guard parts.count == 2 else { return nil }
          let (asset, payment) = isPaymentFirst ? (parts[1], parts[0]) : (parts[0], parts[1])
          return byNames[Pair(asset: asset, payment: payment)]
        }
        let order: [(name: String, value: ConfigValue)] = isPaymentFirst ? [("order", .text("payment-asset"))] : []
        let rule = [("split", .text(separator))] + order
        if let symbol = source.found(known, rule, suffix: " split at \(separator)") { return symbol }
      }
    }
    return joined(source)
  }

  /// Finds `BTCUSD` if the table has another name for it: the currencies that pay for its pairs show where each name ends.
  private func joined(_ source: SymbolSource) -> FoundSymbol? {
    guard let rule = joinedRule else { return nil }
    let known = source.texts.map { text in
      text.flatMap(rule.pair(of:)).flatMap { byNames[Pair(asset: $0.asset, payment: $0.payment)] }
    }
    return source.found(known, [("split", .text("payment"))], suffix: " split at the payment currency")
  }

  /// Returns the rule that takes the joined names of all pairs apart; nil if it would split one in the wrong place.
  static func joinedRule(of rows: [KnownRow]) -> AffixedRule? {
    let rule = AffixedRule(rule: .payment(rows.map { $0.payment.uppercased() }.unique))
    let isRight = rows.allSatisfy { row in
      let pair = rule.pair(of: row.asset + row.payment)
      return pair?.asset == row.asset.uppercased() && pair?.payment == row.payment.uppercased()
    }
    return isRight ? rule : nil
  }

  /// Finds asset and payment currency in separate members.
  private func named(_ columns: [SampleColumn]) -> FoundSymbol? {
    let texts = columns.map { column in column.texts.map { $0?.uppercased() } }
    let payments = Set(byNames.keys.map(\.payment))
    for (one, assets) in texts.enumerated() {
      for (other, currencies) in texts.enumerated() where other != one {
        guard currencies.contains(where: { $0.map(payments.contains) ?? false }) else { continue }
        let known = zip(assets, currencies).map { asset, payment -> Int? in
          guard let asset, let payment else { return nil }
          return byNames[Pair(asset: asset, payment: payment)]
        }
        guard known.contains(where: { $0 != nil }) else { continue }
        let (asset, payment) = (columns[one].path.text, columns[other].path.text)
        return FoundSymbol(
          value: .object([("asset", .text(asset)), ("payment", .text(payment))]), text: "\(asset) and \(payment)",
          isInRow: true, path: asset, known: known)
      }
    }
    return nil
  }
}
