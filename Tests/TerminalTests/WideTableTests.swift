import Terminal
import Testing

/// A table like that of `market show`, on the two usual terminals.
@Suite struct WideTableTests {
  private var table: Table {
    var table = Table(columns: [
      TableColumn("exchange"), TableColumn("product", shortening: 2, dropping: 6), TableColumn("price", .right),
      TableColumn("24h %", .right), TableColumn("turnover", .right, dropping: 7),
      TableColumn("volume", .right, dropping: 5), TableColumn("high", .right, dropping: 4),
      TableColumn("low", .right, dropping: 4), TableColumn("bid", .right, dropping: 3),
      TableColumn("ask", .right, dropping: 3), TableColumn("time", dropping: 2),
      TableColumn("note", minimumWidth: 10, shortening: 1),
    ])
    table.addRow([
      "Binance", "USDT-M", "118234.50", "+1.23", "13512345678.12", "114286.52", "119000.00", "116512.10", "118234.49",
      "118234.50", "02:58:51", "",
    ])
    table.addRow([
      "업비트", "", "164512000", "-0.40", "512345678901", "3114.28652", "165900000", "163100000", "164511000",
      "164512000", "02:58:50", "high and low since 09:00 KST",
    ])
    return table
  }

  @Test func on80Columns() {
    #expect(
      table.rendered(width: 80, palette: .plain) == """
        exchange  product      price  24h %        turnover      volume  note
        Binance   USDT-M   118234.50  +1.23  13512345678.12   114286.52
        업비트             164512000  -0.40    512345678901  3114.28652  high and low s…
        5 columns hidden: high, low, bid, ask, time; widen the terminal or use --format
        csv

        """)
  }

  @Test func on160Columns() {
    #expect(
      table.rendered(width: 160, palette: .plain) == """
        exchange  product      price  24h %        turnover      volume       high        low        bid        ask  time      note
        Binance   USDT-M   118234.50  +1.23  13512345678.12   114286.52  119000.00  116512.10  118234.49  118234.50  02:58:51
        업비트             164512000  -0.40    512345678901  3114.28652  165900000  163100000  164511000  164512000  02:58:50  high and low since 09:00 KST

        """)
  }
}
