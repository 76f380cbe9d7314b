import Quotes

/// A mapping that a sample suggests.
package struct ExchangeProposal: Sendable {
  /// JSONPath of the rows.
  package var rows: String
  /// What the rows are, in words.
  package var shape: String
  package var rowCount: Int
  /// The names of the members that led to the rows; empty where nothing is named.
  package var keys: [String]
  /// Whether the response is about one pair only.
  package var isSingle: Bool
  /// What the rows are, `object` or `array`, where some members beside them are none and have to be passed over.
  package var rowKind: String?
  package var symbol: SymbolProposal?
  /// In the order of `Role.allCases`; those without any candidate are absent.
  package var roles: [RoleProposal]
  package var success: SuccessProposal
  /// Other places that look like rows, best first.
  package var otherRows: [String]
  /// Numbers of the sample that contradict each other: it is written by hand, and proves nothing.
  package var contradictions: [String]

  /// What says that the rows are futures, in words: an ending of all symbols, or a member that only they have.
  package var futuresSign: String?

  package subscript(_ role: Role) -> RoleProposal? { roles.first { $0.role == role } }

  /// A sample of a documentation has the right names, and numbers that never were.
  package var looksInvented: Bool { !contradictions.isEmpty }
}
