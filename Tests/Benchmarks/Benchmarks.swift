/// Measures parts of the program within one process, and generates the input of the other benchmarks.
///
///     benchmarks generate ROWS          a body like Binance's 24hr tickers, on standard output
///     benchmarks body KIND ROWS         a body of candles, trades or an order book like Binance's
///     benchmarks pairs CONFIG DIR       milliseconds to read a folder's candles.json, trades.json and book.json
///     benchmarks pages CONFIG           milliseconds for 10 and 100 pages of candles, and bytes per candle
///     benchmarks pieces CONFIG BODY     milliseconds per piece, best of many, as `name<TAB>milliseconds`
///     benchmarks streams CONFIG         thousands of stream messages read per second
///     benchmarks signing CONFIG         microseconds to sign one request, by exchange
///     benchmarks stream-text CONFIG     the ticker messages used above, one per line, for rival programs
///     benchmarks messages CONFIG ticker|book TIMES    reads a thousand messages TIMES times, for profilers
///     benchmarks interpret CONFIG BODY TIMES    reads the table TIMES times, for profilers
///     benchmarks compile CONFIG BODY TIMES      reads and compiles the config TIMES times, for profilers
///     benchmarks peak COMMAND…          runs a command and prints its peak memory in megabytes
@main
enum Benchmarks {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    switch (words.first, words.dropFirst().map { $0 }) {
    case ("generate", let rest) where rest.count == 1:
      print(SampleBody.text(rows: Int(rest[0]) ?? 0))
    case ("body", let rest) where rest.count == 2:
      print(PairBody(rawValue: rest[0])?.text(rows: Int(rest[1]) ?? 0) ?? "")
    case ("pairs", let rest) where rest.count == 2:
      for (name, milliseconds) in try PairBenchmarks(config: rest[0], bodies: rest[1]).measured() {
        print("\(name)\t\(milliseconds)")
      }
    case ("pages", let rest) where rest.count == 1:
      for (name, value) in try await PageBenchmarks(config: rest[0]).measured() { print("\(name)\t\(value)") }
    case ("pieces", let rest) where rest.count == 2:
      for (name, milliseconds) in try TableBenchmarks(config: rest[0], body: rest[1]).measured() {
        print("\(name)\t\(milliseconds)")
      }
      for (name, milliseconds) in await FilterBenchmarks.figureKeys() { print("\(name)\t\(milliseconds)") }
    case ("streams", let rest) where rest.count == 1:
      for (name, thousands) in try StreamBenchmarks(config: rest[0]).measured() { print("\(name)\t\(thousands)") }
    case ("signing", let rest) where rest.count == 1:
      for (name, microseconds) in try SigningBenchmarks(config: rest[0]).measured() {
        print("\(name)\t\(microseconds)")
      }
    case ("stream-text", let rest) where rest.count == 1:
      for line in try StreamBenchmarks(config: rest[0]).tickerText { print(line) }
    case ("messages", let rest) where rest.count == 3:
      try StreamBenchmarks(config: rest[0]).read(rest[1], times: Int(rest[2]) ?? 1)
    case ("interpret", let rest) where rest.count == 3:
      try TableBenchmarks(config: rest[0], body: rest[1]).interpret(times: Int(rest[2]) ?? 1)
    case ("compile", let rest) where rest.count == 3:
      try TableBenchmarks(config: rest[0], body: rest[1]).compile(times: Int(rest[2]) ?? 1)
    case ("peak", let rest) where !rest.isEmpty:
      print(PeakMemory.megabytes(of: rest) ?? 0)
    default:
      print(
        "usage: benchmarks generate ROWS | body KIND ROWS | pairs CONFIG DIR | pages CONFIG | pieces CONFIG BODY | streams CONFIG | signing CONFIG | stream-text CONFIG | messages CONFIG KIND TIMES | interpret CONFIG BODY TIMES | compile CONFIG BODY TIMES | peak COMMAND…"
      )
    }
  }
}
