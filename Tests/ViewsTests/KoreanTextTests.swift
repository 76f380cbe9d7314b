import Quotes
import Terminal
import TestSupport
import Testing

@testable import Mapping
@testable import MarketData
@testable import Views

/// The texts of commands in Korean: headings, notes and explanations, with Hangul two columns wide.
@Suite struct KoreanTextTests {
  private static let page = Page(palette: .plain, width: 80, language: .korean)

  /// Returns a record of which two fields are explained.
  private static func explained(
    _ subject: ExplainedRecord.Subject, _ fields: [(name: String, raw: String)]
  ) -> ExplainedRecord {
    let traces = fields.enumerated().map { place, field in
      FieldTrace(
        name: field.name, operation: nil, sources: [.init(from: "row", path: "$[\(place)]", raw: field.raw)],
        result: field.raw)
    }
    var record = ExplainedRecord(subject, traces)
    record.request = "GET https://indodax.example/depth (HTTP 200)"
    return record
  }

  @Test func orderbook() {
    var book = SampleResponses.indodax
    book.explained = [Self.explained(.bestBid, [("price", "91587"), ("size", "0.0467")])]
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

  @Test func trades() {
    var trades = SampleResponses.upbit
    trades.notes = ["응답의 1행에 가격이나 시각 없음"]
    trades.explained = [Self.explained(.newestTrade, [("price", "134512000"), ("side", "buy"), ("id", "9")])]
    let report = TradesReport([trades], at: SampleResponses.now, zone: .seoul, isExplained: true)
    #expect(
      report.text(on: Self.page) == """
        BTC/KRW 체결
        UTC 2026-11-18 (수) 05:12:07

        Upbit 현물 BTC/KRW
        시각 KST      구분         가격         수량     KRW  대량
        14:12:07.092  ▴ 매수  134512000  lookup-miss       -
        14:12:06.819  -       134512000       0.0125   168만
        14:12:05.846  ▴ 매수  134512000       0.0161   217만
        14:12:04.848  ▴ 매수  134511000       0.8125  1.09억   65x
        14:12:02.296  ▾ 매도  134511000       0.0045  60.5만
        14:12:00.088  ▾ 매도  134511000       0.0129   174만
        14:11:58.484  ▴ 매수  134511000       0.0119   160만
        14:11:57.007  ▴ 매수  134511000       0.0102   137만
        14:11:56.423  ▴ 매수  134511000       0.0291   391만
        매수 98.1 %  ▴ 매수 0.8798 BTC (5건)  ▾ 매도 0.0174 BTC (2건)
        구분 없음 0.0125 BTC (1건)  수량 없음 1건  대량: 중앙값 0.0125 BTC의 배수
        10초 동안 9건

        Upbit 현물: 응답의 1행에 가격이나 시각 없음

        계산 근거
        Upbit 현물 BTC/KRW, 마지막 체결
          GET https://indodax.example/depth (HTTP 200)
          가격                 134512000  <- 행 $[0] = 134512000
          구분                 buy  <- 행 $[1] = buy
          체결 번호            9  <- 행 $[2] = 9

        """)
  }

  @Test func days() {
    let report = DailyReport(
      [
        SampleResponses.candles(
          "Upbit", .oneDay, from: "2026-11-12T15:00:00Z", count: 6, zoneSeconds: 32400, missing: [2]),
        SampleResponses.failed("bitFlyer", .notOffered),
      ], at: SampleResponses.now)
    #expect(
      report.text(on: Self.page) == """
        BTC/USDT 일별
        UTC 2026-11-18 (수) 05:12:07

        Upbit 현물 BTC/USDT
        일자 (00:00 KST 기준)   종가  전일 대비  등락률 %  거래량  거래대금
        2026-11-18 (수) 진행   91003        +60     +0.07    56.5     514만
        2026-11-17 (화)        90943        +24     +0.03   122.8    1117만
        2026-11-16 (월)        90919          -         -   103       936만
        2026-11-14 (토)        90959        -29     -0.03    56.2     511만
        2026-11-13 (금)        90988          -         -    61.6     560만

        bitFlyer 현물 BTC/USDT
        -  not-offered

        Upbit 현물: 봉 없는 구간 1개: 2026-11-15부터 1개 (KST)

        """)
  }

  /// A finding says what is wrong with the first of many, and how often.
  @Test func findings() throws {
    let trades =
      try #require(SampleResponses.gate.value) + [
        Trade(time: SampleResponses.now, price: 91542, size: .missing(.zero), side: nil, id: "c")
      ]
    let finding = try #require(TradeCheck.findings(trades, ticker: nil, arrival: SampleResponses.now).first)
    #expect(finding.note(.english) == "trade-shape: the size of a trade at 91542 is not above zero (1 of 3)")
    #expect(finding.note(.korean) == "trade-shape: 체결가 91542의 수량이 0 이하 (1/3)")
  }

  @Test func candles() {
    let answers = [
      SampleResponses.candles("Binance", .oneHour, from: "2026-11-17T22:00:00Z", count: 8, missing: [2, 3, 5]),
      SampleResponses.failed("Luno", .notOffered),
    ]
    let report = CandlesReport(answers, at: SampleResponses.now, zone: .utc)
    #expect(
      report.text(on: Self.page) == """
        BTC/USDT 1시간봉
        UTC 2026-11-18 (수) 05:12:07

        Binance 현물 BTC/USDT
        시작 UTC           시가     고가     저가   종가  거래량  거래대금
        2026-11-17 22:00  91000  91029    90962    90988    61.6     560만
        2026-11-17 23:00  90988  90989    90949.5  90959    56.2     511만
        2026-11-18 02:00  90919  90966.5  90910.5  90943   122.8    1117만
        2026-11-18 04:00  91003  91091    90996.5  91064    75.9     691만
        2026-11-18 05:00  91064  91104.5  91036    91079    24       219만  진행 중
        봉 없는 구간 3개: 2026-11-18 00:00부터 2개, 2026-11-18 03:00부터 1개 (UTC)

        Luno 현물 BTC/USDT
        -  not-offered

        """)
  }

  @Test func balances() {
    var upbit = BalanceReport(exchange: "Upbit")
    upbit.rows = [Balance(account: "spot", asset: "KRW", free: .value(7), locked: .value(0), total: .value(7))]
    (upbit.incomplete, upbit.answered) = (1, 1)
    upbit.explained = [Self.explained(.balance(account: "spot", asset: "KRW"), [("asset", "KRW"), ("free", "7")])]
    var gate = BalanceReport(exchange: "Gate")
    gate.failures = [.init(account: "futures", part: "", failure: AnswerFailure(.timeout))]
    let valuation = Valuation(
      in: "KRW", [], asked: [], rateOfDollar: nil, dollarTokens: [], identity: .standard, at: SampleResponses.now)
    let report = BalancesReport(
      [upbit, gate], assets: [], in: "KRW", valuation, isExplained: true, at: SampleResponses.now)
    #expect(
      report.text(on: Page(palette: .plain, width: nil, language: .korean)) == """
        거래소  계정  자산  보유수량  주문가능  사용중  가격  KRW 평가액  산출 기준
        Upbit   현물  KRW          7         7       0     1           7  그대로
        합계  7 KRW  합계 제외: 자산명 없는 행 1개 (Upbit), 응답 없는 계정 1개 (Gate 선물)

        계산 근거
        Upbit 현물 KRW
          GET https://indodax.example/depth (HTTP 200)
          자산                 KRW  <- 행 $[0] = KRW
          주문가능             7  <- 행 $[1] = 7
          평가액               7  <- 보유수량 7 x 가격 1, 그대로

        """)
    // Messages are in English, whatever the text is in.
    #expect(report.notes.last == "Gate futures: timeout; the exchange may be under maintenance; try again later")
  }

  @Test func wallets() {
    var gate = WalletReport(exchange: "Gate")
    gate.rows = [
      WalletStatus(asset: "BTC", network: "BEP20", deposit: .open, withdraw: .closed, message: nil),
      WalletStatus(asset: "BTC", network: "BEP2", deposit: .closed, withdraw: .open, message: "maintenance"),
    ]
    var kraken = WalletReport(exchange: "Kraken")
    kraken.rows = [WalletStatus(asset: "XRP", network: nil, deposit: .open, withdraw: .unknown, message: nil)]
    #expect(
      WalletsReport([gate, kraken], assets: nil).text(on: Self.page) == """
        거래소  자산  네트워크   입금  출금       메시지
        Gate    BTC   BEP20      가능  중지
        Gate    BTC   BEP2       중지  가능       maintenance
        Kraken  XRP   이름 없음  가능  확인 불가

        """)
  }
}
