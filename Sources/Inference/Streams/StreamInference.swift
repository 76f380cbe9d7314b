package import Config
import JSON
import JSONPath
package import Quotes

/// Infers from recorded messages and a simultaneous table how a channel of rows is read.
///
/// A message belongs to the channel if it contains a pair of the table with the table's numbers; what only those
/// messages have in common are the conditions. Names propose, the table's numbers decide.
package struct StreamInference {
  /// The table's data for a pair.
  package struct KnownRow: Sendable {
    /// As spelled in `{symbol}`, `{asset}` and `{payment}`.
    package let symbol: String
    package let asset: String
    package let payment: String
    package let pair: Pair
    package let numbers: [Role: Double]
  }

  let roots: [JSONNode]
  let rows: [KnownRow]
  /// Where the table reads each field, according to the config.
  private let tablePaths: [Role: String]
  private let bySymbol: [String: Int]
  /// By asset and payment currency, both in canonical names and the exchange's.
  let byNames: [Pair: Int]
  /// `BTCUSDT` for each pair, whatever the table's symbol is.
  let joinedNames: Set<String>
  /// All names in `byNames`.
  let currencies: Set<String>
  private let joinedRule: AffixedRule?
  /// The columns of the messages whose places have a single value.
  let columns: [ScalarColumn]
  /// The same, to be read along with rows.
  let around: [SampleColumn]

  /// The number of messages beyond which more add nothing.
  private static let messageLimit = 200

  /// - Parameters:
  ///   - messages: as received, but decompressed; those that are not JSON are skipped.
  ///   - rows: of the table requested at the same time.
  ///   - tablePaths: the plain paths of the table's fields.
  package init(_ messages: [[UInt8]], beside rows: [KnownRow], tablePaths: [Role: String]) {
    roots = messages.prefix(Self.messageLimit).compactMap { try? JSONDocument(parsing: $0).root }
    self.rows = rows
    self.tablePaths = tablePaths
    bySymbol = Dictionary(
      rows.enumerated().map { ($1.symbol.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    let names = rows.enumerated().flatMap { index, row in
      [(row.pair, index), (Pair(asset: row.asset.uppercased(), payment: row.payment.uppercased()), index)]
    }
    byNames = Dictionary(names, uniquingKeysWith: { first, _ in first })
    joinedNames = Set(byNames.keys.map { $0.asset + $0.payment })
    currencies = Set(byNames.keys.flatMap { [$0.asset, $0.payment] })
    joinedRule = Self.joinedRule(of: rows)
    columns = ScalarColumn.columns(of: roots.map { [$0] }, limit: 200, isInRow: false)
    around = columns.map(SampleColumn.init)
  }

  /// - Throws: `SampleProblem` if no message contains a pair of the table.
  package func proposal() throws(SampleProblem) -> StreamProposal {
    guard !roots.isEmpty else { throw .noStream("no message is JSON") }
    var best = Best<StreamProposal>()
    var refusal: SampleProblem?
    for place in places {
      guard let table = RowTable(place, in: roots, around: around) else { continue }
      for symbol in symbols(of: table) {
        let known = symbol.known.map { $0.map { rows[$0] } }
        let (fields, isSaid): (fields: [StreamProposal.Field], isSaid: [Bool])
        do { (fields, isSaid) = try StreamFields.ofTickers(table, known, tablePaths) } catch {
          refusal = refusal ?? error
          continue
        }
        let taken = Set(table.messages.indices.filter { isSaid[$0] }.map { table.messages[$0] })
        guard !taken.isEmpty, fields.contains(where: { $0.confidence > 0 }) else { continue }
        let proposal = StreamProposal(
          frame: frame(place, symbol, taken, conditions(of: taken, place, symbol)), fields: fields)
        // Most certain fields in most messages, then most fields at all; among equals, the rows most like the table's.
        best.take(
          proposal,
          rank: [
            proposal.sure.count * taken.count, fields.count { $0.confidence > 0 } * taken.count,
            fields.count(where: \.isInherited), symbol.isInRow ? 1 : 0, place.steps.count,
          ])
      }
    }
    // Read from farther out, the same rows have the price alone.
    if let refusal, best.value?.sure.contains(where: { StreamFields.dayRoles.contains($0.role) }) != true {
      throw refusal
    }
    guard let found = best.value else {
      throw .noStream("no message names a pair of the table and has its numbers")
    }
    return found
  }

  func frame(_ place: Place, _ symbol: FoundSymbol, _ taken: Set<Int>, _ conditions: [ConfigValue]) -> StreamFrame {
    StreamFrame(
      rows: place.text, symbol: symbol.value, symbolText: symbol.text, conditions: conditions,
      messageCount: roots.count, takenCount: taken.count)
  }

  /// Returns whether any row of the messages has something at a path below it.
  package func hasAnything(at path: String, below rows: String) -> Bool {
    guard let rows = try? JSONPathQuery(rows), let path = try? JSONPathQuery(path) else { return false }
    return roots.contains { root in rows.nodes(in: root).contains { !path.nodes(in: $0).isEmpty } }
  }

  // MARK: Rows

  /// A place that may have rows.
  struct Place: Hashable {
    enum Rows: String {
      case one = ""
      case elements = "[*]"
      /// Each is named after its pair.
      case members = ".*"
      /// Each list is named after its pair.
      case elementsOfMembers = ".*[*]"
    }

    let steps: [SingularStep]
    let rows: Rows
    /// The members below of which each message has one that leads to its rows: `snapshot` and `update`; empty if the
    /// rows are at the place itself.
    var siblings: [String] = []

    var text: String {
      let names = siblings.map { SingularStep.member($0).description.dropFirst().dropLast() }
      return steps.pathText + (names.isEmpty ? "" : "[\(names.joined(separator: ","))]") + rows.rawValue
    }

    /// The steps to the rows of messages.
    var heads: [[SingularStep]] { siblings.isEmpty ? [steps] : siblings.map { steps + [SingularStep.member($0)] } }

    /// Returns whether something is at this place or below.
    func holds(_ other: [SingularStep]) -> Bool { heads.contains { other.starts(with: $0) } }

    /// Whether a name that leads to the rows is that of a pair.
    var isNamed: Bool { rows == .members || rows == .elementsOfMembers }

    func nodes(in root: JSONNode) -> [JSONNode] { rows(in: root).map(\.node) }

    /// Returns the rows of a message, and the pair that the way to each is named after.
    func rows(in root: JSONNode) -> [(node: JSONNode, name: String?)] {
      guard let node = heads.lazy.compactMap({ root.reached(by: $0) }).first else { return [] }
      let all: [(node: JSONNode, name: String?)] =
        switch rows {
        case .one: [(node, nil)]
        case .elements: node.elements.prefix(500).map { ($0, nil) }
        case .members: node.members.prefix(500).map { ($0.value, $0.name) }
        case .elementsOfMembers:
          node.members.prefix(500).flatMap { member in member.value.elements.prefix(500).map { ($0, member.name) } }
        }
      return all.filter { [.object, .array].contains($0.node.kind) }
    }
  }

  var places: [Place] {
    var found: [Place] = []
    for root in roots.prefix(50) { visit(root, [], into: &found) }
    return Array(found.prefix(60))
  }

  /// The places whose rows are in one of two members: that of a snapshot, or that of an update.
  var siblingPlaces: [Place] {
    let places = places
    return places.flatMap { place -> [Place] in
      guard case .member(let name)? = place.steps.last, WholeBookMark.isName(name) else { return [] }
      return places.compactMap { other in
        guard case .member(let second)? = other.steps.last, WholeBookMark.isNameOfChanges(second),
          other.rows == place.rows, other.steps.dropLast() == place.steps.dropLast()
        else { return nil }
        return Place(steps: Array(place.steps.dropLast()), rows: place.rows, siblings: [name, second])
      }
    }
  }

  private func visit(_ node: JSONNode, _ steps: [SingularStep], into found: inout [Place]) {
    func add(_ rows: Place.Rows) {
      let place = Place(steps: steps, rows: rows)
      if !found.contains(place) { found.append(place) }
    }
    guard steps.count < 5 else { return }
    switch node.kind {
    case .object:
      let members = node.members.prefix(40)
      // They are named after their pairs: the next message has others.
      let ofPairs = members.filter { isPair($0.name) }.map(\.value)
      if ofPairs.contains(where: { $0.kind == .object }) { return add(.members) }
      if ofPairs.contains(where: { $0.elements.contains { [.object, .array].contains($0.kind) } }) {
        return add(.elementsOfMembers)
      }
      add(.one)
      for member in members { visit(member.value, steps + [.member(member.name)], into: &found) }
    case .array:
      let elements = Array(node.elements.prefix(8))
      let isOfRows = elements.allSatisfy {
        $0.kind == .object || $0.kind == .array && ($0.count >= 5 || Self.isRow($0))
      }
      if isOfRows, !elements.isEmpty { return add(.elements) }
      if Self.isRow(node) { add(.one) }
      for (index, element) in elements.prefix(4).enumerated() { visit(element, steps + [.index(index)], into: &found) }
    default: break
    }
  }

  /// Returns whether a list is a row: a level of an order book has up to four numbers, none of them a time.
  private static func isRow(_ list: JSONNode) -> Bool {
    let texts = list.elements.prefix(8).compactMap(\.scalarText)
    return texts.count >= 5 || texts.count >= 3 && texts.contains { TimeRole.form(of: [$0]) != nil }
  }

  /// Returns whether a member is named after a pair of the table, with or without a separator.
  private func isPair(_ name: String) -> Bool {
    let name = name.uppercased()
    return bySymbol[name] != nil || joinedNames.contains(name.filter { $0.isLetter || $0.isNumber })
  }

  /// The rows at one place of all messages, and what surrounds each.
  struct RowTable {
    let place: Place
    /// The member that leads to each row, if the place has siblings.
    let siblings: [String?]
    /// The message index of each row.
    let messages: [Int]
    let nodes: [JSONNode]
    let inner: [SampleColumn]
    let outer: [SampleColumn]
    /// The names that lead to the rows, if each is that of a pair.
    let names: [String?]
    /// How many levels above the row its name is.
    let levelsUp: Int

    /// - Parameter around: the columns of the messages themselves.
    init?(_ place: Place, in roots: [JSONNode], around: [SampleColumn]) {
      var nodes: [JSONNode] = []
      var names: [String?] = []
      var messages: [Int] = []
      for (message, root) in roots.enumerated() {
        for (node, name) in place.rows(in: root) {
          nodes.append(node)
          names.append(name)
          messages.append(message)
        }
      }
      guard !nodes.isEmpty else { return nil }
      self.place = place
      siblings = messages.map { message in
        place.siblings.first { name in
          let steps = place.steps + [SingularStep.member(name)]
          return roots[message].reached(by: steps) != nil
        }
      }
      self.names = place.isNamed ? names : []
      levelsUp = place.rows == .elementsOfMembers ? 1 : 0
      self.messages = messages
      self.nodes = nodes
      inner = ScalarColumn.columns(of: nodes.map { [$0] }, limit: 200).map(SampleColumn.init)
      self.outer = around.filter { !place.holds($0.path.steps) }.map { $0.kept(messages) }
    }
  }

  // MARK: Symbols

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
    var sources = table.inner.map { SymbolSource($0, isInRow: true) }
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
      origin = [("from", .text("key"))] + (levelsUp == 0 ? [] : [("up", .raw(String(levelsUp)))])
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
  private static func joinedRule(of rows: [KnownRow]) -> AffixedRule? {
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

extension SampleColumn {
  fileprivate init(_ column: ScalarColumn) { self.init(path: SamplePath(column.steps), nodes: column.nodes) }
}

extension StreamInference.KnownRow {
  /// - Parameters:
  ///   - asset: as spelled by the exchange, like the payment currency.
  /// - Returns: nil for a row of many units, as its numbers are not the exchange's.
  package init?(_ row: Ticker, asset: String, payment: String) {
    guard row.multiplier == nil else { return nil }
    let numbers = Role.allCases.filter { $0 != .time }.compactMap { role in
      row.cell(role.field).value.flatMap { Double($0.shortest) }.map { (role, $0) }
    }
    (symbol, pair, self.asset, self.payment) = (row.symbol, row.pair, asset, payment)
    self.numbers = Dictionary(numbers, uniquingKeysWith: { first, _ in first })
  }
}

extension StreamInference {
  /// Returns the paths of a table's fields that are read unchanged.
  package static func plainPaths(of table: TableSpec) -> [Role: String] {
    Role.allCases.reduce(into: [:]) { paths, role in
      guard let value = table.fields[role.field.rawValue], value.capture == nil, value.decimals.isEmpty,
        value.scale == nil || role == .change, case .path(let path?, .row) = value.origin, path.templates.isEmpty
      else { return }
      paths[role] = path.text
    }
  }
}
