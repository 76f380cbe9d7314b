import Config
import Mapping
import Proving
import Quotes

/// How the samples of a new exchange read, each by the part of the mapping that it is an answer of.
struct LikeReading {
  let previews: [(part: LikeFamily.Part, preview: SamplePreview)]

  private func sum(_ count: (SamplePreview) -> Int) -> Int { previews.reduce(0) { $0 + count($1.preview) } }

  var rows: Int { sum(\.rows) }
  var clean: Int { sum(\.clean) }
  var failure: String? { previews.compactMap(\.preview.failure).first }
  var unsplit: Int { sum { $0.unsplit.count } }
  /// Samples that give no row at all.
  var empty: Int { previews.filter { $0.preview.rows == 0 || $0.preview.failure != nil }.count }

  func filled(_ field: TickerField) -> Int {
    sum { preview in preview.counts?.fields.first { $0.field == field }?.filled ?? 0 }
  }

  /// Whether any of the parts that were read has the field.
  func has(_ field: TickerField) -> Bool {
    previews.contains { $0.preview.counts?.fields.contains { $0.field == field } == true }
  }

  func firstReason(_ field: TickerField) -> String? {
    previews.compactMap { $0.preview.counts?.fields.first { $0.field == field }?.missing.first?.value.code }.first
  }

  func isBetter(than old: LikeReading) -> Bool {
    func failures(_ reading: LikeReading) -> Int { reading.previews.filter { $0.preview.failure != nil }.count }
    func filled(_ reading: LikeReading) -> Int { TickerField.allCases.reduce(0) { $0 + reading.filled($1) } }
    if failures(self) != failures(old) { return failures(self) < failures(old) }
    if rows != old.rows { return rows > old.rows }
    if clean != old.clean { return clean > old.clean }
    return filled(self) > filled(old)
  }
}
