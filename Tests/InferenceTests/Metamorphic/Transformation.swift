import Inference
import Quotes
import TestSupport

@testable import Config

/// A change to a table that leaves what it says as it was: another spelling, another shape, one more member.
struct Transformation: Sendable, CustomStringConvertible {
  let description: String
  /// nil where the table has nothing that the change could be made to.
  let apply: @Sendable (SampleTable, ExchangeProposal) -> SampleTable?

  init(_ description: String, _ apply: @escaping @Sendable (SampleTable, ExchangeProposal) -> SampleTable?) {
    self.description = description
    self.apply = apply
  }

  /// A change to each row by itself.
  static func rows(_ description: String, _ change: @escaping @Sendable (JSONTree) -> JSONTree) -> Transformation {
    Transformation(description) { table, _ in
      var table = table
      for index in table.rows.indices { table.rows[index].value = change(table.rows[index].value) }
      return table
    }
  }

  /// Those under which no slot may become wrong.
  static let all: [Transformation] = names + swaps + shapes + symbols + confusers
}

extension ExchangeProposal {
  /// The way to a role's value below a row.
  func steps(_ role: Role) -> [String]? {
    self[role].flatMap { $0.isSure && !$0.isFromResponse ? SampleTable.steps($0.path) : nil }
  }
}
