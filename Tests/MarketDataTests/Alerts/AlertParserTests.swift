import MarketData
import Quotes
import Testing

/// The grammar of alerts: what it accepts, and where it reports errors.
@Suite struct AlertParserTests {
  /// Bithumb is not followed.
  private static let names = AlertNames(
    exchanges: ["Upbit", "Binance", "GMO Coin"],
    others: ["업비트": "Upbit", "바이낸스": "Binance", "빗썸": "Bithumb"])

  struct Good: Sendable, CustomTestStringConvertible {
    let text: String
    /// The condition as printed, with each figure as `#`.
    let condition: String
    var pair: String?
    var hold = 0
    var actions: [AlertAction] = [.bell]

    var testDescription: String { text }
  }

  private static let good: [Good] = [
    Good(text: "premium > 3%", condition: "premium # > 3%"),
    Good(text: "  premium>3  ", condition: "premium # > 3"),
    Good(text: "PREMIUM >= 0.15 %", condition: "premium # >= 0.15%"),
    Good(text: "kimchi < -0.5%", condition: "kimchi # < -0.5%"),
    Good(text: "0.1 <= kimchi.usdt", condition: "0.1 <= kimchi.usdt #"),
    Good(text: "turnover > 10M", condition: "turnover # > 10M"),
    Good(text: "price@upbit > 134_000k", condition: "price@Upbit # > 134000k"),
    Good(text: "price@gmocoin<1", condition: "price@GMO Coin # < 1"),
    Good(text: "price@Upbit > price@Binance", condition: "price@Upbit # > price@Binance #"),
    Good(text: "price > 1.3억 and turnover > 5만", condition: "price # > 1.3억 and turnover # > 5만"),
    Good(text: "price > 134,000,000.5", condition: "price # > 134,000,000.5"),
    Good(text: "turnover > 1e9 and price < 1.5E-3", condition: "turnover # > 1e9 and price # < 1.5e-3"),
    Good(text: "turnover > 1조", condition: "turnover # > 1조"),
    Good(text: "프리미엄 > 3%", condition: "premium # > 3%"),
    Good(text: "김프>0.1 and 테더김프 < 1", condition: "kimchi # > 0.1 and kimchi.usdt # < 1"),
    Good(text: "괴리율 > 1 or 최저괴리율 < -1", condition: "disparity.first # > 1 or disparity.last # < -1"),
    Good(text: "가격@업비트 > 1억", condition: "price@Upbit # > 1억"),
    Good(text: "현재가@gmo-COIN < 1", condition: "price@GMO Coin # < 1"),
    Good(text: "등락률@바이낸스 < -3%", condition: "change@Binance # < -3%"),
    Good(text: "거래대금 > 100억 and 거래소 >= 3", condition: "turnover # > 100억 and exchanges # >= 3"),
    Good(text: "환율 > 1461.5 and 환율등락률<0", condition: "fx # > 1461.5 and fx.change # < 0"),
    Good(text: "연결실패 > 3", condition: "feeds.failed # > 3"),
    Good(text: "btc/krw 김프 < 0% for 10s", condition: "kimchi # < 0%", pair: "BTC/KRW", hold: 10_000),
    Good(text: "venues >= 3", condition: "exchanges # >= 3"),
    Good(text: "fx > 1461.5 and fx.change<0", condition: "fx # > 1461.5 and fx.change # < 0"),
    Good(
      text: "premium > 3 or kimchi < 0 and exchanges > 2",
      condition: "premium # > 3 or kimchi # < 0 and exchanges # > 2"),
    Good(
      text: "(premium > 3 or kimchi < 0) and exchanges > 2",
      condition: "(premium # > 3 or kimchi # < 0) and exchanges # > 2"),
    Good(text: "btc/krw kimchi < 0%", condition: "kimchi # < 0%", pair: "BTC/KRW"),
    Good(text: "premium > 3% for 10s", condition: "premium # > 3%", hold: 10_000),
    Good(
      text: "premium > 3% FOR 5m THEN bell, Desktop", condition: "premium # > 3%", hold: 300_000,
      actions: [.bell, .desktop]),
    Good(
      text: "feeds.failed > 3 then exec echo 'a, b' > /tmp/x; then | cat", condition: "feeds.failed # > 3",
      actions: [.command("echo 'a, b' > /tmp/x; then | cat")]),
    Good(
      text: "disparity.first > 1 or disparity.last < -1", condition: "disparity.first # > 1 or disparity.last # < -1"),
  ]

  @Test(arguments: good) func parses(_ sample: Good) throws {
    let rule = try AlertRule(parsing: sample.text, Self.names)
    #expect(rule.condition.text { _ in "#" } == sample.condition)
    #expect(rule.pair?.description == sample.pair)
    #expect(rule.holdMilliseconds == sample.hold)
    #expect(rule.actions == sample.actions)
    // The printed condition has the same meaning again, once the figures are removed.
    let again = rule.condition.text { _ in "" }.replacing("GMO Coin", with: "GMOCoin")
    #expect(try AlertCondition(parsing: again, Self.names) == rule.condition)
  }

  @Test(arguments: [
    ("", "column 1: missing field or number"),
    ("   ", "column 4: missing field or number"),
    ("premum > 3", "column 1: unknown field 'premum'; did you mean 'premium'?"),
    (
      "x > 3",
      "column 1: unknown field 'x'; expected premium, kimchi, kimchi.usdt, disparity.first, disparity.last, "
        + "price, change, turnover, exchanges, fx, fx.change or feeds.failed"
    ),
    ("premium", "column 8: missing comparison: <, <=, > or >="),
    ("premium = 3", "column 9: unknown comparison '='; expected <, <=, > or >="),
    ("premium >> 3", "column 9: unknown comparison '>>'; expected <, <=, > or >="),
    ("premium > ", "column 11: missing field or number"),
    ("premium > 3..1", "column 11: '3..1' is not a number"),
    ("price > 1,00", "column 9: '1,00' is not a number"), ("price > 1e400", "column 9: '1e400' is not a number"),
    ("price > 1e", "column 10: unknown unit 'e'; expected k, M, B, T, 만, 억 or 조"),
    ("premium > 3x", "column 12: unknown unit 'x'; expected k, M, B, T, 만, 억 or 조"),
    ("premium > 3m", "column 12: unknown unit 'm'; expected k, M, B, T, 만, 억 or 조"),
    ("price > 5%", "column 9: 'price' is not a percentage"),
    ("5% < price", "column 1: 'price' is not a percentage"),
    ("1 < 2", "column 1: a comparison needs a field, such as premium"),
    ("premium > 3 and", "column 16: missing field or number"),
    ("(premium > 3", "column 13: missing ')'"),
    ("premium > 3)", "column 12: unexpected ')'; expected and, or, for, then or the end"),
    ("premium > 3 fo 10s", "column 13: unexpected 'fo 10s'; expected and, or, for, then or the end"),
    ("premium > 3 for ten", "column 17: 'ten' is not a duration such as 10s or 5m"),
    ("premium > 3 for", "column 16: missing duration after 'for'"),
    ("premium > 3 then", "column 17: missing action after 'then'"),
    ("premium > 3 then bell,", "column 23: missing action after 'then'"),
    ("premium > 3 then bell, ,", "column 24: missing action after 'then'"),
    ("premium > 3 then ring", "column 18: unknown action 'ring'; expected bell, desktop or exec CMD"),
    ("premium > 3 then exec ", "column 23: missing command after 'exec'"),
    ("price@Upbt > 3", "column 7: unknown exchange 'Upbt'; did you mean 'Upbit'?"),
    ("price@ > 3", "column 7: missing exchange after '@'"),
    ("premium@Upbit > 3", "column 8: 'premium' is not a figure of one exchange"),
    ("; rm -rf /", "column 1: unexpected ';'; expected a field or a number"),
    (
      "할인 > 3",
      "column 1: unknown field '할인'; expected premium, kimchi, kimchi.usdt, disparity.first, disparity.last, "
        + "price, change, turnover, exchanges, fx, fx.change or feeds.failed"
    ),
    ("현재가@빗썸 > 3", "column 5: unknown exchange '빗썸'"),
    ("프리미엄@업비트 > 3", "column 5: 'premium' is not a figure of one exchange"),
    (String(repeating: "(", count: 30), "column 22: parentheses nested more than 20 deep"),
    (String(repeating: "a", count: 600), "column 501: longer than 500 characters"),
  ])
  func refuses(_ text: String, _ problem: String) {
    #expect(throws: AlertProblem.self) { try AlertRule(parsing: text, Self.names) }
    do {
      _ = try AlertRule(parsing: text, Self.names)
    } catch {
      #expect("\(error)" == problem)
    }
  }

  /// Every field has Korean names, and none of them means another field.
  @Test(arguments: AlertField.allCases) func hasKoreanNames(_ field: AlertField) throws {
    #expect(!field.koreanNames.isEmpty)
    for name in field.koreanNames {
      #expect(try AlertCondition(parsing: "\(name) > 1", AlertNames()).values.map(\.field) == [field])
    }
  }

  /// An unknown figure makes a comparison neither true nor false.
  @Test(
    arguments: [
      ("premium > 1", nil), ("price > 1", true), ("price < 1", false),
      ("price > 1 and premium > 1", nil), ("price < 1 and premium > 1", false),
      ("price > 1 or premium > 1", true), ("price < 1 or premium > 1", nil),
      // The printed figure decides.
      ("change > 0.12", true), ("change >= 0.13", true), ("change > 0.13", false),
    ] as [(String, Bool?)])
  func comparisonsAreThreeValued(_ text: String, _ answer: Bool?) throws {
    let condition = try AlertCondition(parsing: text, AlertNames())
    let figures: [AlertField: Decimal] = [.price: 2, .change: try #require(Decimal("0.125"))]
    #expect(condition.holds { figures[$0.field] } == answer)
  }
}
