import Config
package import Terminal

/// A key of the live views and its effect. Help, the bottom line and the event loop share this table.
package struct WatchKey: Sendable {
  /// A screen where a key may apply.
  enum Place {
    case pairs, pair, feeds, alerts, row, help, balances
    /// The list of all pairs of a market.
    case list
  }

  package let command: WatchCommand
  /// The screens where the key applies.
  private let places: Set<Place>
  private let text: KeyText
  /// The text in the bottom line of the alerts, if it is another one there.
  private let shortInAlerts: Phrase?
  /// The text in the help of a list, which has no alerts and other columns, if it is another one there.
  private let longInList: Phrase?
  package var name: String { text.name }

  package static let all: [WatchKey] = [
    WatchKey(
      "/", .filter, [.pairs, .list], ("filter", "검색"),
      ("filter as you type: words, | is or; premium > 0.1", "입력하는 대로 검색: |는 '또는'; 프리미엄 > 0.1")),
    WatchKey(
      "s", .sortNext, [.pairs, .list], ("sort", "정렬"),
      ("sort by the next column; by number: \(watchlistColumns.english)", "다음 열로 정렬; 번호로: \(watchlistColumns.korean)"),
      inList: ("sort by the next column; by number: by that one", "다음 열로 정렬; 번호로: 그 열")),
    WatchKey("S", .reverseSort, [.pairs, .list], ("reverse", "역순"), ("reverse the order", "역순 정렬")),
    WatchKey(
      "Enter", .open, [.pairs, .list, .pair, .alerts], ("open", "열기"),
      ("the pair on all exchanges; there: where the row comes from; also Right", "모든 거래소의 시세; 그 화면에서는 행의 출처; 오른쪽 화살표도"),
      inAlerts: ("edit", "수정")),
    WatchKey("d", .detail, [.pairs, .list], nil, ("the pair on all exchanges", "모든 거래소의 시세")),
    WatchKey("c", .visit(.candles), [.pairs, .list, .pair], ("chart", "차트"), ("chart of the pair", "차트")),
    WatchKey("b", .visit(.orderbook), [.pairs, .list, .pair], ("book", "호가"), ("order book of the pair", "호가")),
    WatchKey("t", .visit(.trades), [.pairs, .list, .pair], ("tape", "체결"), ("trades of the pair", "체결")),
    WatchKey(
      "o", .togglePinned, [.pairs, .list, .pair], ("compare", "비교"),
      ("compare the row under the cursor in chart, book and trades", "커서의 행을 차트, 호가, 체결에서 함께 비교")),
    WatchKey("v", .feeds, .all, ("feeds", "연결"), ("the feeds and their problems", "연결 상태")),
    WatchKey(
      "a", .alerts, .all, ("alerts", "알림"),
      ("alerts; there: a new one, Enter edits, Del removes", "알림; 거기서는 새 알림, Enter 수정, Del 삭제"),
      inAlerts: ("new", "새 알림")),
    WatchKey("A", .silence, .all, nil, ("mute alerts for an hour, or unmute", "알림 소리 1시간 끄기, 다시 켜기")),
    WatchKey("B", .balances, .all, nil, ("your account balances (needs read-only keys)", "내 계좌 잔고 (조회 전용 키)")),
    WatchKey("f", .favorite, [.pairs, .list, .pair], ("fav", "즐겨찾기"), ("mark or unmark as favourite", "즐겨찾기 추가, 해제")),
    WatchKey("F", .onlyFavorites, [.pairs, .list], nil, ("favourites only", "즐겨찾기만")),
    WatchKey(
      "w", .switchCurrency, [.pairs, .list, .pair], ("won/$", "원/$"),
      ("prices in won, in dollars, as sent", "가격을 원, 달러, 원래 통화로")),
    WatchKey(
      "p", .switchBasis, [.pairs, .list, .pair], nil,
      ("kimchi at the official rate or USDT/KRW", "김프 기준: 공식 환율, USDT/KRW")),
    WatchKey(
      "[ ]", .switchPayment(1), [.list], ("market", "마켓"),
      ("only pairs in the next payment currency, in the one before", "다음 결제 통화의 종목만, 이전 통화")),
    WatchKey(
      "Tab", .switchLayout, [.pairs], ("cards/table", "카드/표"),
      ("cards or table, on less than \(WatchScreen.twoPanes) columns", "카드/표 전환 (\(WatchScreen.twoPanes)칸 미만)")),
    WatchKey(
      "r", .askNow, [.pairs, .list, .pair, .feeds], ("poll", "조회"),
      ("poll now, within the rate limits", "지금 조회 (호출 한도 내)")),
    WatchKey(
      "Del", .pause, [.feeds, .alerts], ("pause", "일시중지"),
      ("pause or resume the feed; remove the alert", "연결 일시중지, 다시 시작; 알림 삭제"), inAlerts: ("remove", "삭제"),
      inList: ("pause or resume the feed", "연결 일시중지, 다시 시작")),
    WatchKey("Space", .freeze, .all, ("freeze", "고정"), ("freeze or resume the display", "화면 고정, 다시 시작")),
    WatchKey("y", .copyRow, .all, ("copy", "복사"), ("copy the row, Y the screen", "행 복사, Y 화면 복사")),
    WatchKey(
      "u", .page, [.pair, .row], ("web page", "웹페이지"),
      ("the exchange's page for the pair, as a link", "거래소의 해당 종목 웹페이지 링크")),
    WatchKey("x", .save, .all, ("save", "저장"), ("save as a new file: text, CSV, JSON", "새 파일로 저장: 텍스트, CSV, JSON")),
    WatchKey(
      "j k", .move(1), .all.union([.help]), nil,
      ("move; also Up Down, wheel, g G, Home End, PgUp PgDn", "이동; 위아래 화살표, 휠, g G, Home End, PgUp PgDn")),
    WatchKey(
      "Esc", .back, [.pair, .row, .feeds, .alerts, .balances, .help], ("back", "뒤로"),
      (
        "leave a line, a screen, an alert, a comparison, a filter; also Left, Backspace",
        "입력, 화면, 알림, 비교, 검색에서 나가기; 왼쪽 화살표, Backspace도"
      ),
      inList: (
        "leave a line, a screen, a comparison, a filter, a market; also Left, Backspace",
        "입력, 화면, 비교, 검색, 마켓에서 나가기; 왼쪽 화살표, Backspace도"
      )),
    WatchKey(
      "?", .help, .all, ("help", "도움말"), ("this help; also F1; Space turns its pages", "이 도움말; F1도; Space 다음 쪽")),
    WatchKey("q", .quit, .all.union([.help]), ("quit", "종료"), ("leave the screen, then quit", "화면에서 나가기, 종료")),
  ]

  /// The keys of a bottom line without room for all, most important first; help and the way out are always kept.
  private static let priorities = [
    "?", "q", "Esc", "/", "s", "Enter", "c", "b", "t", "f", "[ ]", "Space", "v", "a", "w", "o", "Tab", "Del", "r", "S",
    "y", "u", "x",
  ]

  private init(
    _ name: String, _ command: WatchCommand, _ places: Set<Place>, _ short: Phrase?, _ long: Phrase,
    inAlerts: Phrase? = nil, inList: Phrase? = nil
  ) {
    self.command = command
    self.places = places
    text = KeyText(name, short, long)
    shortInAlerts = inAlerts
    longInList = inList
  }

  /// Returns the priority of the key in the bottom line of a screen: its own keys come right after the way out.
  private func rank(on place: Place) -> Int {
    Self.priorities.firstIndex(of: place == .alerts && shortInAlerts != nil ? "Esc" : name) ?? .max
  }

  private func text(on place: Place) -> KeyText {
    guard place == .alerts, let shortInAlerts else { return text }
    return KeyText(text.name, shortInAlerts, text.long)
  }

  private func helpText(inList isList: Bool) -> KeyText {
    guard isList, let longInList else { return text }
    return KeyText(text.name, text.short, longInList)
  }

  /// `1 pair, 2 24h%, 3 prem%`: titles are not counted, as cards have others than the table.
  private static let watchlistColumns: Phrase = (WatchSort.numbered(.english), WatchSort.numbered(.korean))

  private static let ofWatchlists: Set<WatchCommand> = [.alerts, .silence, .balances, .switchLayout]

  /// Returns whether a command applies to a list, or to a watchlist. Lists have no alerts and cards, and do not include
  /// accounts.
  static func applies(_ command: WatchCommand, inList isList: Bool) -> Bool {
    if case .switchPayment = command { return isList }
    return !isList || !ofWatchlists.contains(command)
  }

  /// Returns whether a command changes which pairs are shown, their order, or their figures.
  static func changesPairs(_ command: WatchCommand) -> Bool {
    switch command {
    case .sortNext, .reverseSort, .sort, .switchPayment, .switchLayout, .onlyFavorites, .switchBasis, .switchCurrency:
      true
    default: false
    }
  }

  /// Returns the command of a typed character; nil if it has none.
  package static func command(_ character: Character) -> WatchCommand? {
    switch character {
    case "j": return .move(1)
    case "k": return .move(-1)
    case "g": return .first
    case "G": return .last
    case "Y": return .copyScreen
    case " ": return .freeze
    case "[": return .switchPayment(-1)
    case "]": return .switchPayment(1)
    case "1"..."9": return character.wholeNumberValue.map { .sort($0) }
    default: return all.first { $0.name == String(character) }?.command
    }
  }

  /// Returns the command of a key while no line is open; nil if it has none.
  package static func command(_ key: Key) -> WatchCommand? {
    if let character = key.character { return command(character) }
    switch key.code {
    case .up: return .move(-1)
    case .down: return .move(1)
    case .pageUp: return .movePage(-1)
    case .pageDown: return .movePage(1)
    case .home: return .first
    case .end: return .last
    case .enter, .right: return .open
    case .tab: return .switchLayout
    case .escape, .backspace, .left: return .back
    case .delete: return .pause
    case .function(1): return .help
    case .character, .insert, .function: return nil
    }
  }

  /// Returns the bottom line: as many of the keys that apply here as fit.
  static func line(_ place: Place, isList: Bool = false, _ language: Language, width: Int) -> StyledText {
    // Only on the first screen does `q` end the program; elsewhere it goes one step back, like `Esc`.
    let own = all.filter {
      $0.places.contains(place) && $0.text.short != nil && applies($0.command, inList: isList)
        && ($0.command != .quit || place == .pairs || place == .list)
        && ($0.command != .switchLayout || width < WatchScreen.twoPanes)
    }
    var room = width + 1
    let shown = Set(
      own.sorted { $0.rank(on: place) < $1.rank(on: place) }.filter { key in
        let cells = key.text(on: place).word(language).width + 1
        guard cells <= room else { return false }
        room -= cells
        return true
      }.map(\.name))
    return own.filter { shown.contains($0.name) }.map { $0.text(on: place).word(language) }.joined()
  }

  /// Returns the keys that apply anywhere, a line or more for each, and what the letters on the screens stand for.
  ///
  /// - Parameter exchanges: those with letters on the screens: `BN Binance`.
  static func help(
    _ language: Language, isList: Bool = false, exchanges: [StyledText] = [], width: Int
  ) -> [StyledText] {
    let keys = all.filter { applies($0.command, inList: isList) }.map { $0.helpText(inList: isList) }
    let legend = [
      "",
      language(
        "  u: change since 00:00 UTC, k: since 00:00 KST, o: over another span;",
        "  u: 00:00 UTC 이후, k: 00:00 KST 이후, o: 다른 기간의 등락률;"),
      language("     such a change is never ranked with 24-hour ones", "     24시간 등락률과 함께 순위를 매기지 않음"),
      language(KeyText.reasons),
    ]
    let title = StyledText(language("  exchanges:", "  거래소:"), .dim)
    return KeyText.help(keys + [.colors, LiveText.mouse, .redraw], language, width: width)
      + legend.map { StyledText($0, .dim) }
      + (exchanges.isEmpty ? [] : StyledText.flow([title] + exchanges, width: width, indent: 2))
  }
}

extension Set where Element == WatchKey.Place {
  /// All but the help, in which few keys apply.
  fileprivate static var all: Set { [.pairs, .list, .pair, .feeds, .alerts, .row, .balances] }
}
