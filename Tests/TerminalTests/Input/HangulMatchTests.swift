import Testing

@testable import Terminal

/// Korean names are found at every keystroke of typing them, and with the wrong keyboard layout too.
@Suite struct HangulMatchTests {
  /// Coins as named by Korean exchanges, with their symbols.
  static let coins: [(name: String, symbol: String)] = [
    ("비트코인", "BTC"), ("이더리움", "ETH"), ("리플", "XRP"), ("테더", "USDT"), ("솔라나", "SOL"), ("도지코인", "DOGE"), ("에이다", "ADA"),
    ("트론", "TRX"), ("체인링크", "LINK"), ("아발란체", "AVAX"), ("스텔라루멘", "XLM"), ("시바이누", "SHIB"), ("헤데라", "HBAR"),
    ("수이", "SUI"),
    ("폴카닷", "DOT"), ("비트코인캐시", "BCH"), ("라이트코인", "LTC"), ("유니스왑", "UNI"), ("페페", "PEPE"), ("니어프로토콜", "NEAR"),
    ("앱토스", "APT"),
    ("에이브", "AAVE"), ("인터넷컴퓨터", "ICP"), ("이더리움클래식", "ETC"), ("크로노스", "CRO"), ("온도파이낸스", "ONDO"), ("비체인", "VET"),
    ("코스모스", "ATOM"),
    ("알고랜드", "ALGO"), ("아비트럼", "ARB"), ("파일코인", "FIL"), ("옵티미즘", "OP"), ("불변의엑스", "IMX"), ("셀레스티아", "TIA"),
    ("스택스", "STX"),
    ("더그래프", "GRT"), ("세이", "SEI"), ("인젝티브", "INJ"), ("비트토렌트", "BTT"), ("카이아", "KAIA"), ("플로키", "FLOKI"),
    ("갈라", "GALA"), ("테조스", "XTZ"),
    ("이오스", "EOS"), ("플로우", "FLOW"), ("샌드박스", "SAND"), ("디센트럴랜드", "MANA"), ("네오", "NEO"), ("엑시인피니티", "AXS"),
    ("칠리즈", "CHZ"), ("쎄타토큰", "THETA"),
    ("메이커", "MKR"), ("왁스", "WAXP"), ("질리카", "ZIL"), ("퀀텀", "QTUM"), ("아이콘", "ICX"), ("온톨로지", "ONT"), ("제로엑스", "ZRX"),
    ("골렘", "GLM"),
    ("뷰티체인", "BEC"), ("꿀벌코인", "HONEY"), ("값진닭", "CHICK"), ("웨이브", "WAVES"), ("밀크", "MLK"), ("쟁글", "XNG"),
    ("오브스", "ORBS"), ("읽는책", "BOOK"),
    ("빗썸토큰", "BXA"), ("위믹스", "WEMIX"), ("보라", "BORA"), ("썬더코어", "TT"), ("펀디엑스", "PUNDIX"), ("룸네트워크", "LOOM"),
    ("휴먼스케이프", "HUM"),
  ]

  static let subjects = coins.map { NameFilter.Subject(symbol: "\($0.symbol)/KRW", names: [$0.name]) }

  private static func keys(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { Hangul.keys(of: $0.value) ?? [] }
  }

  private static func text(typedBy keys: some Collection<UInt8>) throws -> String {
    let scalars = try #require(Hangul.typed(by: Array(keys)))
    return String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
  }

  @Test(arguments: [
    ("qlxmzhdls", "비트코인"), ("qlx", "빝"), ("dkssud", "안녕"), ("ekfrqkf", "닭발"), ("rkqtdl", "값이"), ("Rnaqhd", "꿈봉"),
    ("dhk", "와"), ("dml", "의"), ("rt", "ㄱㅅ"), ("bn", "ㅠㅜ"), ("hk", "ㅗㅏ"), ("ekfrdl", "닭이"), ("ekfrl", "달기"),
    ("QNrl", "뿌기"),
    ("dKSS", "안ㄴ"), ("", ""),
  ])
  func typing(_ keys: String, _ text: String) throws {
    #expect(try Self.text(typedBy: Array(keys.utf8)) == text)
  }

  @Test(arguments: coins.map(\.name)) func keystrokesComposeTheName(_ name: String) throws {
    #expect(try Self.text(typedBy: Self.keys(of: name)) == name)
  }

  /// Each intermediate state of the input method finds the name, and once complete it ranks first.
  @Test(arguments: coins.indices) func nameMatchesWhileBeingTyped(_ index: Int) throws {
    let keys = Self.keys(of: Self.coins[index].name)
    for length in 1...keys.count {
      let typed = try Self.text(typedBy: keys.prefix(length))
      #expect(NameFilter(typed).places(in: Self.subjects).contains(index), "\(typed)")
    }
    #expect(NameFilter(Self.coins[index].name).places(in: Self.subjects).first == index)
  }

  @Test(arguments: coins.indices) func initialsFindTheName(_ index: Int) {
    let initials = Self.coins[index].name.unicodeScalars.compactMap { scalar in
      Hangul.parts(of: scalar.value).flatMap { Unicode.Scalar(Hangul.initials[$0.initial]) }
    }
    let typed = String(String.UnicodeScalarView(initials))
    #expect(NameFilter(typed).places(in: Self.subjects).contains(index), "\(typed)")
  }

  /// `qlxm` is 비트: the name typed with Latin letters.
  @Test(arguments: coins.indices) func nameTypedOnTheLatinKeyboard(_ index: Int) {
    let typed = String(decoding: Self.keys(of: Self.coins[index].name), as: UTF8.self)
    #expect(NameFilter(typed).places(in: Self.subjects).first == index, "\(typed)")
  }

  /// ㅠㅅㅊ is BTC: the symbol typed with Korean letters.
  @Test(arguments: coins.indices) func symbolTypedOnTheKoreanKeyboard(_ index: Int) throws {
    let typed = try Self.text(typedBy: Self.coins[index].symbol.lowercased().utf8)
    #expect(NameFilter(typed).places(in: Self.subjects).contains(index), "\(typed)")
  }

  @Test(arguments: coins.indices) func decomposedNameIsTheSame(_ index: Int) {
    let name = Self.coins[index].name
    let decomposed = name.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      guard let parts = Hangul.parts(of: scalar.value) else { return [scalar] }
      let codes = [0x1100 + parts.initial, 0x1161 + parts.vowel] + (parts.final == 0 ? [] : [0x11A7 + parts.final])
      return codes.compactMap { Unicode.Scalar($0) }
    }
    let typed = String(String.UnicodeScalarView(decomposed))
    #expect(Array(typed.unicodeScalars) != Array(name.unicodeScalars))
    #expect(NameFilter(typed).places(in: Self.subjects).first == index)
    #expect(HangulMatch(name).fit(in: HangulMatch.Name(typed)) == .whole)
  }

  @Test(
    arguments: [
      ("비트", "비트코인", .start), ("비트코인", "비트코인", .whole), ("빝", "비트코인", .start), ("ㅂㅌ", "비트코인", .initials),
      ("ㅋㅇ", "비트코인", .inside),
      ("코인", "비트코인", .inside), ("ㅂ트", "비트코인", .start), ("빋", "비트코인", nil), ("빝트", "비트코인", nil), ("비트코인캐", "비트코인", nil),
      ("ㅏ", "비트코인", nil), ("ㄳ", "가상", .initials), ("rip", "Ripple", .start), ("RIPPLE", "Ripple", .whole),
      ("ple", "Ripple", .inside),
      ("", "Ripple", .start), ("ㅂ", "", nil), ("비트코인s", "비트코인SV", .start), ("솗", "솔바", .start), ("솗", "솔하", nil),
      ("닭", "달걀", .start), ("달", "닭", .start), ("와", "오아", nil), ("오", "와", .start),
    ] as [(String, String, HangulMatch.Fit?)])
  func fits(_ typed: String, _ name: String, _ fit: HangulMatch.Fit?) {
    #expect(HangulMatch(typed).fit(in: HangulMatch.Name(name)) == fit)
  }
}
