package struct PaymentGroup: Sendable {
  package let name: String
  package let currencies: [String]
  package var category: String?
  package var note: String?
}
