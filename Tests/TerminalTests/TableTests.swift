import Terminal
import Testing

@Suite struct TableTests {
  /// The table of `market show` in miniature: names may be shortened, bid and ask are dropped first.
  private var table: Table {
    var table = Table(columns: [
      TableColumn("exchange", shortening: 2), TableColumn("price", .right), TableColumn("24h %", .right, dropping: 5),
      TableColumn("bid", .right, dropping: 1), TableColumn("ask", .right, dropping: 1),
      TableColumn("note", minimumWidth: 6, shortening: 1, dropping: 4),
    ])
    table.addRow([
      "Binance", StyledText("118234.50", .up), StyledText("+1.23", .up), "118234.49", "118234.50", "",
    ])
    table.addRow([
      "업비트", StyledText("164512000", .down), StyledText("-0.40", .down), "164511000", "164512000",
      "하나은행 환율 기준",
    ])
    table.addRow(["Tiny", "0.0000138520", "+0.00", "-", "-", StyledText("stale", .warning)])
    return table
  }

  @Test func unlimited() {
    #expect(
      table.rendered(width: nil, palette: .plain) == """
        exchange         price  24h %        bid        ask  note
        Binance      118234.50  +1.23  118234.49  118234.50
        업비트       164512000  -0.40  164511000  164512000  하나은행 환율 기준
        Tiny      0.0000138520  +0.00          -          -  stale

        """)
  }

  /// What columns reserve comes from the room that is left, leftmost first.
  @Test(
    arguments: [
      (nil, [3, 2, 2]), (30, [7, 2, 6]), (17, [7, 2, 4]), (14, [6, 2, 2]), (11, [3, 2, 2]), (8, [4, 2]), (7, [3, 2]),
    ] as [(Int?, [Int])])
  func reserves(_ width: Int?, _ widths: [Int]) {
    var table = Table(columns: [
      TableColumn("a", reserved: 7), TableColumn("b", .right), TableColumn("c", dropping: 1, reserved: 6),
    ])
    table.addRow([StyledText("123"), StyledText("12"), StyledText("12")])
    let layout = TableLayout(columns: table.columns, natural: table.naturalWidths(), room: width)
    #expect(layout.shown.map(\.width) == widths)
  }

  @Test(arguments: [71, 80, 160])
  func tableThatFitsIsUnchanged(width: Int) {
    #expect(table.rendered(width: width, palette: .plain) == table.rendered(width: nil, palette: .plain))
  }

  @Test func shortensNotesFirst() {
    #expect(
      table.rendered(width: 62, palette: .plain) == """
        exchange         price  24h %        bid        ask  note
        Binance      118234.50  +1.23  118234.49  118234.50
        업비트       164512000  -0.40  164511000  164512000  하나은행…
        Tiny      0.0000138520  +0.00          -          -  stale

        """)
  }

  @Test func dropsLeastImportantColumnsAndSaysSo() {
    #expect(
      table.rendered(width: 40, palette: .plain) == """
        exchange         price  24h %  note
        Binance      118234.50  +1.23
        업비트       164512000  -0.40  하나은행…
        Tiny      0.0000138520  +0.00  stale
        2 columns hidden: bid, ask; widen the
        terminal or use --format csv

        """)
  }

  @Test func shortensNamesLast() {
    #expect(
      table.rendered(width: 18, palette: .plain) == """
        exc…         price
        Bin…     118234.50
        업…      164512000
        Tiny  0.0000138520
        4 columns hidden:
        24h %, bid, ask,
        note; widen the
        terminal or use
        --format csv

        """)
  }

  @Test func overflowsRatherThanCutNumbers() {
    var table = Table(columns: [TableColumn("price", .right)])
    table.addRow(["0.000000000138520"])
    #expect(table.rendered(width: 5, palette: .plain) == "            price\n0.000000000138520\n")
  }

  /// A row that has no room on a line goes on in the next, between two cells, and a screen still has a line per row.
  @Test func rowsWrapBetweenCells() {
    var table = Table(columns: [
      TableColumn("against"), TableColumn("Upbit", .right), TableColumn("Bithumb", .right),
      TableColumn("Gopax", .right), TableColumn("note"),
    ])
    table.addRow(["Binance", "*+0.54", "+0.58", "+0.64"])
    table.addRow(["Kraken", "+0.61", "+0.65", "+0.71", "late"])
    table.addRow(["Woo", "+0.62"])
    #expect(
      table.rendered(width: 24, palette: .plain) == """
        against   Upbit  Bithumb
          Gopax  note
        Binance  *+0.54    +0.58
          +0.64
        Kraken    +0.61    +0.65
          +0.71  late
        Woo       +0.62

        """)
    #expect(table.lines(width: 24).count == 4)
    for width in 9...60 {
      let lines = table.rendered(width: width, palette: .plain).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width }, "\(width)")
    }
  }

  @Test func colours() {
    var table = Table(columns: [TableColumn("a"), TableColumn("b", .right)])
    table.addRow([StyledText("x", .dim), StyledText("-1", .down)])
    #expect(
      table.rendered(width: nil, palette: Palette(scheme: .us, isColored: true))
        == "\u{1B}[1ma\u{1B}[0m   \u{1B}[1mb\u{1B}[0m\n\u{1B}[38;5;243mx\u{1B}[0m  \u{1B}[38;5;196m-1\u{1B}[0m\n")
  }

  @Test func hostileText() {
    var table = Table(columns: [TableColumn("a"), TableColumn("b")])
    table.addRow(["\u{1B}[2J", "x"])
    #expect(table.rendered(width: nil, palette: .plain) == "a          b\n\\u{1B}[2J  x\n")
  }

  /// The column that tells rows apart is shortened last, when no other column is left to drop.
  @Test(
    arguments: [
      (40, "pair              name          price\nBROCCOLI714/USDC  Broccoli 714      1\n"),
      (34, "pair              name       price\nBROCCOLI714/USDC  Broccoli…      1\n"),
      (24, "pair              price\nBROCCOLI714/USDC      1\n"),
      (21, "pair            price\nBROCCOLI714/U…      1\n"),
    ] as [(Int, String)])
  func keyIsShortenedLast(_ width: Int, _ text: String) {
    var table = Table(columns: [
      TableColumn("pair", minimumWidth: 10, shortening: 1, isKey: true),
      TableColumn("name", minimumWidth: 6, shortening: 0, dropping: 0), TableColumn("price", .right),
    ])
    table.addRow(["BROCCOLI714/USDC", "Broccoli 714", "1"])
    let lines = table.lines(width: width, namesHidden: false)
    #expect(lines.map { $0.painted(with: .plain) + "\n" }.joined() == text)
  }

  /// A column that tells rows apart and may be dropped is shortened when it is the next to go, not before.
  @Test(
    arguments: [
      (41, "exchange  product       price  24h %  age\nOkx       stableMargin      1     +1  20s\n"),
      (40, "exchange  product       price  24h %\nOkx       stableMargin      1     +1\n"),
      (35, "exchange  product      price  24h %\nOkx       stableMarg…      1     +1\n"),
      (28, "exchange  pro…  price  24h %\nOkx       sta…      1     +1\n"),
      (27, "exchange  price  24h %\nOkx           1     +1\n"),
    ] as [(Int, String)])
  func secondKey(_ width: Int, _ text: String) {
    var table = Table(columns: [
      TableColumn("exchange", shortening: 2, isKey: true),
      TableColumn("product", shortening: 1, dropping: 1, isKey: true), TableColumn("price", .right),
      TableColumn("24h %", .right, dropping: 2), TableColumn("age", .right, dropping: 0),
    ])
    table.addRow(["Okx", "stableMargin", "1", "+1", "20s"])
    let lines = table.lines(width: width, namesHidden: false)
    #expect(lines.map { $0.painted(with: .plain) + "\n" }.joined() == text)
  }

  /// A column that may be shortened to make room for others is shortened further when no other is left to drop.
  @Test(
    arguments: [
      (29, "pair              name  price\nBROCCOLI714/USDC  x         1\n"),
      (27, "pair            name  price\nBROCCOLI714/U…  x         1\n"),
      (26, "pair              price\nBROCCOLI714/USDC      1\n"),
      (22, "pair             price\nBROCCOLI714/US…      1\n"), (15, "pair      price\nBROCCOL…      1\n"),
    ] as [(Int, String)])
  func lastWidthMakesRoom(_ width: Int, _ text: String) {
    var table = Table(columns: [
      TableColumn("pair", minimumWidth: 14, lastWidth: 8, shortening: 1), TableColumn("name", dropping: 0),
      TableColumn("price", .right),
    ])
    table.addRow(["BROCCOLI714/USDC", "x", "1"])
    let lines = table.lines(width: width, namesHidden: false)
    #expect(lines.map { $0.painted(with: .plain) + "\n" }.joined() == text)
  }

  /// A title that several columns have is named with that of the column before, or belongs to it if both are hidden.
  @Test(arguments: [(19, "1 hidden: price at"), (14, "2 hidden: price at, high")])
  func hiddenTwinsAreNamed(_ width: Int, _ note: String) {
    var table = Table(columns: [
      TableColumn("n"), TableColumn("price", .right), TableColumn("at", dropping: 0),
      TableColumn("high ", .right, dropping: 1), TableColumn("at", dropping: 1),
    ])
    table.addRow(["1", "2", "A", "3", "B"])
    let text = table.rendered(width: width, palette: .plain) { "\($0) hidden: \($1)" }
    #expect(text.split(separator: "\n").dropFirst(2).joined(separator: " ") == note)
  }

  /// A column without a title belongs to the one before, unless it has a name for where it is hidden.
  @Test(arguments: [(nil, ""), ("place", "1 hidden: place")] as [(String?, String)])
  func hiddenColumnsWithoutTitleHaveNames(_ name: String?, _ note: String) {
    var table = Table(columns: [
      TableColumn("price", .right), TableColumn("", hiddenName: name, dropping: 0, reserved: 3),
    ])
    table.addRow(["2", "A"])
    let text = table.rendered(width: 6, palette: .plain) { "\($0) hidden: \($1)" }
    #expect(text.split(separator: "\n").dropFirst(2).joined(separator: " ") == note)
  }

  /// At every width: no line is wider than the space as long as something can shrink, and no number is cut.
  @Test func everyWidth() {
    let natural = table.naturalWidths()
    for width in 1...90 {
      let layout = TableLayout(columns: table.columns, natural: natural, room: width)
      let total = layout.shown.reduce(0) { $0 + $1.width } + 2 * (layout.shown.count - 1)
      #expect(total <= width || layout.shown.map(\.index) == [0, 1], "width \(width)")
      for placement in layout.shown where table.columns[placement.index].alignment == .right {
        #expect(placement.width == natural[placement.index], "width \(width)")
      }
      #expect(Set(layout.hidden).union(layout.shown.map(\.index)) == Set(0..<6))
    }
  }

  /// Columns without anything in them leave their room to others first.
  @Test(arguments: [("", ["pair  age", "BTC   20s"]), ("0.1", ["pair  disp%  at", "BTC     0.1"])])
  func emptyColumnsAreDroppedFirst(_ disparity: String, _ lines: [String]) {
    var table = Table(columns: [
      TableColumn("pair"), TableColumn("age", .right, dropping: 0), TableColumn("disp%", .right, dropping: 1),
      TableColumn("at", dropping: 1),
    ])
    table.addRow(["BTC", "20s", StyledText(disparity)])
    #expect(table.lines(width: 16, namesHidden: false).map(\.plainText) == lines)
  }
}
