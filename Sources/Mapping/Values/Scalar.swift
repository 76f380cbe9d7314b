import JSON
import Quotes

/// The raw result of a value, before it is read as a number, a text or a time.
enum Scalar {
  /// The exchange's own characters in the response body; only valid while the row is read.
  case bytes(UnsafeBufferPointer<UInt8>)
  case text(String)
  case number(Decimal)
  case container(isArray: Bool, isEmpty: Bool)
  case missing(Missing)
}

extension Scalar {
  /// Creates a scalar from the result of a path.
  ///
  /// - Parameter body: the text that contains the result.
  init(_ result: PathResult, in body: UnsafeBufferPointer<UInt8>) {
    guard case .slot(let slot) = result else {
      if case .several = result { self = .missing(.pathMany) } else { self = .missing(.noAnswer(.tooLarge)) }
      return
    }
    switch slot.kind {
    case .missing: self = .missing(.plain(.pathMiss))
    case .null: self = .missing(.plain(.jsonNull))
    case .array, .object:
      self = .container(isArray: slot.kind == .array, isEmpty: slot.isEmptyContainer(in: body))
    case .string where slot.hasEscapes:
      self = .text(decodedString(body, slot: slot))
    case .string, .number, .true, .false: self = .bytes(UnsafeBufferPointer(rebasing: body[slot.range]))
    }
  }

  /// A copy that stays valid after the row has been read.
  var copied: Scalar {
    if case .bytes(let bytes) = self { .text(String(decoding: bytes, as: UTF8.self)) } else { self }
  }

  /// Whether it is missing or null; several nodes at once count as present.
  var isNothing: Bool {
    switch self {
    case .missing(.plain(.pathMany)): false
    case .missing: true
    default: false
    }
  }

  /// Returns whether it is the exchange's own characters and they equal `text` byte by byte. Does not create a string.
  ///
  /// - Parameter orMore: whether other characters may follow.
  func isText(_ text: String, orMore: Bool = false) -> Bool {
    guard case .bytes(let bytes) = self, orMore ? bytes.count >= text.utf8.count : bytes.count == text.utf8.count else {
      return false
    }
    var text = text
    return text.withUTF8 { text in text.indices.allSatisfy { bytes[$0] == text[$0] } }
  }

  /// The text that conditions compare; nil for arrays, objects and missing values.
  var comparedText: String? {
    switch self {
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .text(let text): text
    case .number(let number): number.shortest
    case .container, .missing: nil
    }
  }
}
