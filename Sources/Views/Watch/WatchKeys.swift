import Terminal

/// A key of the live views and what it does there: help, the bottom line and the loop are made of the one table.
package struct WatchKey: Sendable, Hashable {
  /// Where a key counts.
  package struct Places: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let pairs = Places(rawValue: 1)
    static let pair = Places(rawValue: 2)
    static let feeds = Places(rawValue: 4)
    static let all: Places = [.pairs, .pair, .feeds]
  }

  /// As the help names it; a single letter is the key itself.
  package let name: String
  package let command: WatchCommand
  let places: Places
  /// For the bottom line; nil keeps it out of there.
  let short: (english: String, korean: String)?
  let long: (english: String, korean: String)

  package static func == (left: WatchKey, right: WatchKey) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  package static let all: [WatchKey] = [
    WatchKey("/", .filter, .pairs, ("filter", "검색"), ("filter as you type; words, | is or", "입력하며 거르기; |는 또는")),
    WatchKey("s", .sortNext, .pairs, ("sort", "정렬"), ("sort by the next column", "다음 열로 정렬")),
    WatchKey("S", .turnSort, .pairs, nil, ("turn the order round", "정렬 뒤집기")),
    WatchKey("Enter", .open, .pairs, ("pair", "상세"), ("the pair on all exchanges", "모든 거래소의 시세")),
    WatchKey("Tab", .switchLayout, .pairs, ("cards/table", "카드/표"), ("cards or table", "카드와 표 바꾸기")),
    WatchKey("d", .detail, .pairs, nil, ("the same as Enter", "Enter와 같음")),
    WatchKey("v", .feeds, .all, ("feeds", "연결"), ("the feeds and what is wrong with them", "연결 상태")),
    WatchKey("f", .favorite, [.pairs, .pair], ("fav", "즐겨찾기"), ("favourite, or none any more", "즐겨찾기 넣고 빼기")),
    WatchKey("F", .onlyFavorites, .pairs, nil, ("favourites only", "즐겨찾기만")),
    WatchKey(
      "p", .switchBasis, [.pairs, .pair], nil, ("kimchi by the bank's rate or USDT/KRW", "김프 기준: 은행 환율, USDT/KRW")),
    WatchKey("r", .askNow, .all, nil, ("ask now, within the limits", "지금 조회 (한도 안에서)")),
    WatchKey("Del", .pause, .feeds, ("pause", "멈춤"), ("pause the feed, go on", "연결 멈추기, 다시 시작")),
    WatchKey("Space", .freeze, .all, ("freeze", "고정"), ("freeze the picture and go on", "화면 고정, 다시 시작")),
    WatchKey("j k", .move(1), .all, nil, ("move; arrows, g G, PgUp PgDn as well", "이동; 화살표, g G, PgUp PgDn")),
    WatchKey("Esc", .back, .all, ("back", "뒤로"), ("leave a line, a filter, a screen", "입력, 검색, 화면에서 나가기")),
    WatchKey("?", .help, .all, ("help", "도움말"), ("this help", "이 도움말")),
    WatchKey("q", .quit, .all, ("end", "끝"), ("end the program", "끝내기")),
  ]

  private init(
    _ name: String, _ command: WatchCommand, _ places: Places, _ short: (String, String)?, _ long: (String, String)
  ) {
    self.name = name
    self.command = command
    self.places = places
    self.short = short.map { ($0.0, $0.1) }
    self.long = (long.0, long.1)
  }

  /// What a typed character asks for; nil where it is no key. Keys without a character (arrows, Enter, Tab, Esc, Del, the pages)
  /// are the loop's to name.
  package static func command(_ character: Character) -> WatchCommand? {
    switch character {
    case "j": return .move(1)
    case "k": return .move(-1)
    case "g": return .first
    case "G": return .last
    case " ": return .freeze
    case "1"..."9": return character.wholeNumberValue.map { .sort($0) }
    default: return all.first { $0.name == String(character) }?.command
    }
  }

  /// The line at the bottom: the keys that count here, as many as there is room for.
  static func line(_ place: Places, _ language: Language, width: Int) -> StyledText {
    var line = StyledText("")
    // Help and the way out stay, whatever the width.
    let last = all.filter { ["?", "q"].contains($0.name) }.map { $0.word(language) }
    let rest = last.reduce(0) { $0 + $1.width + 1 }
    for key in all where key.places.contains(place) && key.short != nil && !["?", "q"].contains(key.name) {
      let word = key.word(language)
      guard line.width + word.width + 1 + rest <= width else { continue }
      line = line + word + StyledText(" ")
    }
    for word in last where line.width + word.width <= width { line = line + word + StyledText(" ") }
    return line
  }

  private func word(_ language: Language) -> StyledText {
    StyledText(name, .heading) + StyledText(" " + (short.map { language($0.english, $0.korean) } ?? ""), .dim)
  }

  /// A line for each key that counts somewhere.
  static func help(_ language: Language) -> [StyledText] {
    let names = all.reduce(0) { max($0, TerminalText.width(of: $1.name)) }
    let head = StyledText(language("Keys", "단축키"), .heading)
    return [head, StyledText("")]
      + all.map { key in
        let blanks = String(repeating: " ", count: names - TerminalText.width(of: key.name) + 2)
        return StyledText("  ") + StyledText(key.name, .heading)
          + StyledText(blanks + language(key.long.english, key.long.korean))
      }
      + [
        StyledText(""),
        StyledText(
          language(
            "u: change since 00:00 UTC, k: since 00:00 KST, o: over another span; never ranked with 24 h",
            "u: 00:00 UTC 이후, k: 00:00 KST 이후, o: 다른 기간의 등락률; 24시간과 함께 순위를 매기지 않음"), .dim),
      ]
  }
}
