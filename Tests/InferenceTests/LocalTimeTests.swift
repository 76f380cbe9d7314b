import Quotes
import Testing

@testable import Config
@testable import Inference

/// Times without a zone: the answer's arrival shows whether they are of UTC.
@Suite struct LocalTimeTests {
  /// 2026-11-30T00:00:30Z
  private static let arrival = Instant(nanoseconds: 1_795_996_830_000_000_000)

  /// A book is hardly older than the answer.
  @Test(arguments: [
    ("2026-11-30T00:00:21", "+00:00", true), ("2026-11-30 00:01:10", "+00:00", true),
    ("2026-11-30T09:00:21", "+09:00", false), ("2026-11-29T21:00:21", "-03:00", false),
    ("2026-11-29T23:40:00", "+00:00", false), ("2026-11-30T09:00:21+09:00", nil, true),
  ])
  func timesOfBooks(_ time: String, _ zone: String?, _ isSure: Bool) throws {
    let book = #"{"bids":[[99,1],[98,2],[97,1]],"asks":[[101,1],[102,2],[103,1]],"timestamp":"\#(time)"}"#
    let proposal = try BlockInference(.orderbook, Array(book.utf8), arrival: Self.arrival).proposal()
    let field = try #require(proposal["time"])
    #expect(field.isSure == isSure, "\(field.evidence)")
    let text = #"{ "path": "$.timestamp", "unit": "iso8601"\#(zone.map { #", "zone": "\#($0)""# } ?? "") }"#
    #expect(field.members.map { $0.value.text(lead: 0) } == [text])
    let unknown = try BlockInference(.orderbook, Array(book.utf8)).proposal()["time"]
    #expect(unknown?.isSure == (zone == nil))
  }

  /// The newest candle is the running one: whole hours before the answer, it is of a clock behind UTC, unless candles
  /// are about as long.
  @Test(arguments: [
    (60, 0, "+00:00"), (60, -3, "-03:00"), (60, 9, "+09:00"), (900, -5, "-05:00"), (3600, -3, "+00:00"),
  ])
  func timesOfCandles(_ step: Int, _ hours: Int, _ zone: String) throws {
    let newest = 1_795_996_800 + hours * 3600
    let rows = (0..<12).map { index -> String in
      let start = Instant(nanoseconds: Int64(newest - index * step) * 1_000_000_000).iso8601
      let open = 100 + (index * 7 % 5)
      let (close, text) = (100 + (index + 4) * 7 % 5, start.replacing("Z", with: ""))
      return #"{"t":"\#(text)","o":\#(open),"h":\#(max(open, close) + 1),"l":\#(min(open, close) - 1),"c":\#(close)}"#
    }
    let answer = "[\(rows.joined(separator: ","))]"
    let time = try BlockInference(.candles, Array(answer.utf8), arrival: Self.arrival).proposal()["time"]
    #expect(time?.isSure == false)
    let text = #"{ "path": "$.t", "unit": "iso8601", "zone": "\#(zone)" }"#
    #expect(time?.members.map { $0.value.text(lead: 0) } == [text], "\(time?.evidence ?? [])")
  }
}
