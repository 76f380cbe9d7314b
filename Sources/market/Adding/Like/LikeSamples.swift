import Config
import Mapping
import Proving
import Quotes

/// The answers that are given for an exchange that is like another, each for the part that it is an answer of.
struct LikeSamples {
  private(set) var tables: [(part: LikeFamily.Part, sample: Sample)] = []
  private(set) var lookups: [String: Sample] = [:]
  /// What a person should know of how the answers were dealt out.
  private(set) var notes: [String] = []

  var lookupBodies: [String: [UInt8]] { lookups.mapValues(\.bytes) }

  /// - Parameters:
  ///   - samples: with the part that each was given for; nil where that was not said.
  ///   - read: how a sample reads by a part of the family.
  init(
    _ samples: [(part: LikeFamily.Part?, sample: Sample)], of family: LikeFamily,
    reading read: (LikeFamily.Part, Sample) throws -> SamplePreview
  ) throws {
    for (part, sample) in samples {
      switch part {
      case .lookup(let name)?: lookups[name] = sample
      case .some(let part):
        guard !tables.contains(where: { $0.part == part }) else {
          throw UsageProblem.other("--from-sample gives '\(family.name(of: part))' twice")
        }
        tables.append((part, sample))
      case nil: continue
      }
    }
    for (part, sample) in samples where part == nil {
      let free = family.parts.filter { part in
        if case .lookup = part { return false }
        return !tables.contains { $0.part == part }
      }
      guard !free.isEmpty else {
        throw UsageProblem.other("there are more answers than '\(family.exchange.name)' has parts")
      }
      var readings = try free.map { ($0, try read($0, sample)) }
      // An answer is of the table of all, unless that makes nothing of it and the request for one pair does.
      let bulk = readings.filter { if case .place(.table) = $0.0 { true } else { false } }
      if !bulk.isEmpty, bulk.contains(where: { $0.1.rows > 0 }) || !readings.contains(where: { $0.1.rows > 0 }) {
        readings = bulk
      }
      let best = readings.dropFirst().reduce(readings[0]) { Self.isBetter($1.1, than: $0.1) ? $1 : $0 }
      let alike = readings.filter { $0.0 != best.0 && !Self.isBetter(best.1, than: $0.1) }.map(\.0)
      let isOpen = best.1.rows > 0 && !alike.isEmpty
      if isOpen { notes.append(Self.note(sample, best.0, alike, family)) }
      tables.append((best.0, sample))
    }
  }

  private static func note(
    _ sample: Sample, _ best: LikeFamily.Part, _ alike: [LikeFamily.Part], _ family: LikeFamily
  ) -> String {
    let others = alike.map { "'\(family.name(of: $0))'" }.joined(separator: ", ")
    let label = family.labels.first { $0.part == alike[0] }?.label ?? ""
    return "the answer is taken for '\(family.name(of: best))' and reads as \(others) as well; "
      + "say which with --from-sample \(label)=SOURCE"
  }

  private static func isBetter(_ new: SamplePreview, than old: SamplePreview) -> Bool {
    func score(_ preview: SamplePreview) -> (Int, Int, Int, Int) {
      let filled = (preview.counts?.fields ?? []).reduce(0) { $0 + $1.filled }
      return (preview.failure == nil ? 1 : 0, preview.rows - preview.unsplit.count, preview.clean, filled)
    }
    return score(new) > score(old)
  }
}
