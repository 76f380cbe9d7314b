import Quotes
import Testing

struct ChangeScaleCheckTests {
  /// Returns a row with a range of 4 % and no open.
  static func row(_ change: String, exchange: String = "Bitget", price: String = "100") -> Ticker {
    var row = MeaningCheckTests.ticker(
      [.price: price, .low: "98", .high: "102", .changePricePercent24: change], of: .rolling24h)
    row.exchange = exchange
    return row
  }

  @Test(arguments: [
    (["0.0123", "-0.0050", "0.0017", "-0.0120", "0.0100", "0.0090", "-0.0110", "0.0060"], true),
    // One quiet pair among them, and one that does not fit when multiplied.
    (["1.23", "-0.50", "0.17", "-1.20", "1.00", "0.90", "-1.10", "0.60"], false),
    (["0.0123", "-0.0050", "0.0017", "-0.0120", "0.0100", "0.0090", "-0.0110"], false),
    (["0.0123", "-0.0050", "0.0017", "-0.0120", "0.0100", "0.0090", "-1.10", "0.60"], false),
    (["0", "0", "0", "0", "0", "0", "0", "0"], false),
  ])
  func recognizesFractionsAcrossAllRows(changes: [String], isFlagged: Bool) {
    var check = ChangeScaleCheck()
    for change in changes { check.add(Self.row(change)) }
    let flag = check.finding
    let count = changes.count
    let message =
      "the changes of \(count) of \(count) rows are less than a twentieth of their 24h ranges: scale it by 100"
    #expect(flag?.message == (isFlagged ? message : nil))
  }

  /// Only such a row needs the others.
  @Test(arguments: [("0.0123", true), ("0.19", true), ("0.21", false), ("-1.5", false), ("0", false)])
  func smallChangesMayBeFractions(change: String, mayBe: Bool) {
    #expect(ChangeScaleCheck.isDoubtful(Self.row(change)) == mayBe)
  }

  /// Without open and range, only falls that nothing can fall by tell that changes are a hundred times too large.
  @Test(
    arguments: [
      (
        ["457", "-110", "731", "-226", "13", "-3"],
        "the changes of 2 of 6 rows are falls by 100 % or more: scale it by 0.01"
      ),
      (["457", "-110", "731", "-22", "13", "-3"], nil), (["4.57", "-1.10", "7.31", "-2.26"], nil),
    ] as [([String], String?)])
  func recognizesMultiplesByFalls(changes: [String], message: String?) {
    var check = ChangeScaleCheck()
    for change in changes {
      let row = MeaningCheckTests.ticker([.price: "100", .changePricePercent24: change], of: .rolling24h)
      #expect(ChangeScaleCheck.isDoubtful(row))
      check.add(row)
    }
    #expect(check.finding?.message == message)
    // A row whose range proves its change has no part in it.
    #expect(check.concerns(Self.row("1.5")) == (message == nil))
  }

  @Test func comparesExchangesAtOnePrice() {
    let rows = [
      Self.row("-2.79", exchange: "A"), Self.row("-0.0279", exchange: "B", price: "100.2"),
      Self.row("-2.81", exchange: "C"), Self.row("-2.60", exchange: "D", price: "99.9"),
      // Its price differs, so its change may too.
      Self.row("-0.02", exchange: "E", price: "98.5"),
    ]
    let messages = ChangeScaleCheck.findings(rows).map { $0?.message }
    #expect(
      messages == [
        nil, "change -0.03 %, while others at the same price report -2.79 %: scale it by 100", nil, nil, nil,
      ])
    #expect(ChangeScaleCheck.findings(Array(rows.prefix(2))) == [nil, nil])
    #expect(ChangeScaleCheck.findings(rows)[1]?.excludes == false)
  }

  /// Spot and futures of one exchange are one voice, and a change that the row's own open proves needs none.
  @Test(
    arguments: [
      (["A", "B", "B"], nil, false), (["A", "B", "C"], nil, true), (["A", "B", "B", "C"], nil, true),
      (["A", "B", "C"], "99.98", false), (["A", "B", "C"], "97.5", true),
    ] as [([String], String?, Bool)])
  func countsExchanges(_ exchanges: [String], _ open: String?, _ isFound: Bool) {
    let rows = exchanges.map { name in
      var row = Self.row(name == "A" ? "0.02" : "2.5", exchange: name)
      if name == "A", let open { row.open = cell(open) }
      return row
    }
    let found = ChangeScaleCheck.findings(rows).map { $0?.message }
    let message = "change +0.02 %, while others at the same price report +2.50 %: scale it by 100"
    #expect(found == [isFound ? message : nil] + exchanges.dropFirst().map { _ in nil })
  }

  /// Changes that disagree with each other are no consensus; large ones agree within a fifth.
  @Test(arguments: [
    (["0.01", "-1.30", "1.20", "-1.10"], [false, false, false, false]),
    (["0.40", "40", "42", "44"], [true, false, false, false]),
  ])
  func othersMustAgree(_ changes: [String], _ found: [Bool]) {
    let rows = zip(["A", "B", "C", "D"], changes).map { Self.row($1, exchange: $0) }
    #expect(ChangeScaleCheck.findings(rows).map { $0 != nil } == found)
  }

  /// A twentieth of the rows must be falls, or nine of ten changes small, and nearly all of these fit a hundredfold.
  @Test(
    arguments: [
      (Array(repeating: "-100", count: 2) + Array(repeating: "5", count: 38), false, 40),
      (Array(repeating: "-100", count: 2) + Array(repeating: "5", count: 39), false, nil),
      (Array(repeating: "0.01", count: 9) + ["1"], true, 9),
      (Array(repeating: "0.01", count: 8) + ["1", "1"], true, nil),
      (Array(repeating: "0.01", count: 19) + ["0.09"], true, 20),
      (Array(repeating: "0.01", count: 18) + ["0.09", "0.09"], true, nil),
    ] as [([String], Bool, Int?)])
  func needsMostRows(changes: [String], hasRange: Bool, count: Int?) {
    var check = ChangeScaleCheck()
    for change in changes {
      let row = MeaningCheckTests.ticker([.price: "100", .changePricePercent24: change], of: .rolling24h)
      check.add(hasRange ? Self.row(change) : row)
    }
    let message = count.map {
      hasRange
        ? "the changes of \($0) of \(changes.count) rows are less than a twentieth of their 24h ranges: scale it by 100"
        : "the changes of 2 of \($0) rows are falls by 100 % or more: scale it by 0.01"
    }
    #expect(check.finding?.message == message)
  }

  /// The change of A beside those of others, which are at other prices or not.
  @Test(
    arguments: [
      ("1.9", ["18", "18"], "100", nil), ("1.8", ["18", "18"], "100", "+18.00 %: is it measured from another open?"),
      ("0.1", ["1.1", "1.1"], "100", nil),
      ("0.05", ["1.15", "1.15"], "100", "+1.15 %: is it measured from another open?"),
      ("0.02", ["2.5", "2.5"], "100", "+2.50 %: scale it by 100"),
      ("0.02", ["2.6", "2.6"], "100", "+2.60 %: is it measured from another open?"),
      ("0.02", ["2.5", "2.5"], "101", "+2.50 %: scale it by 100"), ("0.02", ["2.5", "2.5"], "101.01", nil),
      ("0.02", ["2.5"], "100", nil),
    ] as [(String, [String], String, String?)])
  func comparesOneWithOthers(change: String, others: [String], price: String, end: String?) {
    let rows =
      [Self.row(change, exchange: "A")]
      + others.enumerated().map { Self.row($1, exchange: "B\($0)", price: price) }
      + [Self.row("7", exchange: "C", price: "200")]
    let own = (Decimal(change) ?? 0).signedPercentText
    let message = end.map { "change \(own) %, while others at the same price report \($0)" }
    #expect(ChangeScaleCheck.findings(rows).map { $0?.message } == [message] + rows.dropFirst().map { _ in nil })
  }
}
