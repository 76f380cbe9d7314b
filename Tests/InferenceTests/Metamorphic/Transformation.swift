import Inference
import Quotes
import TestSupport

@testable import Config

/// A change to a table that preserves its meaning: another spelling, another shape, one more member.
struct Transformation: Sendable, CustomStringConvertible {
  let description: String
  /// Applies the change; nil if the table has nothing to apply it to.
  let apply: @Sendable (SampleTable, ExchangeProposal) -> SampleTable?

  init(_ description: String, _ apply: @escaping @Sendable (SampleTable, ExchangeProposal) -> SampleTable?) {
    self.description = description
    self.apply = apply
  }

  /// Returns a transformation that changes each row independently.
  static func rows(_ description: String, _ change: @escaping @Sendable (JSONTree) -> JSONTree) -> Transformation {
    Transformation(description) { table, _ in
      var table = table
      for index in table.rows.indices { table.rows[index].value = change(table.rows[index].value) }
      return table
    }
  }

  /// The transformations under which no slot may become wrong.
  static let all: [Transformation] = names + swaps + shapes + symbols + confusers
}

extension ExchangeProposal {
  /// Returns the path to a role's value within a row.
  func steps(_ role: Role) -> [String]? {
    self[role].flatMap { $0.isSure && !$0.isFromResponse ? SampleTable.steps($0.path) : nil }
  }
}
