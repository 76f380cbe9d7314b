import Quotes

/// A mapping that a sample suggests.
package struct VenueProposal: Sendable {
  /// JSONPath of the rows.
  package var rows: String
  /// What the rows are, in words.
  package var shape: String
  package var rowCount: Int
  /// The names of the members that led to the rows; empty where nothing is named.
  package var keys: [String]
  /// Whether the response is about one pair only.
  package var isSingle: Bool
  /// Some members beside the rows are none, so that rows must be asked to be objects.
  package var hasStrays: Bool
  package var symbol: SymbolProposal?
  /// In the order of `Role.allCases`; those without any candidate are absent.
  package var roles: [RoleProposal]
  package var success: SuccessProposal
  /// Other places that look like rows, best first.
  package var otherRows: [String]
  /// Numbers of the sample that contradict each other: it is written by hand, and proves nothing.
  package var contradictions: [String]

  package subscript(_ role: Role) -> RoleProposal? { roles.first { $0.role == role } }

  /// A sample of a documentation has the right names, and numbers that never were.
  package var looksInvented: Bool { !contradictions.isEmpty }
}
