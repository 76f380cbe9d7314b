import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Mapping
@testable import Views

/// The texts of commands about one pair, in Korean: headings, notes and explanations, with Hangul two columns wide.
@Suite struct KoreanTextTests {
  private static let page = Page(palette: .plain, width: 80, language: .korean)

  /// Returns a record of which two fields are explained.
  private static func explained(_ name: String, _ fields: [(name: String, raw: String)]) -> ExplainedRecord {
    let traces = fields.enumerated().map { place, field in
      FieldTrace(
        name: field.name, operation: nil, sources: [.init(from: "row", path: "$[\(place)]", raw: field.raw)],
        result: field.raw)
    }
    var record = ExplainedRecord(name, traces)
    record.request = "GET https://indodax.example/depth (HTTP 200)"
    return record
  }

  @Test func orderbook() {
    var book = SampleResponses.indodax
    book.explained = [Self.explained("best bid", [("price", "91587"), ("size", "0.0467")])]
    let crossed = Flag(.bidAsk, .figure(.bid, 101, .above, .ask, 100))
    let answers = [book, SampleResponses.failed("Luno", .timeout, "no answer in time")]
      .noting([crossed, nil], .korean)
    let report = OrderBookReport(
      answers, depth: 4, identity: .standard, at: SampleResponses.now, zone: .utc, isExplained: true)
    #expect(
      report.text(on: Self.page) == """
        BTC/USDT 호가창
        UTC 2026-11-18 (수) 05:12:07

        Indodax 현물 BTC/USDT
        매도 4, 매수 4 전부, 05:11:47 UTC, 20초 전
          누적    잔량   가격  잔량 █ 누적 ░
        0.1476  0.0134  91621  ███▏░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
        0.1342  0.0159  91618  ███▊░░░░░░░░░░░░░░░░░░░░░░░░░░░
        0.1183  0.0656  91615  ███████████████▎░░░░░░░░░░░░
        0.0527  0.0527  91612  ████████████▎
          최우선 매도 91612  최우선 매수 91587  스프레드 25 (0.027 %)  중간가 91599.5
        0.0467  0.0467  91587  ██████████▉
        0.0773  0.0306  91584  ███████▏░░░░░░░░░░
        0.1975  0.1202  91581  ████████████████████████████░░░░░░░░░░░░░░░░░░
        0.2444  0.0469  91578  ███████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
          매수 0.2444 █████████████████████████░░░░░░░░░░░░░░░ 0.1476 매도  62.3 : 37.7
          중간가 0.1 % 이내  62.3 : 37.7  (호가가 그 안에서 끝남)

        Luno 현물 BTC/USDT
        -  timeout

        Indodax 현물: bid-ask: 매수호가 101, 매도호가 100보다 높음

        계산 근거
        Indodax 현물 BTC/USDT, 최우선 매수
          GET https://indodax.example/depth (HTTP 200)
          가격                 91587  <- 행 $[0] = 91587
          수량                 0.0467  <- 행 $[1] = 0.0467
        Luno 현물 BTC/USDT: timeout (제한 시간 초과)

        """)
  }
}
