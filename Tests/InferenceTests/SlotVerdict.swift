import JSON
import JSONPath
import Quotes
import TestSupport

@testable import Config
@testable import Inference

/// The outcome for one slot of one body.
enum SlotVerdict: String, CaseIterable {
  case right, unsure, wrong
  /// The reference contradicts the numbers, or says nothing that can be checked.
  case unjudged
}

/// Compares a proposal with the reference, slot by slot.
struct SlotJudge {
  static let slots = ["price", "high", "low", "bid", "ask", "volume", "change", "base", "quote"]
  private static let roles: [String: (reference: String, role: Role)] = [
    "price": ("last", .price), "high": ("high", .high), "low": ("low", .low), "bid": ("bid", .bid),
    "ask": ("ask", .ask), "volume": ("volume", .volume), "change": ("change", .change),
  ]

  /// Known mistakes of the reference: it takes the price of a day ago for the last one.
  private static let mistaken: Set = ["raw/coinrail/spot-tickers@vcr.json price"]

  let body: RecordedTickers
  let reference: ReferenceMapping
  let proposal: ExchangeProposal
  private let rows: [JSONNode]
  private let rowSteps: [String]

  init?(_ body: RecordedTickers, _ proposal: ExchangeProposal) {
    guard let reference = body.reference, let document = try? JSONDocument(parsing: body.bytes),
      let query = try? JSONPathQuery(proposal.rows)
    else { return nil }
    self.body = body
    self.reference = reference
    self.proposal = proposal
    rows = query.nodes(in: document.root)
    rowSteps = Self.names(of: proposal.rows)
  }

  /// Returns the verdict, with a note for the reader if it is not "right".
  func verdict(_ slot: String) -> (SlotVerdict, String)? {
    if slot == "base" || slot == "quote" { return pairVerdict(slot) }
    guard let (name, _) = Self.roles[slot], let accesses = reference.slots[name] else { return nil }
    let verdicts = accesses.compactMap { verdict(slot, $0) }
    return verdicts.first { $0.0 == .right } ?? verdicts.first
  }

  private func verdict(_ slot: String, _ access: ReferenceMapping.Access) -> (SlotVerdict, String)? {
    guard let (_, role) = Self.roles[slot] else { return nil }
    if Self.mistaken.contains("\(body.file) \(slot)") { return (.unjudged, "the reference is mistaken") }
    let wanted = numbers(of: access)
    if access.isFlipped { return flippedVerdict(access) }
    if let found = proposal[role], isSame(found.path, access, wanted) {
      return (found.isSure ? .right : .unsure, "best guess right: \(found.path) \(percent(found.confidence))")
    }
    // A recording of another version of the API, a column of zeros, or numbers that cannot be what the reference says.
    guard wanted.contains(where: { $0 != nil && $0 != 0 }) else {
      return (.unjudged, "reference \(access.steps) is not in the recording, or zero")
    }
    if contradicts(slot, wanted) { return (.unjudged, "reference \(access.steps) contradicts the numbers") }
    guard let found = proposal[role] else { return (.unsure, "nothing, reference \(access.steps)") }
    let note = "\(found.path) \(percent(found.confidence)), reference \(access.steps.joined(separator: "."))"
    return (found.isSure ? .wrong : .unsure, "best guess WRONG: \(note)")
  }

  private func flippedVerdict(_ access: ReferenceMapping.Access) -> (SlotVerdict, String) {
    if let turnover = proposal[.turnover], turnover.isSure, isSame(turnover.path, access, numbers(of: access)) {
      return (.right, "turnover")
    }
    if let volume = proposal[.volume], volume.isSure {
      // Both may be present: the reference derives it, we read it.
      return isSame(volume.path, access, numbers(of: access))
        ? (.wrong, "\(volume.path) is a turnover") : (.unjudged, "reference derives what is read here")
    }
    return (.unsure, "a turnover: \(access.steps)")
  }

  // MARK: Values

  private func numbers(of access: ReferenceMapping.Access) -> [Double?] {
    var best: [Double?] = []
    for start in access.steps.indices {
      let steps = access.steps[start...]
      let values = rows.map { row -> Double? in
        var node: JSONNode? = row
        for step in steps { node = node?[step] ?? Int(step).flatMap { node?[$0] } }
        return node?.scalarText.flatMap(SampleColumn.number)
      }
      if values.contains(where: { $0 != nil }) {
        best = values
        break
      }
    }
    return best
  }

  private func numbers(at path: String) -> [Double?] {
    guard let query = try? JSONPathQuery(path) else { return [] }
    return rows.map { row in query.nodes(in: row).first?.scalarText.flatMap(SampleColumn.number) }
  }

  private func isSame(_ path: String, _ access: ReferenceMapping.Access, _ wanted: [Double?]) -> Bool {
    let own = Self.names(of: path)
    let whole = rowSteps + own
    if whole.count >= access.steps.count, Array(whole.suffix(access.steps.count)) == access.steps { return true }
    if !own.isEmpty, access.steps.count >= own.count, Array(access.steps.suffix(own.count)) == own { return true }
    // Two names for one value are not a mistake.
    let ours = numbers(at: path)
    guard ours.count == wanted.count else { return false }
    let both = zip(ours, wanted).filter { $0 != nil && $1 != nil }
    return !both.isEmpty && both.count * 10 >= ours.count * 5
      && both.count { $0 == $1 } * 100 >= both.count * 98
  }

  /// Splits `$.data[0]['24h']` into data, 0, 24h.
  private static func names(of path: String) -> [String] {
    (try? JSONPathQuery(path.replacing("[*]", with: "").replacing(".*", with: "")))?.singularSteps?.texts ?? []
  }

  /// Returns whether most rows show that the reference took the wrong field: a low above the price, bid above ask.
  private func contradicts(_ slot: String, _ values: [Double?]) -> Bool {
    guard let last = reference.slots["last"]?.first.map({ numbers(of: $0) }), last.count == values.count else {
      return false
    }
    func most(_ left: [Double?], _ right: [Double?], _ holds: (Double, Double) -> Bool) -> Bool {
      let both = zip(left, right).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }.filter {
        $0.0 > 0 && $0.1 > 0
      }
      return !both.isEmpty && both.count(where: holds) * 2 > both.count
    }
    let high = reference.slots["high"]?.first.map { numbers(of: $0) } ?? []
    let low = reference.slots["low"]?.first.map { numbers(of: $0) } ?? []
    switch slot {
    case "price":
      // Our price is within the day's range in clearly more rows than the reference's.
      guard let ours = proposal[.price].map({ numbers(at: $0.path) }), high.count == ours.count, low.count == ours.count
      else { return false }
      func within(_ values: [Double?]) -> Int {
        values.indices.count { row in
          guard let value = values[row], let high = high[row], let low = low[row] else { return false }
          return value >= low * 0.995 && value <= high * 1.005
        }
      }
      return within(values) * 10 < within(ours) * 9
    case "high": return most(values, last) { $0 < $1 * 0.99 }
    case "low": return most(values, last) { $0 > $1 * 1.01 }
    case "bid", "ask":
      guard let bid = reference.slots["bid"]?.first.map({ numbers(of: $0) }),
        let ask = reference.slots["ask"]?.first.map({ numbers(of: $0) }), bid.count == ask.count
      else { return false }
      return most(bid, ask) { $0 > $1 * 1.001 }
    case "change":
      guard high.count == values.count, low.count == values.count else { return false }
      var rows = 0
      var misses = 0
      for index in values.indices {
        guard let change = values[index], change != 0, let price = last[index], let high = high[index],
          let low = low[index], low > 0, high > low
        else { continue }
        rows += 1
        let open = price / (1 + change / 100)
        if open < low * 0.98 || open > high * 1.02 { misses += 1 }
      }
      // A change that is tiny compared with the day's range is an absolute change or a fraction.
      let moves = values.indices.compactMap { row -> (Double, Double)? in
        guard let change = values[row], let high = high[row], let low = low[row], let price = last[row], price > 0
        else { return nil }
        return (change.magnitude / 100, (high - low) / price)
      }
      let changes = moves.map(\.0).sorted()
      let ranges = moves.map(\.1).sorted()
      let isTiny = !moves.isEmpty && changes[moves.count / 2] < ranges[moves.count / 2] * 0.02
      return isTiny || (rows > 0 && misses * 2 > rows)
    default: return false
    }
  }

  // MARK: Pairs

  private func pairVerdict(_ slot: String) -> (SlotVerdict, String)? {
    guard let symbol = proposal.symbol else { return reference.split == nil ? nil : (.unsure, "no symbol") }
    guard let wanted = referencePairs() else { return nil }
    let index = slot == "base" ? 0 : 1
    let confidence = slot == "base" ? symbol.assetConfidence : symbol.paymentConfidence
    let isSure = confidence >= RoleProposal.threshold
    var same = 0
    var rows = 0
    for (found, wanted) in zip(symbol.pairs, wanted) {
      guard let wanted else { continue }
      rows += 1
      if let found, (slot == "base" ? found.asset : found.payment) == wanted[index] { same += 1 }
    }
    guard rows > 0 else { return nil }
    let isRight = same * 100 >= rows * 95
    let note = "\(symbol.example) \(percent(confidence)), \(same) of \(rows) as the reference"
    return (isSure ? (isRight ? .right : .wrong) : .unsure, note)
  }

  private func referencePairs() -> [[String]?]? {
    switch reference.split {
    case nil: return nil
    case .fields(let asset, let payment)?:
      return rows.map { row in
        guard let asset = row[asset]?.string, let payment = row[payment]?.string else { return nil }
        return [asset.uppercased(), payment.uppercased()]
      }
    default:
      let texts: [String?]
      if let field = reference.symbolField, rows.first?[field]?.string != nil {
        texts = rows.map { $0[field]?.string }
      } else if case .key? = proposal.symbol?.source {
        return proposal.keys.map { reference.pair(of: $0) }
      } else if case .path(let path)? = proposal.symbol?.source, let query = try? JSONPathQuery(path) {
        texts = rows.map { query.nodes(in: $0).first?.string }
      } else {
        return nil
      }
      let pairs = texts.map { $0.flatMap { reference.pair(of: $0) } }
      return pairs.contains { $0 != nil } ? pairs : nil
    }
  }

  private func percent(_ confidence: Double) -> String { "\(Int(confidence * 100))%" }
}
