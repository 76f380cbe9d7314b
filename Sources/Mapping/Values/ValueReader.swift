package import Config
import JSON
import Quotes

/// A number, with its digits if it has more than a decimal holds.
struct ReadNumber {
  var cell: Cell
  var exactText: String?
}

/// What values come from besides their row: lookups and the request.
///
/// A class because all messages of a connection have the same.
final class ValueScope: Sendable {
  /// In mapping order.
  let lookups: [ResolvedLookup]
  /// The values of `from: "request"`.
  let request: RequestContext?
  /// Whether the time for reading is over.
  let isLate: @Sendable () -> Bool

  static let empty = ValueScope()

  init(
    lookups: [ResolvedLookup] = [], request: RequestContext? = nil,
    isLate: @escaping @Sendable () -> Bool = { false }
  ) {
    self.lookups = lookups
    self.request = request
    self.isLate = isLate
  }

  /// - Parameter states: the state of each lookup, by name.
  convenience init(
    _ plans: [LookupPlan], states: [String: LookupState], request: RequestContext? = nil,
    isLate: @escaping @Sendable () -> Bool = { false }
  ) {
    let lookups = plans.map { ResolvedLookup(plan: $0, state: states[$0.name] ?? .notRequested) }
    self.init(lookups: lookups, request: request, isLate: isLate)
  }
}

/// A reader of values from one response, row by row.
///
/// Its pointer is into the response body, so it must not outlive the closure that lent it. A class because every row
/// holds it: one reference instead of a dozen.
final class ValueReader<Rows: RowSource> {
  let rows: Rows
  let body: UnsafeBufferPointer<UInt8>
  private let scope: ValueScope

  init(rows: consuming Rows, body: UnsafeBufferPointer<UInt8>, _ scope: ValueScope = .empty) {
    self.rows = rows
    self.body = body
    self.scope = scope
  }

  var lookups: [ResolvedLookup] { scope.lookups }
  var request: RequestContext? { scope.request }
  var isLate: @Sendable () -> Bool { scope.isLate }

  // MARK: Numbers

  /// Returns the number at the end of a path, with nothing between the digits and the value but a unit's power of ten.
  /// This is the hot path of every table.
  ///
  /// Returns nil if the value is not a plain number: then use `number(_:at:)`.
  @inline(__always)
  func plainCell(_ number: PlainNumber, at place: RowPlace) -> Cell? {
    guard case .slot(let slot) = rows.rowValue(number.path, at: place) else { return nil }
    return plainCell(number, of: slot)
  }

  /// Does the same for the slot that the path led to.
  @inline(__always)
  func plainCell(_ number: PlainNumber, of slot: ScanSlot) -> Cell? {
    plainBytes(of: slot).flatMap { Cell(plain: $0, power: number.power, mustBePositive: number.mustBePositive) }
  }

  /// Returns a time counted in whole units; nil for any other.
  @inline(__always)
  func plainTime(_ time: PlainTime, at place: RowPlace) -> Instant? {
    plainBytes(time.path, at: place).flatMap { Instant(plain: $0, unit: time.unit) }
  }

  /// Does the same with a path from the whole response.
  @inline(__always)
  func plainTimeOfResponse(_ time: PlainTime, at place: RowPlace) -> Instant? {
    guard case .slot(let slot) = rows.responseValue(time.path, at: place) else { return nil }
    return plainBytes(of: slot).flatMap { Instant(plain: $0, unit: time.unit) }
  }

  /// Returns whether a path leads to nothing.
  @inline(__always)
  func isMissing(_ path: Int, at place: RowPlace) -> Bool {
    if case .slot(let slot) = rows.rowValue(path, at: place), case .missing = slot.kind { true } else { false }
  }

  /// Returns the characters of a string without escapes, or of a number; nil for anything else.
  @inline(__always)
  func plainBytes(_ path: Int, at place: RowPlace) -> UnsafeBufferPointer<UInt8>? {
    guard case .slot(let slot) = rows.rowValue(path, at: place) else { return nil }
    return plainBytes(of: slot)
  }

  @inline(__always)
  private func plainBytes(of slot: ScanSlot) -> UnsafeBufferPointer<UInt8>? {
    switch slot.kind {
    // The scan or tree found this slot in this very body.
    case .string where !slot.hasEscapes, .number:
      return UnsafeBufferPointer(
        start: body.baseAddress.map { $0 + Int(slot.start) }, count: Int(slot.end) &- Int(slot.start))
    default: return nil
    }
  }

  /// Returns the characters of a string without escapes, of a number, true or false; nil for anything else.
  func plainText(_ text: PlainText, at place: RowPlace) -> UnsafeBufferPointer<UInt8>? {
    guard case .slot(let slot) = rows.rowValue(text.path, at: place) else { return nil }
    switch slot.kind {
    case .string where !slot.hasEscapes, .number, .true, .false:
      let characters = UnsafeBufferPointer(rebasing: body[slot.range])
      return PlainText.mayBeMissing(characters) ? nil : characters
    default: return nil
    }
  }

  func number(_ value: ValuePlan, at place: RowPlace) -> ReadNumber {
    let scalar = scalar(value, at: place)
    guard case .bytes(let bytes) = scalar, value.isPlain else { return editedNumber(value, scalar, at: place) }
    var wasRounded = false
    guard let decimal = Decimal.parse(bytes, wasRounded: &wasRounded) else {
      return editedNumber(value, scalar, at: place)
    }
    guard !decimal.isBeyondMarkets else { return ReadNumber(cell: .missing(.notANumber)) }
    guard wasRounded else { return ReadNumber(cell: .value(decimal)) }
    return ReadNumber(cell: .value(decimal), exactText: String(decoding: bytes, as: UTF8.self))
  }

  private func editedNumber(_ value: ValuePlan, _ scalar: Scalar, at place: RowPlace) -> ReadNumber {
    var number: Decimal
    var exactText: String?
    switch scalar {
    case .missing(let reason): return ReadNumber(cell: .missing(reason))
    case .number(let decimal) where !value.editsNumbers: number = decimal
    default:
      guard let text = scalar.comparedText else { return ReadNumber(cell: .missing(.notANumber)) }
      switch value.edited(text) {
      case .missing(let reason): return ReadNumber(cell: .missing(reason))
      case let edited:
        guard let read = edited.comparedText.flatMap({ Self.decimal($0) }) else {
          return ReadNumber(cell: .missing(.notANumber))
        }
        number = read.value
        exactText = value.isScaled ? nil : read.exactText
      }
    }
    if let decimals = value.decimals {
      switch self.number(decimals, at: place).cell {
      case .missing(let reason): return ReadNumber(cell: .missing(reason))
      case .value(let places):
        guard let places = Int(places.shortest), (-100...100).contains(places) else {
          return ReadNumber(cell: .missing(.notANumber))
        }
        number = number.scaledByPowerOfTen(-places)
      }
    }
    if let scale = value.spec.scale { number = number.scaled(by: scale) }
    guard !number.isBeyondMarkets else { return ReadNumber(cell: .missing(.notANumber)) }
    return ReadNumber(cell: .value(number), exactText: exactText)
  }

  private static func decimal(_ text: String) -> (value: Decimal, exactText: String?)? {
    var text = text
    var wasRounded = false
    let value = text.withUTF8 { Decimal.parse($0, wasRounded: &wasRounded) }
    return value.map { ($0, wasRounded ? text : nil) }
  }

  // MARK: Texts, times, conditions

  /// Applies the modifiers of a value. Text that they leave unchanged is returned as it is, digit by digit.
  private func edited(_ scalar: Scalar, by value: ValuePlan, at place: RowPlace) -> Scalar {
    guard let text = scalar.comparedText else { return scalar }
    guard !value.isScaled else {
      switch editedNumber(value, scalar, at: place).cell {
      case .value(let number): return .number(number)
      case .missing(let reason): return .missing(reason)
      }
    }
    if case .number = scalar, !value.editsNumbers { return scalar }
    let edited = value.edited(text)
    return edited.comparedText == text ? scalar : edited
  }

  func edited(_ value: ValuePlan, at place: RowPlace) -> Scalar {
    edited(scalar(value, at: place), by: value, at: place)
  }

  /// Returns a text after all modifiers; nil if it is missing.
  func text(_ value: ValuePlan, at place: RowPlace) -> String? { edited(value, at: place).comparedText }

  /// Returns what a row has instead of the text of a value.
  func lack(of value: ValuePlan, at place: RowPlace) -> TickerTable.Lack {
    switch scalar(value, at: place) {
    case .missing(.pathMiss): return .nothing
    case .missing(.jsonNull): return .other("null")
    case .missing: return .other("several values")
    case .container(let isArray, _): return .other(isArray ? "an array" : "an object")
    case let scalar:
      let text = scalar.comparedText ?? ""
      let quoted = "\"\(AnswerReader.shortened(text))\""
      if case .missing(.notANumber) = value.edited(text) { return .unmatched(quoted) }
      return .other(quoted)
    }
  }

  func time(_ value: ValuePlan, at place: RowPlace) -> (instant: Instant?, missing: Missing?) {
    let scalar = edited(value, at: place)
    if case .missing(let reason) = scalar { return (nil, reason) }
    guard let reading = value.spec.time, let text = scalar.comparedText else { return (nil, .notANumber) }
    let instant = reading.instant(text)
    return (instant, instant == nil ? .notANumber : nil)
  }

  func holds(_ condition: ConditionPlan, at place: RowPlace) -> Bool {
    if isPlainly(condition, at: place) { return true }
    let scalar = scalar(condition.value, at: place)
    if isExcused(scalar) { return true }
    return condition.test.holds(
      for: condition.value.isUntouched ? scalar : edited(scalar, by: condition.value, at: place))
  }

  /// Returns whether the value has exactly the characters that the condition wants; if not, it may still hold.
  @inline(__always)
  private func isPlainly(_ condition: ConditionPlan, at place: RowPlace) -> Bool {
    guard let plain = condition.plain else { return false }
    let result = plain.isOfRow ? rows.rowValue(plain.path, at: place) : rows.responseValue(plain.path, at: place)
    guard case .slot(let slot) = result, let bytes = plainBytes(of: slot), bytes.count == plain.characters.count else {
      return false
    }
    for index in bytes.indices where bytes[index] != plain.characters[index] { return false }
    return true
  }

  /// Returns whether a condition is met for want of what it reads: the lookup failed, and is optional.
  private func isExcused(_ scalar: Scalar) -> Bool {
    guard case .missing(.lookupFailed(let name)) = scalar else { return false }
    return lookups.contains { $0.plan.isOptional && InternedText($0.plan.name) == name }
  }

  /// Returns the basis of a value: that of the alternative used, else its own.
  func basis(_ value: ValuePlan, at place: RowPlace) -> String? {
    if case .first(let values) = value.origin {
      for alternative in values {
        if case .missing = edited(alternative, at: place) { continue }
        return alternative.spec.basis ?? value.spec.basis
      }
    }
    return value.spec.basis
  }

  // MARK: Scalars

  func scalar(_ value: ValuePlan, at place: RowPlace) -> Scalar {
    switch value.origin {
    case .row(let path): return Scalar(rows.rowValue(path, at: place), in: body)
    case .response(let path): return Scalar(rows.responseValue(path, at: place), in: body)
    case .parent(let path): return Scalar(rows.parentValue(path, at: place), in: body)
    case .constant(let text): return .text(text)
    case .key(let levelsUp):
      return rows.key(place.index, levelsUp: levelsUp, in: body).map { .text($0) } ?? .missing(.pathMiss)
    case .request(let value): return text(of: value).map { .text($0) } ?? .missing(.pathMiss)
    case .lookup(let index, let path): return lookupValue(index, path, at: place)
    case .first(let values): return first(values, at: place)
    case .arithmetic(let operation, let values): return computed(operation, values, at: place)
    case .join(let values, let separator):
      let texts = values.map { text($0, at: place) }
      return texts.contains(nil) ? .missing(.pathMiss) : .text(texts.compactMap(\.self).joined(separator: separator))
    case .template(let template, let constants):
      let text =
        request.flatMap { template.filled($0.spelling, constants) }
        ?? place.spelling.flatMap { template.filled($0, constants) }
      return text.map { .text($0) } ?? .missing(.pathMiss)
    case .fromOpen(let open): return scalar(open, at: place)
    }
  }

  /// Returns the first value that is not missing, whether or not it is what the field needs.
  private func first(_ values: [ValuePlan], at place: RowPlace) -> Scalar {
    var reason = Missing.pathMiss
    for value in values {
      let scalar = edited(value, at: place)
      guard case .missing(let missing) = scalar else { return scalar }
      reason = missing
    }
    return .missing(reason)
  }

  private func computed(_ operation: ValuePlan.Arithmetic, _ values: [ValuePlan], at place: RowPlace) -> Scalar {
    var result: Decimal?
    for value in values {
      switch number(value, at: place).cell {
      case .missing(let reason): return .missing(reason)
      case .value(let number):
        guard let next = result.map({ operation($0, number) }) ?? number else { return .missing(.zero) }
        result = next
      }
    }
    return result.map { .number($0) } ?? .missing(.pathMiss)
  }

  private func text(of value: ValuePlan.RequestValue) -> String? {
    switch value {
    case .constant(let text): text
    case .asset: request?.pair?.asset
    case .payment: request?.pair?.payment
    case .keys: request?.keys
    case .date: request?.dayText
    case .unknown: nil
    }
  }

  /// Returns the key that a value looks up, found or not; nil if it does not use a lookup.
  func sought(_ value: ValuePlan, at place: RowPlace) -> String? {
    guard case .lookup(let index, _) = value.origin, lookups.indices.contains(index) else { return nil }
    return text(lookups[index].plan.match, at: place)
  }

  private func lookupValue(_ index: Int, _ path: Int, at place: RowPlace) -> Scalar {
    guard lookups.indices.contains(index) else { return .missing(.notRequested) }
    let lookup = lookups[index]
    switch lookup.state {
    case .notRequested: return .missing(.notRequested)
    case .failed: return .missing(.lookupFailed(InternedText(lookup.plan.name)))
    case .table(let table):
      guard let key = text(lookup.plan.match, at: place) else { return .missing(.lookupMiss) }
      switch table[key] {
      case .missing: return .missing(.lookupMiss)
      case .ambiguous: return .missing(.lookupAmbiguous)
      case .row(let row):
        let result = PathResult(in: row, at: lookup.plan.paths.row[path], place)
        return row.nodes[0].document.bytes.withUnsafeBufferPointer { Scalar(result, in: $0).copied }
      }
    }
  }
}

// MARK: Standalone values

/// A value of the config, compiled on its own to be read from tree rows.
package struct TreeValue {
  private let value: ValuePlan
  private let paths: PathList

  package init(_ spec: ValueSpec) {
    var compiler = ValueCompiler()
    value = compiler.value(spec)
    paths = compiler.paths
  }

  /// Returns the text of the value; nil if it is missing.
  package func text(of row: TreeRow) -> String? { row.reading(paths) { $0.text(value, at: RowPlace(index: 0)) } }
}

/// A condition of the config, compiled on its own to be tested on tree rows.
package struct TreeCondition {
  private let condition: ConditionPlan
  private let paths: PathList

  package init(_ spec: ConditionSpec) {
    var compiler = ValueCompiler()
    condition = compiler.condition(spec)
    paths = compiler.paths
  }

  package func holds(for row: TreeRow) -> Bool { row.reading(paths) { $0.holds(condition, at: RowPlace(index: 0)) } }
}

extension TreeRow {
  fileprivate func reading<Value>(_ paths: PathList, _ read: (ValueReader<TreeRows>) -> Value) -> Value {
    let document = nodes[0].document
    let rows = TreeRows(document, [self], paths: paths)
    return document.bytes.withUnsafeBufferPointer { read(ValueReader(rows: rows, body: $0)) }
  }
}
