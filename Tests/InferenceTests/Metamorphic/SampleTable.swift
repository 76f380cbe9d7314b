import JSON
import JSONPath

@testable import Config
@testable import Inference

/// The rows of a recorded table, separated from what surrounds them so that both can be reshaped.
struct SampleTable {
  struct Row {
    /// The member name under which the row was found.
    var key: String?
    var value: JSONTree
    /// The row's index in the recording.
    let origin: Int
  }

  var rows: [Row]
  /// The value around the rows, with an empty container in their place.
  private var root: JSONTree
  private let place: [String]
  /// Wrappers around the whole, outermost first.
  var wrappings: [String] = []

  /// - Parameter limit: the number of rows to keep.
  init?(_ bytes: [UInt8], _ proposal: ExchangeProposal, limit: Int) {
    guard let document = try? JSONDocument(parsing: bytes) else { return nil }
    let isDictionary = proposal.rows.hasSuffix(".*")
    guard isDictionary || proposal.rows.hasSuffix("[*]") else { return nil }
    guard let path = SamplePath(String(proposal.rows.dropLast(isDictionary ? 2 : 3))) else { return nil }
    place = path.steps.texts
    root = JSONTree(document.root)
    // Members that are not rows are left out.
    switch root[place[...]] {
    case .object(let members)?:
      let names = Set(proposal.keys)
      rows = members.filter { names.contains($0.name) }.enumerated().map {
        Row(key: $1.name, value: $1.value, origin: $0)
      }
      root[place[...]] = .object([])
    case .array(let elements)?:
      let first = elements.first { $0.isContainer }
      rows = elements.filter { $0.isContainer && $0.isObject == first?.isObject }.enumerated().map {
        Row(key: nil, value: $1, origin: $0)
      }
      root[place[...]] = .array([])
    default: return nil
    }
    rows = Array(rows.prefix(limit))
  }

  var bytes: [UInt8] {
    var whole = root
    let hasKeys = rows.allSatisfy { $0.key != nil }
    whole[place[...]] =
      hasKeys
      ? .object(rows.map { .init(name: $0.key ?? "", value: $0.value) }) : .array(rows.map(\.value))
    for name in wrappings.reversed() { whole = .object([.init(name: name, value: whole)]) }
    return whole.bytes
  }

  /// Returns the names and indexes of a path in the proposal.
  static func steps(_ path: String) -> [String] { SamplePath(path)?.steps.texts ?? [] }
}

extension [SingularStep] {
  /// The names and indexes: data, 0, 24h of `$.data[0]['24h']`.
  var texts: [String] {
    map { step in
      switch step {
      case .member(let name): name
      case .index(let index): String(index)
      }
    }
  }
}

extension JSONTree {
  var isObject: Bool { if case .object = self { true } else { false } }

  var isContainer: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}
