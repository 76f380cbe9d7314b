package import Config
package import Quotes

/// What a channel of a stream would be, as messages suggest it.
package struct StreamProposal: Sendable {
  package struct Field: Sendable {
    package let role: Role
    /// Below a row; empty where no member has the table's number.
    package let path: String
    package let example: String
    package let confidence: Double
    package let evidence: [String]
    /// Whether it stands where the table has it, so that nothing need be said.
    package let isInherited: Bool
    /// 100 for a change that is a ratio.
    package var scale: Decimal?

    package var isSure: Bool { !path.isEmpty && confidence >= RoleProposal.threshold }
  }

  package let frame: StreamFrame
  /// Those that the table has, in the order of `Role.allCases`.
  package let fields: [Field]

  package var sure: [Field] { fields.filter(\.isSure) }

  package subscript(_ role: Role) -> Field? { fields.first { $0.role == role } }

  /// The members of the channel: what is unsure is not said by the stream, and stays the table's.
  ///
  /// - Parameter basis: of the table's change.
  package func block(basis: String?) -> ConfigValue {
    var members = frame.members
    let own = fields.filter { !$0.isInherited || !$0.isSure }.map { field in
      (name: field.role.field.rawValue, value: value(of: field, basis))
    }
    if !own.isEmpty { members.append(("fields", .object(own))) }
    return .object(members)
  }

  private func value(of field: Field, _ basis: String?) -> ConfigValue {
    guard field.isSure else { return .raw("null") }
    let path = ConfigValue.text(field.path)
    guard field.role == .change else { return path }
    var members: [(name: String, value: ConfigValue)] = [("path", path)]
    if let scale = field.scale { members.append(("scale", .raw(scale.shortest))) }
    if let basis { members.append(("basis", .text(basis))) }
    return .object(members)
  }
}
