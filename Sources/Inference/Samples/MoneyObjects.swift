import JSON
import Quotes

/// Objects of an amount and its currency: `"last": {"amount": "91500.5", "currency": "USD"}`. What the amount is, the name
/// of the object says.
struct MoneyObjects {
  private let places: Set<[SingularStep]>

  /// - Parameter columns: those of rows.
  init(_ columns: [ScalarColumn]) {
    let objects = Dictionary(grouping: columns) { Array($0.steps.dropLast()) }
    // Beside anything else, such as a price, it may be the amount of something.
    let found = objects.filter { steps, members in
      !steps.names.isEmpty && members.count == 2 && members.contains { Self.isAmount($0.steps) }
        && members.contains(where: Self.isCurrency)
    }
    places = Set(found.keys)
  }

  /// Returns the names that the amount at a place goes by; nil if it is not one of these.
  func name(at steps: [SingularStep]) -> String? {
    let object = Array(steps.dropLast())
    return places.contains(object) && Self.isAmount(steps) ? object.names.joined(separator: "_") : nil
  }

  private static func isAmount(_ steps: [SingularStep]) -> Bool {
    guard case .member(let name)? = steps.last else { return false }
    return FieldName(name).words == [.amount]
  }

  private static func isCurrency(_ column: ScalarColumn) -> Bool {
    let codes = column.nodes.compactMap { $0?.string?.uppercased() }
    return !codes.isEmpty && codes.allSatisfy(CurrencyCode.isKnown)
  }
}
