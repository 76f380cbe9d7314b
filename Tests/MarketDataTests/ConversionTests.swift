import MarketData
import Quotes
import Testing
import Transport

/// Prices in another currency: the direction of the rate, what a token counts as, and nothing without a rate.
@Suite struct ConversionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let payment: String
    let currency: String
    let price: String
    /// The text as in files.
    let text: String?
    var pegCurrency: [String] = []
    var reason: String?
  }

  static let cases = [
    Case(
      testDescription: "a dollar price in won", payment: "USD", currency: "KRW", price: "91542.31", text: "137313465"),
    Case(
      testDescription: "a won price in dollars", payment: "KRW", currency: "USD", price: "100000", text: "66.6666666667"
    ),
    Case(
      testDescription: "a token's price in won", payment: "USDT", currency: "KRW", price: "0.00002", text: "0.03",
      pegCurrency: ["USDT=USD"]),
    Case(
      testDescription: "a token's price in dollars", payment: "USDC", currency: "USD", price: "91542.310",
      text: "91542.31", pegCurrency: ["USDC=USD"]),
    Case(
      testDescription: "a won price in a token", payment: "KRW", currency: "USDT", price: "1500", text: "1",
      pegCurrency: ["USDT=USD"]),
    Case(testDescription: "a price in its own currency", payment: "KRW", currency: "KRW", price: "1.50", text: "1.5"),
    Case(testDescription: "a token's price in itself", payment: "USDT", currency: "USDT", price: "1.50", text: "1.5"),
    Case(
      testDescription: "one token's price in another", payment: "USDT", currency: "USDC", price: "1.50", text: "1.5",
      pegCurrency: ["USDT=USD", "USDC=USD"]),
    Case(
      testDescription: "a pair without a route", payment: "EUR", currency: "USD", price: "1", text: nil,
      reason: "no route"),
  ]

  @Test(arguments: cases) func converts(_ example: Case) async throws {
    let conversion = try await SeoulMarket().conversion(from: example.payment, to: example.currency)
    #expect(conversion.text(Decimal(example.price)) == example.text)
    #expect(conversion.reason == example.reason)
    let names = [(conversion.payment, conversion.pegCurrency), (conversion.currency, conversion.target)]
    #expect(names.filter { $0.0 != $0.1 }.map { "\($0.0)=\($0.1)" } == example.pegCurrency)
  }

  @Test func noPriceWithoutRate() async throws {
    var market = SeoulMarket()
    market.replies["bank"] = SeoulMarket.failing(500)
    let conversion = try await market.conversion(from: "USDT", to: "KRW")
    #expect(conversion.converted(100) == nil)
    #expect(conversion.text(100) == nil)
    #expect(conversion.reason == "Bank: http-500")
  }

  @Test(arguments: [("KRW", "USD"), ("JPY", "USD"), ("USD", nil), ("USDT", nil), ("BTC", nil)] as [(String, String?)])
  func customaryCurrency(payment: String, currency: String?) {
    #expect(Conversion.customary(for: payment, dollarTokens: ["USDT", "USDC"]) == currency)
  }
}
