import Config
import Foundation
import JSON
import JSONPath
import TestSupport

/// Compares an added exchange's table of its own sample with an independent project's reading.
struct AgreementJudge {
  enum Verdict: Hashable, CustomStringConvertible {
    /// There is nothing to compare, for the given reason.
    case notJudged(String)
    /// No block was written, for the given reason.
    case refused(String)
    /// A field that both have differs.
    case wrong(String)
    case agrees(missing: [String])

    var description: String {
      switch self {
      case .notJudged(let reason): "not judged: \(reason)"
      case .refused(let reason): "refused: \(reason)"
      case .wrong(let field): "wrong: \(field)"
      case .agrees(let missing): missing.isEmpty ? "agrees" : "agrees, without \(missing.joined(separator: ", "))"
      }
    }
  }

  /// The reference's slots, and the members of our table.
  private static let slots = [
    ("last", "price"), ("bid", "bid"), ("ask", "ask"), ("high", "high"), ("low", "low"), ("volume", "volume24"),
  ]

  private let body: RecordedTickers
  private let reference: ReferenceMapping
  private let rows: [JSONNode]
  private let keys: [String]

  /// Returns nil if no reference covers the recording, or if it is a table with fewer than two pairs.
  init?(_ body: RecordedTickers) {
    guard let reference = body.reference, let accesses = reference.slots["last"],
      let document = try? JSONDocument(parsing: body.bytes)
    else { return nil }
    self.body = body
    self.reference = reference
    // The rows are the largest list or object whose members contain the reference's last price.
    var best: (rows: [JSONNode], keys: [String]) = ([], [])
    var count = 1
    for container in Self.containers(document.root, depth: 0) {
      let rows = container.kind == .array ? Array(container.elements) : container.members.map(\.value)
      let filled = rows.reduce(0) { count, row in
        count + (accesses.contains { Self.number(row, $0.steps) != nil } ? 1 : 0)
      }
      guard filled > count else { continue }
      count = filled
      best = (rows, container.kind == .array ? [] : container.members.map(\.name))
    }
    guard count >= 2 else { return nil }
    rows = best.rows
    keys = best.keys
  }

  private static func containers(_ node: JSONNode, depth: Int) -> [JSONNode] {
    guard depth < 4, [.array, .object].contains(node.kind) else { return [] }
    let children = node.kind == .array ? Array(node.elements.prefix(3)) : node.members.prefix(12).map(\.value)
    return [node] + children.flatMap { containers($0, depth: depth + 1) }
  }

  /// Returns the number at the steps below a row, or at their tail, since the source sometimes gives the full path.
  private static func number(_ row: JSONNode, _ steps: [String]) -> Double? {
    for start in steps.indices {
      // A row may be a list of one.
      var node: JSONNode? = row.kind == .array && Int(steps[start]) == nil ? row[0] : row
      for step in steps[start...] { node = node?[step] ?? Int(step).flatMap { node?[$0] } }
      if let text = node?.scalarText { return Double(text.filter { $0 != "," && $0 != "%" }) }
    }
    return nil
  }

  /// - Parameter table: the output of `tickers -f json`, with a row for each pair.
  func verdict(on table: [UInt8]) -> Verdict {
    guard let document = try? JSONDocument(parsing: table), let written = document.root["rows"] else {
      return .wrong("no table")
    }
    var bySymbol: [String: JSONNode] = [:]
    for row in written.elements { if let symbol = row["symbol"]?.string { bySymbol[symbol] = row } }
    let pairs = Array(written.elements)
    // By the common symbol, otherwise by the position in the list.
    func ours(_ index: Int) -> JSONNode? {
      if let field = reference.symbolField, let symbol = rows[index][field]?.string, let row = bySymbol[symbol] {
        return row
      }
      if index < keys.count { return bySymbol[keys[index]] }
      let own = rows[index].members.lazy.compactMap { $0.value.string.flatMap { bySymbol[$0] } }.first
      return own ?? (pairs.count == rows.count ? pairs[index] : nil)
    }
    let matched = rows.indices.filter { ours($0) != nil }
    guard matched.count * 2 >= rows.count else {
      return .wrong("only \(matched.count) of \(rows.count) rows are found")
    }
    if let problem = pairProblem(matched, ours) { return problem }
    var missing: [String] = []
    for (slot, field) in Self.slots {
      guard let accesses = reference.slots[slot], !Self.mistaken.contains("\(body.exchange) \(slot)") else { continue }
      if isContradicted(slot) { continue }
      switch compare(accesses, field, matched, ours) {
      case .same: break
      case .missing: missing.append(field)
      case .differs(let text): return .wrong("\(field): \(text)")
      }
    }
    return .agrees(missing: missing)
  }

  private func pairProblem(_ matched: [Int], _ ours: (Int) -> JSONNode?) -> Verdict? {
    var rowCount = 0
    var same = 0
    var example = ""
    for index in matched {
      guard let row = ours(index), let wanted = pair(index) else { continue }
      rowCount += 1
      let found = [row["asset"]?.string ?? "", row["payment"]?.string ?? ""]
      // The shipped config's aliases are not a difference.
      let names = wanted.map { ["XBT": "BTC", "XDG": "DOGE", "BCC": "BCC"][$0] ?? $0 }
      if found == names || found == wanted { same += 1 } else if example.isEmpty { example = "\(found), not \(wanted)" }
    }
    return same * 100 < rowCount * 95 ? .wrong("pair: \(example)") : nil
  }

  private func pair(_ index: Int) -> [String]? {
    switch reference.split {
    case .fields(let asset, let payment)?:
      guard let asset = rows[index][asset]?.string, let payment = rows[index][payment]?.string else { return nil }
      return [asset.uppercased(), payment.uppercased()]
    case nil: return nil
    default:
      if let field = reference.symbolField, let symbol = rows[index][field]?.string {
        return reference.pair(of: symbol)
      }
      return index < keys.count ? reference.pair(of: keys[index]) : nil
    }
  }

  /// Known mistakes of the reference: it takes the price of a day ago for the last one.
  private static let mistaken: Set = ["coinrail last"]

  /// Returns whether most rows show that the reference took the wrong field: a low above the last, a bid above the ask.
  private func isContradicted(_ slot: String) -> Bool {
    func numbers(_ slot: String) -> [Double?] {
      guard let access = reference.slots[slot]?.first else { return rows.map { _ in nil } }
      return rows.map { Self.number($0, access.steps) }
    }
    func most(_ lower: String, _ upper: String, above factor: Double) -> Bool {
      let pairs = zip(numbers(lower), numbers(upper)).compactMap { low, high in
        low.flatMap { low in high.map { (low, $0) } }
      }
      .filter { $0.0 > 0 && $0.1 > 0 }
      return !pairs.isEmpty && pairs.filter { $0.0 > $0.1 * factor }.count * 2 > pairs.count
    }
    switch slot {
    case "high": return most("last", "high", above: 1.01)
    case "low": return most("low", "last", above: 1.01)
    // What a source takes for the range of the offers says nothing about either.
    case "bid", "ask":
      return most("bid", "ask", above: 1.001) || most("low", "bid", above: 1.05) || most("ask", "high", above: 1.05)
    default: return false
    }
  }

  private enum Comparison {
    case same, missing
    case differs(String)
  }

  private func compare(
    _ accesses: [ReferenceMapping.Access], _ field: String, _ matched: [Int], _ ours: (Int) -> JSONNode?
  ) -> Comparison {
    var hasAny = false
    var best: Comparison?
    for access in accesses where !access.isFlipped || field != "volume24" {
      var both = 0
      var same = 0
      var example = ""
      for index in matched {
        guard let wanted = Self.number(rows[index], access.steps), wanted > 0 else { continue }
        guard let found = ours(index)?[field]?.string.flatMap({ Double($0) }) else { continue }
        hasAny = true
        both += 1
        if abs(found - wanted) <= abs(wanted) * 1e-9 {
          same += 1
        } else if example.isEmpty {
          example = "\(found), not \(wanted)"
        }
      }
      guard both > 0 else { continue }
      if same * 100 >= both * 95 { return .same }
      best = .differs(example)
    }
    return best ?? (hasAny ? .same : .missing)
  }
}
