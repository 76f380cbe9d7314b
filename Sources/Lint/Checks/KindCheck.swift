import Config
import JSON
import Quotes

/// A check for values of the wrong kind and nulls with an unknown name, by the shapes that the schema is made from.
///
/// The reader passes over some of them. A level that is not an object is skipped in merging, so that its mistake would
/// show only as something missing; a null removes nothing if its name is misspelt.
struct KindCheck {
  /// Where something has already been reported: of one mistake, one finding is enough.
  private let known: Set<Place>
  private var findings: [Finding] = []

  static func findings(in files: [ConfigFile], besides known: [Finding]) -> [Finding] {
    var check = KindCheck(known: known)
    for file in files { check.visit(file.root, .object(.config), isKnown: false) }
    return check.findings
  }

  private init(known: [Finding]) { self.known = Set(known.compactMap(\.place)) }

  /// - Parameter isKnown: whether something has been reported about the object or array around the value.
  private mutating func visit(_ node: ConfigNode, _ shape: ValueShape, isKnown: Bool) {
    // On a level, null removes what the levels above it say; elsewhere it counts as absent.
    if node.json.isNull { return }
    guard let kinds = shape.kinds, !kinds.isEmpty else { return }
    let isKnownHere = known.contains(node.place)
    guard kinds.contains(node.json.kind.withoutTruth) else {
      if !isKnown, !isKnownHere { findings.append(.wrongType(kinds.map(\.words).unique.listed("or"), at: node)) }
      return
    }
    for element in node.elements {
      if let shape = shape.ofElements { visit(element, shape, isKnown: isKnownHere) }
    }
    for member in node.members where member.name != "$comment" {
      if let shape = shape.ofMember(member.name) {
        visit(member.value, shape, isKnown: isKnownHere)
      } else if member.value.json.isNull, let names = shape.names, !known.contains(member.key.place) {
        findings.append(.unknownKey(member.name, among: names, at: member.key))
      }
    }
  }
}

extension JSONKind {
  /// The same, with one kind for both booleans, which the language does not tell apart.
  fileprivate var withoutTruth: JSONKind { self == .false ? .true : self }

  fileprivate var words: String { self == .true ? "true or false" : article }
}

extension ValueShape {
  /// The kinds that are allowed besides null; nil for all.
  fileprivate var kinds: [JSONKind]? {
    var kinds: [JSONKind] = []
    for shape in alternatives {
      switch shape {
      case .text, .choice: kinds.append(.string)
      case .boolean: kinds.append(.true)
      case .integer, .number: kinds.append(.number)
      case .fee, .positiveNumber: kinds += [.number, .string]
      case .scalar, .comparand: kinds += [.string, .number, .true]
      case .list: kinds.append(.array)
      case .map, .members: kinds.append(.object)
      case .null: break
      case .anything, .any: return nil
      }
    }
    return kinds
  }

  fileprivate var ofElements: ValueShape? {
    Self.either(alternatives.compactMap { if case .list(let element, _) = $0 { element } else { nil } })
  }

  /// Returns the shape of a member; nil if it is unknown, which has a finding of its own.
  fileprivate func ofMember(_ name: String) -> ValueShape? {
    Self.either(
      alternatives.compactMap { shape in
        switch shape {
        case .map(let member, _): member
        case .members(let shape): shape().keys.first { $0.name == name }?.value
        default: nil
        }
      })
  }

  /// The names of its members; nil if there may be others.
  fileprivate var names: [String]? {
    var names: [String] = []
    for shape in alternatives {
      switch shape {
      case .members(let shape): names += shape().names + shape().reserved
      case .map, .anything: return nil
      default: break
      }
    }
    return names
  }

  private static func either(_ shapes: [ValueShape]) -> ValueShape? {
    shapes.count > 1 ? .any(shapes) : shapes.first
  }
}
