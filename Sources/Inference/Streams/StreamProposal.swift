package import Config
package import Quotes

/// A stream channel as suggested by messages.
package struct StreamProposal: Sendable {
  package struct Field: Sendable {
    package let role: Role
    /// Below a row; empty if no member has the table's number.
    package let path: String
    package let example: String
    package let confidence: Double
    package let evidence: [String]
    /// Whether it is at the same path as in the table, so that it can be omitted.
    package let isInherited: Bool
    /// 100 for a change that is a ratio.
    package var scale: Decimal?

    package var isSure: Bool { !path.isEmpty && confidence >= RoleProposal.threshold }
  }

  package let frame: StreamFrame
  /// The table's fields, in the order of `Role.allCases`.
  package let fields: [Field]

  package var sure: [Field] { fields.filter(\.isSure) }

  package subscript(_ role: Role) -> Field? { fields.first { $0.role == role } }

  private static let offers: [Role] = [.bid, .ask]

  /// Whether the messages say bid and ask but no price, so that they belong to the channel of offers.
  package var isOfOffers: Bool {
    self[.price]?.isSure != true && Self.offers.allSatisfy { self[$0]?.isSure == true }
  }

  /// Returns the members of the channel: uncertain fields are left to the table. Without a price the channel is not
  /// valid: the user says which it is.
  ///
  /// - Parameter basis: that of the table's change.
  package func block(basis: String?) -> ConfigValue {
    var members = frame.members
    let own = fields.filter { !$0.isInherited || !$0.isSure }.map { field in
      (name: field.role.field.rawValue, value: value(of: field, basis))
    }
    if !own.isEmpty { members.append(("fields", .object(own))) }
    return .object(members)
  }

  /// The members of a channel of offers, which has no fields of the table.
  package var offersBlock: ConfigValue {
    let own = Self.offers.compactMap { role in
      self[role].map { (name: role.field.rawValue, value: ConfigValue.text($0.path)) }
    }
    return .object(frame.members + [("fields", .object(own))])
  }

  private func value(of field: Field, _ basis: String?) -> ConfigValue {
    guard field.isSure else { return .null }
    let path = ConfigValue.text(field.path)
    guard field.role == .change else { return path }
    var members: [(name: String, value: ConfigValue)] = [("path", path)]
    if let scale = field.scale { members.append(("scale", .number(scale.shortest))) }
    if let basis { members.append(("basis", .text(basis))) }
    return .object(members)
  }
}
