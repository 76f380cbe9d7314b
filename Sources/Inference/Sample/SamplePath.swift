import JSONPath

/// Where a value stands below the root or below a row: names and indexes only.
struct SamplePath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case member(String)
    case index(Int)
    /// Every element or member.
    case all
  }

  var steps: [Step] = []
  /// A path that somebody wrote, where it is more than names and indexes.
  var written: String?

  init(steps: [Step] = []) { self.steps = steps }

  /// A path of the config language; nil where it is none.
  init?(_ text: String) {
    guard let query = try? JSONPathQuery(text) else { return nil }
    guard let singular = query.singularSteps else {
      written = text
      return
    }
    steps = singular.map { step in
      switch step {
      case .member(let name): .member(name)
      case .index(let index): .index(index)
      }
    }
    if self.text != text { written = text }
  }

  func appending(_ step: Step) -> SamplePath { SamplePath(steps: steps + [step]) }

  /// The names of the members on the way.
  var names: [String] {
    steps.compactMap { step in
      if case .member(let name) = step { name } else { nil }
    }
  }

  /// Whether this place lies in the container that another one's rows stand in, or is that place.
  func isBelow(_ rows: SamplePath) -> Bool {
    let container = rows.steps.last == .all ? Array(rows.steps.dropLast()) : rows.steps
    return steps.starts(with: container)
  }

  /// As JSONPath, in the short form where a name allows it: `$.data[0]['24h']`.
  var text: String {
    if let written { return written }
    return steps.reduce("$") { text, step in
      switch step {
      case .member(let name):
        Self.isPlain(name) ? "\(text).\(name)" : text + SingularStep.member(name).description
      case .index(let index): "\(text)[\(index)]"
      case .all: "\(text)[*]"
      }
    }
  }

  /// Whether a name can stand behind a point (RFC 9535 §2.5.1.1, the ASCII part of it).
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
  }
}
