import Config
import JSON
import JSONPath

/// The rows of an answer, however they were found: in one pass over the bytes, or in a tree.
///
/// Both give places in the same text, so all that follows is one and the same.
protocol RowSource {
  var count: Int { get }

  /// Why there is no container of rows, nil where there is one.
  var failure: String? { get }

  /// Where a path of the table's book leads to from a row.
  func rowValue(_ path: Int, at place: RowPlace) -> FoundValue

  /// Where a path of the table's book leads to from the whole answer.
  func responseValue(_ path: Int, at place: RowPlace) -> FoundValue

  /// The member's name or the index that led to a row.
  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String?
}

/// Where a path led to.
enum FoundValue {
  case slot(ScanSlot)
  case several
}

/// Rows found in one pass over the bytes.
struct ScannedRows: RowSource {
  let result: ScanResult
  let slots: ScanSlots
  let count: Int
  let failure: String?
  /// Whether the plan has one row in the place of a container of rows.
  let isSingle: Bool
  /// The key of the one row of a plan without a container; nil where the row is the whole answer.
  let singleKey: String?

  /// - Parameter slots: those of the result, which lends them.
  init(_ result: ScanResult, _ slots: ScanSlots, plan: TablePlan) {
    self.result = result
    self.slots = slots
    isSingle = plan.singleRowPath != nil
    if let leadPath = plan.singleRowPath {
      let lead = result.slot(row: 0, path: leadPath)
      count = lead.kind == .object || lead.kind == .array ? 1 : 0
      failure = count == 1 || lead.kind == .null ? nil : "the path of the row leads to \(lead.kind.phrase)"
      singleKey = plan.singleRowKey
      return
    }
    singleKey = nil
    switch result.containerKind {
    case .array, .object:
      count = result.rowCount
      failure = nil
    case let kind:
      count = 0
      failure = "the path of the rows leads to \(kind.phrase)"
    }
  }
}

/// Rows found in a tree: for filters, names with a template, zipped arrays and lookups over the answer itself.
struct WalkedRows: RowSource {
  let document: JSONDocument
  let book: PathBook
  let rows: [TreeRow]
  let failure: String?

  var count: Int { rows.count }

  init(_ document: JSONDocument, plan: TablePlan) {
    self.document = document
    book = plan.book
    do {
      rows = try TreeRow.rows(of: plan.spec.rows, in: document)
      failure = nil
    } catch {
      rows = []
      failure = error.message
    }
  }
}

extension ScanKind {
  /// The kind with its article, for messages.
  var phrase: String {
    switch self {
    case .missing: "nothing"
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
