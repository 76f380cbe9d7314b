import Catalog
import JSON
import JSONPath
import Quotes

/// Reads values from one answer, row by row.
///
/// Its pointer is into the answer's body, and so it must not outlive the closure that lent it.
struct RowReader<Rows: RowSource> {
  let plan: TablePlan
  let rows: Rows
  let body: UnsafeBufferPointer<UInt8>
  let lookups: [LookupState]
  let request: RequestContext

  // MARK: Numbers

  /// The hot path of every table: the number at the end of a path, with nothing between the digits and the value but a
  /// unit's power of ten.
  ///
  /// nil where the value turns out to be no plain number: then `number(_:at:)` has to look at it.
  @inline(__always)
  func plainNumber(_ column: PlainColumn, at place: RowPlace) -> Decimal? {
    guard let bytes = plainBytes(column.path, at: place) else { return nil }
    var wasRounded = false
    guard let decimal = Decimal.parse(bytes, wasRounded: &wasRounded), !wasRounded else { return nil }
    return column.power == 0 ? decimal : decimal.scaledByPowerOfTen(column.power)
  }

  /// A time that is counted in whole units; nil for any other.
  @inline(__always)
  func plainTime(_ column: PlainTime, at place: RowPlace) -> Instant? {
    guard let bytes = plainBytes(column.path, at: place) else { return nil }
    var wasRounded = false
    return Decimal.parse(bytes, wasRounded: &wasRounded)?.wholeNumber.flatMap { Instant($0, unit: column.unit) }
  }

  /// The characters of a text without escapes, or of a number; nil for anything else.
  @inline(__always)
  func plainBytes(_ path: Int, at place: RowPlace) -> UnsafeBufferPointer<UInt8>? {
    guard case .slot(let slot) = rows.rowValue(path, at: place, book: plan.book),
      slot.kind == .string || slot.kind == .number, !slot.hasEscapes
    else { return nil }
    return UnsafeBufferPointer(rebasing: body[slot.range])
  }

  func number(_ value: ValuePlan, at place: RowPlace) -> ReadNumber {
    let scalar = scalar(value, at: place)
    guard case .bytes(let bytes) = scalar, value.isPlain else { return slowNumber(value, scalar, at: place) }
    var wasRounded = false
    guard let decimal = Decimal.parse(bytes, wasRounded: &wasRounded) else {
      return slowNumber(value, scalar, at: place)
    }
    guard wasRounded else { return ReadNumber(cell: .value(decimal)) }
    return ReadNumber(cell: .value(decimal), exactText: String(decoding: bytes, as: UTF8.self))
  }

  private func slowNumber(_ value: ValuePlan, _ scalar: Scalar, at place: RowPlace) -> ReadNumber {
    var number: Decimal
    switch scalar {
    case .missing(let reason): return ReadNumber(cell: .missing(reason))
    case .container: return ReadNumber(cell: .missing(.notANumber))
    case .number(let decimal): number = decimal
    case .bytes, .text:
      guard let text = scalar.comparedText, let kept = value.spec.modified(text) else {
        return ReadNumber(cell: .missing(.jsonNull))
      }
      guard let decimal = Decimal(kept) else { return ReadNumber(cell: .missing(.notANumber)) }
      number = decimal
    }
    if let decimals = value.decimals.first {
      switch self.number(decimals, at: place).cell {
      case .missing(let reason): return ReadNumber(cell: .missing(reason))
      case .value(let places):
        guard let places = Int(places.shortest), (-100...100).contains(places) else {
          return ReadNumber(cell: .missing(.notANumber))
        }
        number = number.scaledByPowerOfTen(-places)
      }
    }
    if let scale = value.scale { number = number.scaled(by: scale) }
    return ReadNumber(cell: .value(number))
  }

  // MARK: Texts and times

  /// A text, after `capture`, `strip` and `missing`.
  func text(_ value: ValuePlan, at place: RowPlace) -> String? {
    scalar(value, at: place).comparedText.flatMap { value.spec.modified($0) }
  }

  func time(_ value: ValuePlan, at place: RowPlace) -> (instant: Instant?, missing: Missing?) {
    let scalar = scalar(value, at: place)
    if case .missing(let reason) = scalar { return (nil, reason) }
    guard let reading = value.time, let text = scalar.comparedText else { return (nil, .notANumber) }
    guard let kept = value.spec.modified(text) else { return (nil, .jsonNull) }
    let instant: Instant?
    switch reading {
    case .unit(let unit, let offset):
      // A zone says that the count is of wall time there: a clock that runs ahead is set back.
      instant = Decimal(kept).flatMap { Instant($0, unit: unit) }.map {
        Instant(nanoseconds: $0.nanoseconds - Int64(offset) * 1_000_000_000)
      }
    case .iso8601(let offset): instant = Instant.iso8601(kept, defaultOffsetSeconds: offset)
    case .format(let format, let offset): instant = format.parse(kept, offsetSeconds: offset)
    }
    return (instant, instant == nil ? .notANumber : nil)
  }

  func holds(_ condition: ConditionPlan, at place: RowPlace) -> Bool {
    condition.holds(for: scalar(condition.value, at: place))
  }

  /// Which basis a value names: that of the alternative taken, else its own.
  func basis(_ value: ValuePlan, at place: RowPlace) -> String? {
    if case .first(let values) = value.origin {
      for alternative in values {
        if case .missing = number(alternative, at: place).cell { continue }
        return alternative.basis ?? value.basis
      }
    }
    return value.basis
  }

  // MARK: Scalars

  func scalar(_ value: ValuePlan, at place: RowPlace) -> Scalar {
    switch value.origin {
    case .row(let path): return found(rows.rowValue(path, at: place, book: plan.book))
    case .response(let path): return found(rows.responseValue(path, book: plan.book))
    case .constant(let text): return .text(text)
    case .key: return rows.key(place.index, in: body).map { .text($0) } ?? .missing(.pathMiss)
    case .request(let name): return requestValue(name).map { .text($0) } ?? .missing(.pathMiss)
    case .lookup(let index, let path): return lookupValue(index, path, at: place)
    case .first(let values): return first(values, at: place)
    case .sum(let values): return fold(values, at: place) { $0 + $1 }
    case .product(let values): return fold(values, at: place) { $0 * $1 }
    case .difference(let values): return fold(values, at: place) { $0 - $1 }
    case .quotient(let values): return fold(values, at: place) { $0.divided(by: $1) }
    case .join(let values, let separator):
      let texts = values.map { text($0, at: place) }
      return texts.contains(nil) ? .missing(.pathMiss) : .text(texts.compactMap(\.self).joined(separator: separator))
    case .fromOpen(let open): return scalar(open, at: place)
    }
  }

  private func found(_ found: FoundValue) -> Scalar {
    guard case .slot(let slot) = found else { return .missing(.pathMany) }
    switch slot.kind {
    case .missing: return .missing(.pathMiss)
    case .null: return .missing(.jsonNull)
    case .array, .object:
      return .container(isArray: slot.kind == .array, isEmpty: isEmptyContainer(slot))
    case .string where slot.hasEscapes:
      return .text(decodedString(Array(body[slot.range]), slot: slot.rebased))
    case .string, .number, .true, .false: return .bytes(UnsafeBufferPointer(rebasing: body[slot.range]))
    }
  }

  private func isEmptyContainer(_ slot: ScanSlot) -> Bool {
    body[slot.range].dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
  }

  private func first(_ values: [ValuePlan], at place: RowPlace) -> Scalar {
    var reason = Missing.pathMiss
    for value in values {
      // A number first, since that is what alternatives are for; a text where no number can be made of it.
      switch number(value, at: place).cell {
      case .value(let number): return .number(number)
      case .missing(.notANumber):
        if let text = text(value, at: place) { return .text(text) }
        reason = .notANumber
      case .missing(let missing): reason = missing
      }
    }
    return .missing(reason)
  }

  private func fold(
    _ values: [ValuePlan], at place: RowPlace, _ combine: (Decimal, Decimal) -> Decimal?
  ) -> Scalar {
    var total: Decimal?
    for value in values {
      switch number(value, at: place).cell {
      case .missing(let reason): return .missing(reason)
      case .value(let number):
        guard let sum = total else {
          total = number
          continue
        }
        guard let next = combine(sum, number) else { return .missing(.zero) }
        total = next
      }
    }
    return total.map { .number($0) } ?? .missing(.pathMiss)
  }

  private func requestValue(_ name: String) -> String? {
    if let constant = plan.spec.set.first(where: { $0.name == name }) { return constant.value }
    switch name {
    case "asset": return request.pair?.asset
    case "payment": return request.pair?.payment
    case "keys": return request.keys
    case "date": return request.date.iso8601.prefix { $0 != "T" }.description
    default: return nil
    }
  }

  private func lookupValue(_ index: Int, _ path: PathSpec?, at place: RowPlace) -> Scalar {
    switch lookups[index] {
    case .notAsked: return .missing(.notAsked)
    case .failed: return .missing(.lookupFailed(Label(plan.lookups[index].spec.name)))
    case .table(let table):
      guard let key = text(plan.lookups[index].match, at: place) else { return .missing(.lookupMiss) }
      switch table[key] {
      case .missing: return .missing(.lookupMiss)
      case .ambiguous: return .missing(.lookupAmbiguous)
      case .row(let node):
        guard let path else { return node.scalar }
        let nodes = path.query.nodes(in: node)
        return nodes.count > 1 ? .missing(.pathMany) : nodes.first?.scalar ?? .missing(.pathMiss)
      }
    }
  }
}
