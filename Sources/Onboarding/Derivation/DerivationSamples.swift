import Config
import Mapping
import Quotes

/// A sample, with the part of a family that it is said to answer; nil if nothing says which.
typealias GivenSample = (part: TemplateFamily.Part?, sample: Sample)

/// The given answers of an exchange that is like another one, each with its part.
struct DerivationSamples {
  private(set) var tables: [(part: TemplateFamily.Part, sample: Sample)] = []
  private(set) var lookups: [String: Sample] = [:]
  /// Notes for the user about how the answers were assigned.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - samples: Each with its given part; nil if not specified.
  ///   - read: Returns the reading of a sample by a part of the family.
  init(
    _ samples: [GivenSample], of family: TemplateFamily, reading read: (TemplateFamily.Part, Sample) -> SamplePreview
  ) throws(OnboardingProblem) {
    for (part, sample) in samples {
      switch part {
      case .lookup(let name)?: lookups[name] = sample
      case .some(let part):
        guard !tables.contains(where: { $0.part == part }) else { throw .partGivenTwice(family.name(of: part)) }
        tables.append((part, sample))
      case nil: continue
      }
    }
    for (part, sample) in samples where part == nil {
      let free = family.parts.filter { part in
        if case .lookup = part { return false }
        return !tables.contains { $0.part == part }
      }
      guard !free.isEmpty else { throw .moreAnswersThanParts(of: family.exchange.name) }
      var readings = free.map { ($0, read($0, sample)) }
      // An answer belongs to the full table, unless only the single-pair request can make sense of it.
      let bulk = readings.filter(\.0.isOfTable)
      if !bulk.isEmpty, bulk.contains(where: { $0.1.rows > 0 }) || !readings.contains(where: { $0.1.rows > 0 }) {
        readings = bulk
      }
      let best = readings.dropFirst().reduce(readings[0]) { $1.1.isBetter(than: $0.1) ? $1 : $0 }
      let alike = readings.filter { $0.0 != best.0 && !best.1.isBetter(than: $0.1) }.map(\.0)
      if best.1.rows > 0, !alike.isEmpty { notes.append(Self.note(sample, best.0, alike, family)) }
      tables.append((best.0, sample))
    }
  }

  private static func note(
    _ sample: Sample, _ best: TemplateFamily.Part, _ alike: [TemplateFamily.Part], _ family: TemplateFamily
  ) -> String {
    let others = alike.map { "'\(family.name(of: $0))'" }.joined(separator: ", ")
    let label = family.labels.first { $0.part == alike[0] }?.label ?? ""
    return "the answer is taken for '\(family.name(of: best))' but also matches \(others); say which it is with "
      + "--from-sample \(label)=SOURCE"
  }
}

/// The readings of a new exchange's samples, each by the part of the mapping that it belongs to.
struct DerivationReading {
  let previews: [(part: TemplateFamily.Part, preview: SamplePreview)]

  private func sum(_ count: (SamplePreview) -> Int) -> Int { previews.reduce(0) { $0 + count($1.preview) } }

  var rows: Int { sum(\.rows) }
  var clean: Int { sum(\.clean) }
  var failure: String? { previews.compactMap(\.preview.failure).first }
  /// The number of symbols that cannot be split into a pair.
  var unsplit: Int { sum { $0.unsplit.count + $0.misread.count } }
  /// The number of samples without any rows.
  var empty: Int { previews.count { $0.preview.failure != nil || $0.preview.rows == 0 } }

  func filled(_ field: TickerField) -> Int { sum { $0.filled(field) } }

  /// Returns whether any of the parts read has the field.
  func has(_ field: TickerField) -> Bool { previews.contains { $0.preview.has(field) } }

  /// The fields that no answer's checks reach.
  var unchecked: [TickerField] {
    TickerField.allCases.filter { field in
      let filling = previews.map(\.preview).filter { $0.filled(field) > 0 }
      return !filling.isEmpty && filling.allSatisfy { $0.unchecked.contains(field) }
    }
  }

  func firstReason(_ field: TickerField) -> String? { previews.compactMap { $0.preview.reasonForNo(field) }.first }

  func isBetter(than old: DerivationReading) -> Bool { old.score.lexicographicallyPrecedes(score) }

  private var score: [Int] { previews.reduce([0, 0, 0, 0]) { zip($0, $1.preview.score).map(+) } }
}
