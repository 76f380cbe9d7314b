import Config
import HTTP
import JSON
package import Quotes

/// The location and content of the records in a response, as the config describes them for a table, a lookup, or one
/// side of an order book.
struct RecordSpec: Sendable {
  var rows: RowsSpec
  /// Whether a whole answer that is one text, number or truth value is a row.
  var mayBeOneValue = false
  var conditions: [ConditionSpec] = []
  var success = SuccessSpec()
  var hook: String?
  var lookups: [LookupSpec] = []
  /// The lookups without which there are no records, besides those that the conditions read.
  var requiredLookups: Set<String> = []
  /// The values of `set`.
  var constants: [(name: String, value: String)] = []
  /// The values by field name.
  var fields: [String: ValueSpec]
  /// A number that rises, by which records of one time are ordered; nil if there is none.
  var sequence: ValueSpec?
  /// The values that are read once from the whole response, by name.
  var answerFields: [String: ValueSpec] = [:]
  /// Whether a response without records is valid, as for one side of an order book.
  var mayBeEmpty = false
  /// Whether every list on the way to the rows has to be there: one that is missing is not empty.
  var needsEveryList = false
  /// The message for a response without records.
  var emptyMessage: String?
  /// Lists of conditions on the whole message, each independent of the others.
  var marks: [[ConditionSpec]] = []
  /// The conditions of every table that reads the same rows of an answer, for those who ask which of them any takes.
  var claims: [[ConditionSpec]] = []
}

extension RecordSpec {
  init(_ table: TableSpec) {
    self.init(
      rows: table.rows, conditions: table.conditions, success: table.success, hook: table.hook, lookups: table.lookups,
      constants: table.set, fields: table.fields)
  }

  init(_ lookup: LookupSpec) {
    self.init(
      rows: lookup.rows, mayBeOneValue: true, conditions: lookup.conditions, success: lookup.success, hook: lookup.hook,
      fields: [NameField.key.rawValue: lookup.key], emptyMessage: LookupTable.emptyMessage, claims: lookup.claims)
  }
}

/// The compiled records of one mapping: paths are numbered, symbol endings sorted, and if all paths are simple, a
/// single scan finds every row in one pass over the bytes. Reads tickers, rates, order book levels, trades and lookup
/// rows.
///
/// A class because every reader of a response or message holds it: one reference instead of twenty.
package final class RecordPlan<Field: RecordField>: Sendable {
  let spec: RecordSpec
  let paths: PathList
  /// nil if a tree is needed.
  let scan: RowScan?
  let success: [ConditionPlan]
  let conditions: [ConditionPlan]
  let symbol: SymbolPlan
  /// Whether each record belongs to a pair; otherwise `symbol` is empty.
  let namesPair: Bool
  /// By field index.
  let values: [ValuePlan?]
  /// The fields that are plain numbers, by field index.
  let plainNumbers: [PlainNumber?]
  /// The fields that are plain times, by field index.
  let plainTimes: [PlainTime?]
  /// The fields that are plain texts, by field index.
  let plainTexts: [PlainText?]
  /// A number that rises, by which records of one time are ordered; nil if there is none.
  let sequence: ValuePlan?
  /// The values that are read once from the whole response, by name.
  let answerValues: [String: ValuePlan]
  let lookups: [LookupPlan]
  /// The lookups without which there are no records: those of the spec, those that conditions read and cannot do
  /// without, and those that such a lookup's `match` reads.
  let requiredLookups: Set<String>
  /// By index in the spec's `marks`.
  let marks: [[ConditionPlan]]
  /// By index in the spec's `claims`.
  let claims: [[ConditionPlan]]

  /// - Parameters:
  ///   - market: nil if there are no products to distinguish.
  ///   - usesScan: false reads every response through a tree, whatever its paths. Both ways must agree, which a test
  ///     verifies.
  convenience init(_ table: TableSpec, market: Market?, usesScan: Bool) {
    self.init(RecordSpec(table), of: table, market: market, usesScan: usesScan)
  }

  /// - Parameter spec: the records of the table, if they are not its own rows.
  convenience init(_ spec: RecordSpec, of table: TableSpec, market: Market?, usesScan: Bool) {
    var compiler = ValueCompiler(lookups: spec.lookups.map(\.name), constants: spec.constants)
    let symbol = SymbolPlan(table, market: market, &compiler)
    self.init(spec, symbol, namesPair: true, &compiler, usesScan: usesScan)
  }

  /// Creates a plan for records that name no pair.
  convenience init(_ spec: RecordSpec, usesScan: Bool) {
    var compiler = ValueCompiler()
    self.init(spec, SymbolPlan(), namesPair: false, &compiler, usesScan: usesScan)
  }

  private init(
    _ spec: RecordSpec, _ symbol: SymbolPlan, namesPair: Bool, _ compiler: inout ValueCompiler, usesScan: Bool
  ) {
    self.spec = spec
    self.symbol = symbol
    self.namesPair = namesPair
    success = compiler.overResponse(spec.success.conditions)
    conditions = spec.conditions.map { compiler.condition($0) }
    claims = spec.claims.map { claim in claim.map { compiler.condition($0) } }
    values = Field.allCases.map { field in spec.fields[field.rawValue].map { compiler.value($0) } }
    plainNumbers = zip(Field.allCases, values).map { field, value in value.flatMap { PlainNumber($0, field.kind) } }
    plainTimes = zip(Field.allCases, values).map { field, value in
      field.kind == .time ? value.flatMap { PlainTime($0) } : nil
    }
    plainTexts = values.map { $0.flatMap { PlainText($0) } }
    sequence = spec.sequence.map { compiler.value($0) }
    answerValues = spec.answerFields.mapValues { compiler.overResponse($0) }
    lookups = compiler.lookups(spec.lookups)
    let excused = spec.lookups.lazy.filter(\.isOptional).map(\.name)
    requiredLookups = spec.lookups.names(
      behind: Set(spec.conditions.flatMap(\.value.lookupNames)).subtracting(excused).union(spec.requiredLookups))
    marks = spec.marks.map { compiler.overResponse($0) }
    paths = compiler.paths
    let needsTree = spec.lookups.contains(where: \.isOfRows)
    scan = usesScan && !needsTree ? paths.scan(rows: spec.rows) : nil
  }

  /// Whether any path may need to be filled in with the row's own pair: scans have no such paths, but lookups may.
  var fillsPaths: Bool { scan == nil || !lookups.isEmpty }

  subscript(_ field: Field) -> ValuePlan? { values[field.index] }

  /// Returns the scope of its own values within that of the message: the state of its own lookups, in their order.
  func scope(in message: ValueScope) -> ValueScope {
    if lookups.isEmpty { return .empty }
    return ValueScope(
      lookups: lookups.map { own in
        let known = message.lookups.first { $0.plan.name == own.name }
        return ResolvedLookup(plan: own, state: known?.state ?? .notRequested)
      })
  }
}

/// The context for reading a response, besides the mapping.
package struct ReadingContext: Sendable {
  /// The request's context; nil for a lookup.
  package var request: RequestContext?
  /// The state of each lookup, by name.
  var lookups: [String: LookupState]
  var hooks: HookRegistry
  /// Whether the run is over: see ``RequestContext/isLate``.
  var isLate: @Sendable () -> Bool

  package init(
    _ request: RequestContext? = nil, lookups: [String: LookupState] = [:], hooks: HookRegistry = HookRegistry()
  ) {
    self.request = request
    self.lookups = lookups
    self.hooks = hooks
    if let request { isLate = request.isLate } else { isLate = { false } }
  }

  /// Whether one pair was requested: only then can it be unlisted or halted.
  var isForPair: Bool { request?.pair != nil }
}

/// A visitor of the rows of a response, however they were found.
protocol RowVisitor {
  associatedtype Output

  func read<Rows>(_ reader: ValueReader<Rows>) throws(AnswerFailure) -> Output
}

extension RecordPlan {
  /// Finds the rows of a response, in one pass if possible, and has `visitor` read them.
  ///
  /// - Throws: `AnswerFailure` if the response is an error, lacks such rows, or lacks a lookup that they need.
  func read<Visitor: RowVisitor>(
    _ answer: HTTPResponse, _ context: ReadingContext, _ visitor: Visitor
  ) throws(AnswerFailure) -> Visitor.Output {
    // Small responses are always read, but a large one must not take time from the others once the run is over.
    if answer.body.count > 1 << 20, context.isLate() { throw .late }
    let body = try AnswerReader.json(answer, hook: spec.hook, hooks: context.hooks)
    guard let scan else {
      let document = try AnswerReader.document(answer, body, success: spec.success, isForPair: context.isForPair)
      return try readTree(document, answer, context) { (_, reader) throws(AnswerFailure) in try visitor.read(reader) }
    }
    let result = try scanned(answer, body, context) { () throws(JSONSyntaxError) in
      try scan.plan.scan(body, maximumRows: AnswerLimit.rows)[0]
    }
    return try read(result, by: scan, body, answer, context, visitor)
  }

  /// Scans the body of a response in one pass.
  ///
  /// - Throws: `AnswerFailure` with the reason if it is not JSON.
  func scanned<Result>(
    _ answer: HTTPResponse, _ body: [UInt8], _ context: ReadingContext, _ scan: () throws(JSONSyntaxError) -> Result
  ) throws(AnswerFailure) -> Result {
    do {
      return try scan()
    } catch {
      throw AnswerReader.unreadable(answer, error, in: body, success: spec.success, isForPair: context.isForPair)
    }
  }

  /// Does the same with the result of a pass over the body, which may have found the rows of other plans as well.
  func read<Visitor: RowVisitor>(
    _ result: ScanResult, by scan: RowScan, _ body: [UInt8], _ answer: HTTPResponse, _ context: ReadingContext,
    _ visitor: Visitor
  ) throws(AnswerFailure) -> Visitor.Output {
    let rows = body.withUnsafeBufferPointer { ScannedRows(result, scan, in: $0) }
    return try read(rows, body, answer, context) { (reader) throws(AnswerFailure) in
      try visitor.read(reader)
    }
  }

  /// Does the same with a tree.
  ///
  /// - Parameter answer: nil if its success has already been checked.
  func readTree<Output>(
    _ document: JSONDocument, _ answer: HTTPResponse?, _ context: ReadingContext,
    _ visit: (TreeRows, ValueReader<TreeRows>) throws(AnswerFailure) -> Output
  ) throws(AnswerFailure) -> Output {
    var context = context
    for lookup in spec.lookups where lookup.isOfRows {
      do {
        context.lookups[lookup.name] = .table(try LookupTable(lookup, document: document, nil, context.isLate))
      } catch {
        context.lookups[lookup.name] = .failed(error)
      }
    }
    let rows = TreeRows(
      document, spec.rows, paths: paths, mayBeOneValue: spec.mayBeOneValue, needsEveryList: spec.needsEveryList)
    return try read(rows, document.bytes, answer, context) { (reader) throws(AnswerFailure) in try visit(rows, reader) }
  }

  private func read<Rows: RowSource, Output>(
    _ rows: Rows, _ body: [UInt8], _ answer: HTTPResponse?, _ context: ReadingContext,
    _ visit: (ValueReader<Rows>) throws(AnswerFailure) -> Output
  ) throws(AnswerFailure) -> Output {
    let scope = ValueScope(lookups, states: context.lookups, request: context.request, isLate: context.isLate)
    return try body.withUnsafeBufferPointer { (bytes) throws(AnswerFailure) in
      let reader = ValueReader(rows: rows, body: bytes, scope)
      if let answer {
        let isSuccess = success.allSatisfy { reader.holds($0, at: RowPlace(index: 0)) }
        try AnswerReader.requireSuccess(of: answer, isMet: isSuccess, spec.success, isForPair: context.isForPair) {
          AnswerReader.document(body)
        }
      }
      if let failure = rows.failure { throw AnswerReader.adding(wordsOf: body, to: failure) }
      guard rows.count <= AnswerLimit.rows else { throw AnswerReader.tooLarge("\(AnswerLimit.rows) rows") }
      guard rows.count > 0 || spec.mayBeEmpty else { throw emptyAnswer(answer, body, context) }
      // Lookups are only checked now: an exchange error or a response without rows is more informative than a failed
      // lookup.
      for lookup in scope.lookups where requiredLookups.contains(lookup.plan.name) {
        if case .failed(let failure) = lookup.state { throw failure.ofLookup(lookup.plan.name) }
      }
      do throws(AnswerFailure) {
        return try visit(reader)
      } catch {
        throw error.reason == .unsplit ? AnswerReader.unsplit(body, rows: spec.rows, error) : error
      }
    }
  }

  private func emptyAnswer(_ answer: HTTPResponse?, _ body: [UInt8], _ context: ReadingContext) -> AnswerFailure {
    if let answer, context.isForPair, let document = AnswerReader.document(body),
      let absence = AnswerReader.absence(document, status: answer.status, success: spec.success)
    {
      return absence
    }
    return AnswerReader.adding(wordsOf: body, to: AnswerFailure(.emptyAnswer, spec.emptyMessage))
  }
}

extension AnswerFailure {
  /// The response arrived, but there was no time left to read it.
  static let late = AnswerFailure(.timeout, "the run's time limit expired before the answer was read")
}

extension LookupSpec {
  /// Whether it is read from the response that contains the rows.
  fileprivate var isOfRows: Bool { request == nil && !isOfMessages }
}
