import Quotes

/// A field's name split into words.
///
///     FieldName("lowestAsk24hr").words  // low, ask, rolling
///     FieldName("closing_price").words  // close, price
struct FieldName: Hashable, Sendable {
  let words: [NameWord]

  init(words: [NameWord]) { self.words = words }

  init(_ name: String) {
    let chunks = Self.chunks(of: name)
    let ending = ScaleEnding(of: chunks)
    let words = chunks.dropLast(ending?.chunkCount ?? 0).flatMap(Self.meaning)
    self.words = Self.withoutPhrases(words) + (ending == nil ? [] : [.scaled])
  }

  /// Returns whether the name has a word, or one that counts as it.
  func has(_ word: NameWord) -> Bool { words.contains { $0.counts(as: word) } }

  /// The day that the name says its figure is of, beginning at its midnight; nil if it says none, or the rolling hours.
  var dayBasis: ChangeBasis? {
    words.lazy.compactMap { word in
      switch word {
      case .dayOf(let basis): basis
      case .today: .venueDay
      default: nil
      }
    }.first
  }

  func hasAny(_ wanted: [NameWord]) -> Bool { wanted.contains(where: has) }

  var unknownCount: Int {
    words.count { if case .unknown = $0 { true } else { false } }
  }

  /// Whether it contains another word or letter that may change the meaning.
  var hasQualifier: Bool {
    words.contains { word in
      switch word {
      case .unknown, .letter: words.count > 1
      default: false
      }
    }
  }

  /// The single letter that forms the name, with or without a window: `h`, `h24`.
  var letter: Character? {
    let rest = words.filter { $0 != .rolling }
    guard rest.count == 1, case .letter(let letter) = rest[0] else { return nil }
    return letter
  }

  /// The currency in the name: `USD` in `volume_usd`.
  var code: String? {
    for case .code(let code) in words { return code }
    return nil
  }

  var withoutCodes: FieldName {
    FieldName(words: words.filter { if case .code = $0 { false } else { true } })
  }

  /// Splits a name into runs of letters or digits: at punctuation, at `aB`, at `ABc`, at `a1`.
  static func chunks(of name: String) -> [String] {
    var chunks: [String] = []
    var current = ""
    let characters = Array(name)
    func flush() {
      if !current.isEmpty { chunks.append(current) }
      current = ""
    }
    for (index, character) in characters.enumerated() {
      if character == "%" {
        flush()
        chunks.append("percent")
        continue
      }
      guard character.isLetter || character.isNumber else {
        flush()
        continue
      }
      if let last = current.last {
        let next = index + 1 < characters.count ? characters[index + 1] : " "
        let isHump = last.isLowercase && character.isUppercase
        let isAcronymEnd = last.isUppercase && character.isUppercase && next.isLowercase
        if last.isNumber != character.isNumber || isHump || isAcronymEnd { flush() }
      }
      current.append(character)
    }
    flush()
    return joiningWindows(chunks)
  }

  /// Joins the words of a window: `24` and `hr`, `7` and `d`, `h` and `1`, `all` and `time`.
  private static func joiningWindows(_ chunks: [String]) -> [String] {
    var result: [String] = []
    var index = 0
    while index < chunks.count {
      let chunk = chunks[index]
      let next = index + 1 < chunks.count ? chunks[index + 1].lowercased() : ""
      let isNumber = chunk.allSatisfy(\.isNumber)
      index += 2
      if isNumber, let span = Span(next) {
        result.append(chunk + span.rawValue)
      } else if isNumber, next.first == "h", NameWord.vocabulary[String(next.dropFirst())] != nil {
        // `24hhigh`: the hours and the word are joined.
        result += [chunk + "h", String(next.dropFirst())]
      } else if let span = Span(before: next, chunk, after: index < chunks.count ? chunks[index] : "") {
        result.append(next + span.rawValue)
      } else if chunk.lowercased() == "all", next == "time" {
        result.append("alltime")
      } else if chunk.lowercased() == "utc", ["0", "8", "9"].contains(next) {
        result.append("utc" + next)
      } else {
        result.append(chunk)
        index -= 1
      }
    }
    return result
  }

  /// The unit of a window, as appended to its number.
  private enum Span: String {
    case hours = "h"
    case days = "d"
    /// Minutes, weeks, months or years, which never make a day.
    case other = "x"

    init?(_ unit: String) {
      switch unit {
      case "h", "hr", "hrs", "hour", "hours": self = .hours
      case "d", "day", "days": self = .days
      case "m", "min", "mins", "minute", "minutes", "w", "week", "weeks", "mo", "month", "months", "y", "yr", "year",
        "years":
        self = .other
      default: return nil
      }
    }

    /// Creates the unit that stands before its number, as in `m5`. `min` is rather a minimum, a number before a unit of
    /// its own belongs to that one, and `h24` is left to the rules about `24`.
    init?(before number: String, _ unit: String, after: String) {
      guard !number.isEmpty, number.allSatisfy(\.isNumber), number != "24", unit.lowercased() != "min",
        Span(after.lowercased()) == nil
      else { return nil }
      self.init(unit.lowercased())
    }
  }

  private static func meaning(of chunk: String) -> [NameWord] {
    let word = chunk.lowercased()
    if let first = word.first, first.isNumber {
      if word == "24" || word == "24h" || word == "86400" { return [.rolling] }
      if word.last?.isLetter == true { return [word == "1d" ? .day : .otherWindow] }
      return [Int(word) == 1 ? .filler : .level]
    }
    if let known = NameWord.vocabulary[word] { return [known] }
    if let code = CurrencyCode.word(word) { return [code] }
    if CurrencyCode.isPayment(word.uppercased()) { return [.code(word.uppercased())] }
    if word.count == 1, let letter = chunk.first { return [.letter(letter)] }
    return segments(of: word) ?? [.unknown(word)]
  }

  /// Returns the fewest known words that form a word: `lastprice` is last, price.
  private static func segments(of word: String) -> [NameWord]? {
    let letters = Array(word)
    guard letters.count <= 32 else { return nil }
    var best: [[NameWord]?] = [[]] + Array(repeating: nil, count: letters.count)
    for end in 1...letters.count {
      for start in 0..<end where end - start > 1 {
        guard let head = best[start] else { continue }
        let piece = String(letters[start..<end])
        guard let word = NameWord.vocabulary[piece] ?? CurrencyCode.word(piece) else { continue }
        if best[end].map({ $0.count > head.count + 1 }) ?? true { best[end] = head + [word] }
      }
    }
    return best[letters.count]
  }

  /// `last 24h max` is not a last price, `last day` and `last close` are the previous ones, `up down` is a change,
  /// `rolling 24 hour` is one window, and so is an `hour` without a number.
  private static func withoutPhrases(_ words: [NameWord]) -> [NameWord] {
    var result: [NameWord] = []
    for (index, word) in words.enumerated() {
      let next = index + 1 < words.count ? words[index + 1] : nil
      if word == .last, next == .rolling, words.count > 2 { continue }
      if word == .last, let next, next == .close || FieldName(words: [next]).has(.day) {
        result.append(.previous)
        continue
      }
      if word == .rolling, result.last == .rolling { continue }
      if word == .hour {
        if result.last != .rolling, next != .rolling { result.append(.otherWindow) }
        continue
      }
      if word == .letter("h"), next == .rolling, words.count > 2 { continue }
      if word == .unknown("down"), result.last == .unknown("up") {
        result[result.count - 1] = .change
        continue
      }
      result.append(word)
    }
    return result
  }
}

/// The meaning of a word in a field's name. Synonyms share a case.
enum NameWord: Hashable, Sendable {
  /// `min` and `max`: of the day's prices or of order limits.
  case minimum, maximum
  case last, close, current, price, trade, high, low, bid, buy, ask, sell, best, open, previous
  case volume, amount, quantity, turnover, value, base, quote, size
  /// The asset, in words other than `base`.
  case coin
  case change, percent, rate, ratio
  /// The rolling 24 hours: `24h`, `24hr`, `rolling`.
  case rolling
  /// The day, however defined: exchanges call the rolling hours `daily` as well.
  case day
  /// The exchange's own day so far, which is shorter than 24 hours: `today`, `session`.
  case today
  /// The day so far of a time zone: `utc`, `kst`.
  case dayOf(ChangeBasis)
  /// Part of a window until the whole name is read: `24` hours, or an hour alone, which is another window.
  case hour
  /// An hour or a week, which are not the window of a ticker.
  case otherWindow
  case average, mark, index, interest, funding, count, order, limit, step, fee, level
  case time, updated, begin, end, server
  case symbol, identifier, currency, name, status, signed, absolute
  /// An uppercase currency code: `volume_usd` is in dollars whatever the pair.
  case code(String)
  /// A single letter on its own.
  case letter(Character)
  case total
  /// Since some moment: of a day or, without a window of hours, of any time.
  case accumulated
  /// The ending of a name whose numbers count a small unit.
  case scaled
  /// Without significance: `ticker`, `data`, `info`.
  case filler
  case unknown(String)
}

extension NameWord {
  /// Returns whether it is the word or means as much: a maximum counts as a high, a minimum as a low, a coin as a base,
  /// and today and the day of a time zone as a day.
  fileprivate func counts(as word: NameWord) -> Bool {
    switch (self, word) {
    case (.maximum, .high), (.minimum, .low), (.coin, .base): true
    case (.today, .day), (.dayOf, .day), (.dayOf, .today): true
    default: self == word
    }
  }

  /// The lowercase words that form names of ticker fields, including misspellings common among exchanges.
  static let vocabulary = Dictionary(spellings.map { ($0.spelling, $0.word) }) { first, _ in first }

  /// The words with what they mean, each once.
  static let spellings: [(word: NameWord, spelling: String)] = {
    let families: [(NameWord, String)] = [
      (.last, "last latest recent ltp newest"),
      (.close, "close closing closed"),
      (.current, "current now actual"),
      (.price, "price px prices"),
      (.trade, "trade traded deal transaction executed done"),
      (.high, "high highest hi hight"), (.maximum, "max maximum"),
      (.low, "low lowest lo"), (.minimum, "min minimum"),
      (.bid, "bid bids"), (.buy, "buy buying buyer buys"),
      (.ask, "ask asks offer"), (.sell, "sell selling seller sells sale"),
      (.best, "best"), (.open, "open opening"),
      (.previous, "prev previous pre yesterday yest prior ago"),
      (.volume, "volume vol volumn volumes vlm"), (.amount, "amount amt"), (.quantity, "quantity qty units unit"),
      (.turnover, "turnover notional ntl money funds"), (.value, "value val"),
      (.base, "base major"), (.coin, "asset coin token crypto primary"),
      (.quote, "quote quoted counter secondary minor payment"),
      (.size, "size lot lots depth"),
      (.change, "change chg changed changes diff difference fluctuation fluctate fluctuate delta variation updown"),
      (.change, "increment increase"),
      (.percent, "percent percentage pct pcnt perc percents"),
      (.rate, "rate rates"), (.ratio, "ratio"),
      (.rolling, "rolling"),
      (.day, "day daily"), (.today, "today intraday session"), (.dayOf(.utcDay), "utc utc0"),
      (.dayOf(.utc8Day), "utc8"), (.dayOf(.kstDay), "kst utc9"), (.hour, "hour hours hr hrs"),
      (
        .otherWindow,
        "hourly week weekly month monthly quarter quarterly year yearly annual ytd mtd qtd decade ath atl lifetime ever "
          + "alltime history historical historic"
      ),
      (.average, "average avg av vwap twap wap weighted mean wavg median ema sma"),
      (.mark, "mark fair mid middle theoretical theo est estimated estimate reference ref fixing"),
      (.index, "index idx indicative oracle underlying settle settlement settled spot"),
      (.interest, "interest oi"), (.funding, "funding predicted"),
      (.count, "count num number trades transactions"), (.order, "order orders position"),
      (.limit, "limit upper lower band ceiling floor collar"),
      (.step, "step tick precision scale decimals decimal digits increments multiplier"),
      (.fee, "fee fees maker taker"),
      (.level, "level rank score weight"),
      (.time, "time timestamp stamp ts date datetime at"), (.updated, "updated update modified refreshed"),
      (.begin, "start begin first created create creation launch list listing delivery expire expiry next"),
      (.end, "end"),
      (.server, "server"),
      (.symbol, "symbol symbols pair pairs market instrument ticker product contract marketname pairname tickername"),
      (.identifier, "id ids uid seq sequence"), (.currency, "currency currencies"),
      (.name, "name alias display title code label"), (.status, "status state active frozen enabled url"),
      (.signed, "signed"), (.absolute, "absolute abs"),
      (.filler, "data info stats stat summary details detail result results field of in the is tradable"),
      (.total, "sum total all"), (.accumulated, "acc accum accumulated accumulative cum cumulative"),
    ]
    return families.flatMap { word, spellings in
      spellings.split(separator: " ").map { (word: word, spelling: String($0)) }
    }
  }()
}

extension CurrencyCode {
  /// Returns the code that a piece of a joined name is or means: only those that are not part of other words.
  fileprivate static func word(_ piece: String) -> NameWord? {
    (ofWords[piece] ?? (inNames.contains(piece) ? piece.uppercased() : nil)).map(NameWord.code)
  }

  private static let ofWords = [
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "won": "KRW", "yen": "JPY",
  ]

  private static let inNames: Set<String> = ["usd", "btc", "eth", "eur", "krw", "cny", "usdt", "jpy", "inr", "idr"]
}
