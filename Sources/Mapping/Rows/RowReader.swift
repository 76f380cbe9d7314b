import Config
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
  func plainCell(_ column: PlainColumn, at place: RowPlace) -> Cell? {
    plainBytes(column.path, at: place).flatMap {
      Cell(plain: $0, power: column.power, mustBePositive: column.mustBePositive)
    }
  }

  /// A time that is counted in whole units; nil for any other.
  @inline(__always)
  func plainTime(_ column: PlainTime, at place: RowPlace) -> Instant? {
    plainBytes(column.path, at: place).flatMap { Instant(plain: $0, unit: column.unit) }
  }

  /// The characters of a text without escapes, or of a number; nil for anything else.
  @inline(__always)
  func plainBytes(_ path: Int, at place: RowPlace) -> UnsafeBufferPointer<UInt8>? {
    guard case .slot(let slot) = rows.rowValue(path, at: place) else { return nil }
    switch slot.kind {
    case .string where !slot.hasEscapes, .number: return bytes(of: slot)
    default: return nil
    }
  }

  /// The characters of a value. The scan, or the tree, has found them in this very body.
  @inline(__always)
  private func bytes(of slot: ScanSlot) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: body.baseAddress.map { $0 + Int(slot.start) }, count: Int(slot.end) &- Int(slot.start))
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
    var exactText: String?
    switch scalar {
    case .missing(let reason): return ReadNumber(cell: .missing(reason))
    case .number(let decimal) where !value.editsNumbers: number = decimal
    default:
      guard let text = scalar.comparedText else { return ReadNumber(cell: .missing(.notANumber)) }
      switch value.spec.modified(text) {
      case .missing(let reason): return ReadNumber(cell: .missing(reason))
      case let kept:
        guard let read = kept.comparedText.flatMap({ Self.decimal($0) }) else {
          return ReadNumber(cell: .missing(.notANumber))
        }
        number = read.value
        exactText = value.isScaled ? nil : read.exactText
      }
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
    return ReadNumber(cell: .value(number), exactText: exactText)
  }

  private static func decimal(_ text: String) -> (value: Decimal, exactText: String?)? {
    var text = text
    var wasRounded = false
    let value = text.withUTF8 { Decimal.parse($0, wasRounded: &wasRounded) }
    return value.map { ($0, wasRounded ? text : nil) }
  }

  // MARK: Texts and times

  /// A text, after all modifiers; nil where it is missing.
  func text(_ value: ValuePlan, at place: RowPlace) -> String? {
    let scalar = scalar(value, at: place)
    guard !value.isScaled else { return modified(scalar, by: value, at: place).comparedText }
    return scalar.comparedText.flatMap { value.spec.modified($0).comparedText }
  }

  /// What stands behind the modifiers of a value. A text that they leave alone stays where it is, digit by digit.
  private func modified(_ scalar: Scalar, by value: ValuePlan, at place: RowPlace) -> Scalar {
    guard let text = scalar.comparedText else { return scalar }
    guard !value.isScaled else {
      switch slowNumber(value, scalar, at: place).cell {
      case .value(let number): return .number(number)
      case .missing(let reason): return .missing(reason)
      }
    }
    if case .number = scalar, !value.editsNumbers { return scalar }
    let kept = value.spec.modified(text)
    return kept.comparedText == text ? scalar : kept
  }

  func time(_ value: ValuePlan, at place: RowPlace) -> (instant: Instant?, missing: Missing?) {
    var scalar = scalar(value, at: place)
    if value.isScaled { scalar = modified(scalar, by: value, at: place) }
    if case .missing(let reason) = scalar { return (nil, reason) }
    guard let reading = value.time, let text = scalar.comparedText else { return (nil, .notANumber) }
    let edited = value.isScaled ? scalar : value.spec.modified(text)
    if case .missing(let reason) = edited { return (nil, reason) }
    let kept = edited.comparedText ?? ""
    let instant: Instant?
    switch reading {
    case .unit(let unit, let offset):
      // A zone says that the count is of wall time there: a clock that runs ahead is set back.
      instant = Decimal(kept).flatMap { Instant($0, unit: unit) }.flatMap { wall in
        let (time, isOutside) = wall.nanoseconds.subtractingReportingOverflow(Int64(offset) * 1_000_000_000)
        return isOutside ? nil : Instant(nanoseconds: time)
      }
    case .iso8601(let offset): instant = Instant.iso8601(kept, defaultOffsetSeconds: offset)
    case .format(let format, let offset): instant = format.parse(kept, offsetSeconds: offset)
    }
    return (instant, instant == nil ? .notANumber : nil)
  }

  func holds(_ condition: ConditionPlan, at place: RowPlace) -> Bool {
    let scalar = scalar(condition.value, at: place)
    return condition.test.holds(
      for: condition.value.isUntouched ? scalar : modified(scalar, by: condition.value, at: place))
  }

  /// Which basis a value names: that of the alternative taken, else its own.
  func basis(_ value: ValuePlan, at place: RowPlace) -> String? {
    if case .first(let values) = value.origin {
      for alternative in values {
        if case .missing = modified(scalar(alternative, at: place), by: alternative, at: place) { continue }
        return alternative.basis ?? value.basis
      }
    }
    return value.basis
  }

  // MARK: Scalars

  func scalar(_ value: ValuePlan, at place: RowPlace) -> Scalar {
    switch value.origin {
    case .row(let path): return found(rows.rowValue(path, at: place))
    case .response(let path): return found(rows.responseValue(path, at: place))
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
    case .string, .number, .true, .false: return .bytes(bytes(of: slot))
    }
  }

  private func isEmptyContainer(_ slot: ScanSlot) -> Bool {
    body[slot.range].dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
  }

  /// The first that is not missing, whether or not it is what the field needs.
  private func first(_ values: [ValuePlan], at place: RowPlace) -> Scalar {
    var reason = Missing.pathMiss
    for value in values {
      let scalar = modified(scalar(value, at: place), by: value, at: place)
      guard case .missing(let missing) = scalar else { return scalar }
      reason = missing
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
    case "date": return request.dayText
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
      case .row(let row):
        guard let path else { return row.scalar }
        let nodes = row.nodes(at: path, place)
        return nodes.count > 1 ? .missing(.pathMany) : nodes.first?.scalar ?? .missing(.pathMiss)
      }
    }
  }
}
