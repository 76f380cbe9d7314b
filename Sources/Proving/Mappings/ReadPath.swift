import Config
import JSONPath

/// A path that a mapping reads: names and indexes; nil stands for a name that a template fills.
struct ReadPath: Hashable {
  let steps: [SingularStep?]

  /// nil for a path with a wildcard or filter, of which nobody can say beforehand what it reads.
  init?(_ path: PathSpec) {
    guard let singular = path.query.singularSteps else { return nil }
    steps = singular.enumerated().map { index, step in path.templates[index] == nil ? step : nil }
  }

  /// Whether this is the member or something that it lies in.
  func covers(_ member: [SingularStep]) -> Bool {
    steps.count <= member.count && zip(steps, member).allSatisfy { $0 == nil || $0 == $1 }
  }
}

extension ValueSpec {
  /// The paths that the value and its parts read from one source.
  func paths(from wanted: Source) -> [PathSpec] {
    var result: [PathSpec] = []
    if case .path(let path?, let source) = origin, source == wanted { result.append(path) }
    return result + parts.flatMap { $0.paths(from: wanted) }
  }
}

extension [SingularStep] {
  /// As a config would write it, in the short form where a name allows it: `$.data['24h']`.
  var pathText: String {
    reduce("$") { text, step in
      if case .member(let name) = step, name.isPlainName { "\(text).\(name)" } else { text + step.description }
    }
  }
}

extension String {
  /// Whether a name can stand behind a point (RFC 9535 §2.5.1.1, the ASCII part of it).
  fileprivate var isPlainName: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
    return utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
  }
}
