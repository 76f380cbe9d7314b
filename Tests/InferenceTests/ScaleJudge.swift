import JSON
import JSONPath
import TestSupport

@testable import Config
@testable import Inference

/// Whether a change is a percentage or a ratio, computed independently of the inference from any field whose name
/// contains "open" or "prev".
struct ScaleJudge {
  enum Truth: String { case percent, ratio }

  /// Returns nil if no field is conclusive.
  static func truth(_ body: RecordedTickers, _ proposal: ExchangeProposal) -> Truth? {
    guard let change = proposal[.change], let price = proposal[.price],
      let document = try? JSONDocument(parsing: body.bytes), let rows = try? JSONPathQuery(proposal.rows),
      let changeQuery = try? JSONPathQuery(change.path), let priceQuery = try? JSONPathQuery(price.path)
    else { return nil }
    let nodes = rows.nodes(in: document.root).prefix(100)
    let names = Set(nodes.prefix(1).flatMap { $0.members.map(\.name) })
      .filter { $0.lowercased().contains("open") || $0.lowercased().contains("prev") }
    for name in names.sorted() {
      var quotients: [Double] = []
      for node in nodes {
        guard let open = node[name]?.scalarText.flatMap(SampleColumn.number), open > 0,
          let last = priceQuery.nodes(in: node).first?.scalarText.flatMap(SampleColumn.number), last > 0,
          let change = changeQuery.nodes(in: node).first?.scalarText.flatMap(SampleColumn.number),
          ((last - open) / open).magnitude > 0.005
        else { continue }
        quotients.append(change / ((last - open) / open))
      }
      guard !quotients.isEmpty else { continue }
      let median = quotients.sorted()[quotients.count / 2]
      if (90...110).contains(median) { return .percent }
      if (0.9...1.1).contains(median) { return .ratio }
    }
    return nil
  }
}
