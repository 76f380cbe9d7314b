import Config
import Inference
import JSON

/// A condition as it is written on a command line.
///
///     $.state=live          is this
///     $.state=live,open     is one of these
///     $.state!=dead         is none of these
///     $.price>0             is a greater number
///     $.error is absent     what kind of thing it is: present, absent, empty, array, object
///     {"path": "$.s", "suffix": "USDT"}    anything else, as the config has it
struct ConditionText {
  let value: ConfigValue

  /// nil where the text is none of these.
  init?(_ text: String) {
    if text.hasPrefix("{") {
      guard let document = try? JSONDocument(parsing: Array(text.utf8)) else { return nil }
      value = ConfigValue(document.root)
      return
    }
    for sign in Self.signs {
      var start = text.startIndex
      while let range = text[start...].firstRange(of: sign) {
        start = range.upperBound
        let path = Self.trimmed(text[..<range.lowerBound])
        // A path may hold the sign itself, in a filter or a quoted name.
        guard SampleHints.isPath(path) else { continue }
        guard let test = Self.test(sign, Self.trimmed(text[range.upperBound...])) else { return nil }
        value = .object([("path", .text(path)), test])
        return
      }
    }
    return nil
  }

  private static let signs = ["!=", "=", ">", " is "]
  private static let shapes = ["present", "absent", "empty", "array", "object"]

  private static func test(_ sign: String, _ text: String) -> (name: String, value: ConfigValue)? {
    switch sign {
    case ">":
      // The number as it is written: no digit of it is lost.
      guard let document = try? JSONDocument(parsing: Array(text.utf8)), document.root.kind == .number else {
        return nil
      }
      return ("above", .raw(text))
    case " is ": return shapes.contains(text) ? ("is", .text(text)) : nil
    default:
      let values = text.split(separator: ",", omittingEmptySubsequences: false).map { scalar(trimmed($0)) }
      if sign == "!=" { return ("notIn", .list(values)) }
      return values.count == 1 ? ("equals", values[0]) : ("in", .list(values))
    }
  }

  /// Scalars compare as texts, so only what would not be the same text needs its JSON.
  private static func scalar(_ text: String) -> ConfigValue {
    if ["true", "false", "null"].contains(text) { return .raw(text) }
    if text.hasPrefix("\""), let root = try? JSONDocument(parsing: Array(text.utf8)).root, let inner = root.string {
      return .text(inner)
    }
    return .text(text)
  }

  private static func trimmed(_ text: Substring) -> String { Questioner.trimmed(String(text)) }
}

extension Substring {
  fileprivate func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
