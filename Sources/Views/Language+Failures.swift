import HTTP
import Mapping
import MarketData
import Quotes

// Why there is no answer, no price, no premium, in the language of a screen.

extension AnswerFailure {
  /// Returns what the exchange or we say about it; the exchange's own words are not translated.
  func message(_ language: Language) -> String? {
    guard let pausedUntil else { return said(language) }
    let until = language("until \(pausedUntil)", "\(pausedUntil)까지")
    return said(language).map { "\($0), \(until)" } ?? until
  }

  private func said(_ language: Language) -> String? {
    guard language == .korean else { return message }
    let words = [koreanStatement, remark].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  private var koreanStatement: String? {
    switch detail {
    case .none: return nil
    case .status:
      guard case .http(let status) = reason else { return statement }
      return Missing.koreanStatus(status) ?? statement
    case .theirs(let words): return words
    case .ours, .lookup: return reason.korean ?? statement
    case .quoting(let words, _):
      return [reason.korean ?? reason.koreanBesideWords, "응답: '\(words)'"].compactMap(\.self).joined(separator: "; ")
    case .network(let error): return error.korean
    case .stream(let lapse): return lapse.korean ?? statement
    }
  }

  /// `http-451 (blocked in this region)`, or the code alone.
  func wordsInParentheses(_ language: Language) -> String {
    reason.code + (message(language).map { " (\($0))" } ?? "")
  }
}

extension ExchangeReport {
  /// Returns what is said of its failures; in Korean, of the first.
  func message(_ language: Language) -> String? {
    language == .korean ? failures.lazy.compactMap { $0.failure.message(language) }.first : message
  }
}

extension Missing {
  /// Returns what a failure means that quotes the exchange's words; nil if these are all there is.
  fileprivate var koreanBesideWords: String? {
    if case .http(let status) = self { Self.koreanStatus(status) } else { "성공 조건에 맞지 않는 응답" }
  }

  /// Returns what a failure with this reason means; nil if the exchange, or a library, says it in its own words.
  fileprivate var korean: String? {
    switch self {
    case .plain(let reason): reason.korean
    case .notSent(let reason): reason.korean
    case .lookupFailed(let name): "참조 \(name) 조회 실패"
    case .noAnswer(let reason): reason.korean
    case .http, .stream, .exchangeError: nil
    }
  }

  fileprivate static func koreanStatus(_ status: Int) -> String? {
    switch status {
    case 401: "인증 실패"
    case 403: "거부됨, 대개 지역 또는 IP 차단"
    case 404: "페이지 없음"
    case 206: "응답의 일부"
    case 301, 302, 303, 307, 308: "주소 없는 리디렉션"
    case 407: "프록시 로그인 필요"
    case 418: "요청이 너무 많아 차단됨"
    case 429: "요청이 너무 많음"
    case 451: "이 지역에서 차단됨"
    case 511: "네트워크 로그인 필요"
    case 500...599: "거래소 서버 오류"
    default: nil
    }
  }
}

extension Missing.Plain {
  fileprivate var korean: String {
    switch self {
    case .notOffered: "설정에 없음"
    case .notListed: "상장되지 않음"
    case .halted: Halt.korean
    case .unsplit: "설정의 규칙으로 종목을 나눌 수 없음"
    case .pathMiss: "설정의 경로에 값이 없음"
    case .pathMany: "설정의 경로에 값이 여러 개"
    case .jsonNull: "값이 null"
    case .notANumber: "숫자로 읽을 수 없음"
    case .zero: "값이 0"
    case .negative: "값이 0보다 작음"
    case .stale: "시각이 오래됐거나 미래"
    case .lookupMiss: "참조에 없음"
    case .lookupAmbiguous: "참조에 여러 번 있음"
    case .emptyAnswer: "쓸 수 있는 값이 없는 응답"
    case .notJSON: "JSON이 아닌 응답"
    case .timeout: "제한 시간 초과"
    case .hookMissing: "필요한 플러그인 없음"
    case .notRequested: "조회 안 함"
    case .sideUnknown: "매수·매도 구분 없음"
    case .openUnknown: "기준 환율 모름"
    case .noDayBefore: "전일 봉 없음"
    case .noRate: "환율 없음"
    case .contradictory: "서로 맞지 않는 값"
    case .noPrice: "가격 없음"
    case .identity: "같은 코인의 가격으로 볼 수 없음"
    case .implausible: "다른 환율과 차이가 큼"
    }
  }
}

extension NotSent {
  fileprivate var korean: String {
    switch self {
    case .noSecret: "API 키 없음"
    case .notAllowed: "요청이 기본 설정과 다름"
    case .invalidBlock: "설정 오류"
    case .badSecret: "저장된 키를 쓸 수 없음"
    case .nonceAhead: "이 키의 마지막 번호가 시계보다 앞섬"
    case .nonceBusy: "같은 키의 다른 요청이 진행 중"
    case .nonceStore: "키의 번호를 저장할 수 없음"
    case .nonceDamaged: "저장된 번호를 읽을 수 없음"
    case .clock: "이 컴퓨터의 시계가 맞지 않음"
    case .noCrypto: "암호 라이브러리 없음"
    case .noRequest: "요청을 만들 수 없음"
    case .ownLimit: "거래소의 호출 한도를 다 써서 보내지 않음"
    case .notKept: "보관된 응답 없음"
    }
  }
}

extension NoAnswer {
  /// nil if the library says it in its own words.
  fileprivate var korean: String? {
    switch self {
    case .unreachable: "연결할 수 없음"
    case .tooManyFiles: "열린 파일이 너무 많음"
    case .tls: "보안 연결 실패"
    case .redirect: "리디렉션 거부"
    case .encoding: "응답의 압축 형식을 모르거나 손상됨"
    case .cancelled: "취소됨"
    case .transport: nil
    case .notRecorded: "녹화된 응답 없음"
    case .tooLarge: "응답이 너무 큼"
    case .otherPair: "다른 종목의 응답"
    case .bookSide: "매수·매도를 알 수 없는 호가"
    case .bookCrossed: "매수호가가 매도호가보다 높음"
    case .candleStep: "봉의 간격이 봉 주기와 맞지 않음"
    case .candleTime: "있을 수 없는 봉의 시각"
    case .candleTwice: "같은 시각의 서로 다른 봉"
    case .noResponse: "필요한 응답 파일 없음"
    case .tooManyResponses: "응답 파일이 너무 많음"
    case .tooManyRequests: "필요한 요청이 너무 많음"
    case .config: "설정 오류"
    case .rowsLeftOut: "일부 행 제외"
    case .overBudget: "호출 한도를 다 씀"
    case .tooEarly: "아직 새 값 없음"
    case .uncountable: "호출 횟수를 셀 수 없음"
    case .cutOff: "지난 호출이 중간에 끊김"
    }
  }
}

extension StreamLapse {
  /// What the code means; nil if the exchange, or a check, says it in words of its own.
  fileprivate var korean: String? {
    switch self {
    case .silent(let silence): silence.korean
    case .invalidConfig: "설정 오류"
    case .gap: "빠진 메시지 있음"
    case .differs: "REST 응답과 다른 값"
    case .jumped: "갑자기 크게 바뀐 가격"
    case .behind: "REST 응답보다 오래된 값"
    case .unpriced: "1분간 가격 없음"
    case .withoutWhole: "전체 없이 변경분만 수신"
    case .unreadablePrice, .bad: "쓸 수 없는 메시지"
    case .halted: "거래 중지 메시지"
    case .repeated: "거래소가 이 종목을 두 번 이상 보냄"
    case .doubtful(let finding): finding.message(.korean)
    case .closed, .refused: nil
    }
  }
}

extension StreamLapse.Silence {
  fileprivate var korean: String {
    switch self {
    case .lifeless, .unconfirmed, .unheard: "수신 없음"
    case .contradicted: "REST 응답과 맞지 않음"
    case .unnamed: "이 종목의 메시지 없음"
    case .greetingless: "첫 메시지 없음"
    case .clockSetBack: "이 컴퓨터의 시계가 되돌려짐"
    case .suspended: "절전 등으로 멈췄다가 재개됨"
    }
  }
}

extension TransportError {
  fileprivate var korean: String {
    switch self {
    case .timeout: "제한 시간 안에 응답 없음"
    case .cannotResolve(let host): "'\(host)'의 주소를 찾을 수 없음"
    case .cannotConnect(let host): "연결할 수 없음: \(host)"
    case .tooManyFiles: "열린 파일이 너무 많음; 실행: ulimit -n 4096"
    case .tls(let detail): "보안 연결 실패: \(detail)"
    case .tooLarge(let limit): "응답이 \(limit)바이트보다 큼"
    case .redirectRefused(let detail): "리디렉션 거부: \(detail)"
    case .badEncoding: "응답의 압축 형식을 모르거나 손상됨"
    case .brokenOff(let detail): "연결 끊김: \(detail)"
    case .notInCassette(let request): "녹화 없음: \(request)"
    case .cancelled: "취소됨"
    case .notSent(let reason, _): reason.korean
    case .other(let detail): detail
    }
  }
}

extension HeadlineObjection {
  /// Returns what is shown beside a price, or beside the code of a missing one: `range: price 110 is more than ..`.
  func remark(_ language: Language) -> String {
    if case .missing = self { return language("no usable price", "사용할 수 있는 가격 없음") }
    // The code already says what the price is.
    if case .basis = self {
      return "\(code): " + language("no last trade; --basis any includes it", "체결가 아님; --basis any로 포함")
    }
    return "\(code): \(explanation(language))"
  }

  /// Returns why a row is in no headline.
  func explanation(_ language: Language) -> String {
    guard language == .korean else { return explanation }
    switch self {
    case .missing(let reason): return "가격 없음: \(reason.code)"
    case .basis(let basis):
      let name =
        switch basis {
        case .last: "최종 체결가"
        case .mid: "중간가"
        case .mark: "마크 가격"
        case .oracle: "외부 가격"
        }
      return "체결가가 아닌 \(name); --basis any로 포함"
    case .flagged(let flag): return flag.message(language)
    case .oldTrade(let age): return "마지막 체결 \(language.age(nanoseconds: age)) 전; --max-age로 포함"
    case .noTrades: return "24시간 체결 없음, 마지막 체결은 그 전; --max-age로 포함"
    }
  }
}

extension PriceObjection {
  func text(_ language: Language) -> String {
    switch self {
    case .row(let objection): objection.explanation(language)
    case .identity(let percent):
      language("\(self)", "다른 거래소 중앙값 대비 \(percent.signedPercentText)%: 다른 코인이거나 단위가 다름")
    case .feeUnknown: language("\(self)", "설정에 테이커 수수료 없음")
    case .book: language("\(self)", "호가창 없음")
    case .flaggedBook(let flag): flag.message(language)
    case .thinBook: language("\(self)", "호가창의 물량이 부족함")
    }
  }
}

extension WalletSide.Gap {
  func text(_ language: Language) -> String {
    switch self {
    case .noKey: language(words, "키 없음")
    case .notTold: language(words, "제공 안 함")
    case .notNamed: language(words, "자산 없음")
    case .notSaid: language(words, "상태 없음")
    case .failed: words
    }
  }
}

extension DisparityAbsence {
  func text(_ language: Language) -> String {
    switch self {
    case .noSpot: language("no spot", "현물 없음")
    case .spotNotRequested: language("spot not requested", "현물 조회 안 함")
    case .spot(let objection): language("spot", "현물") + " \(objection.code)"
    case .futures(let objection): language("futures", "선물") + " \(objection.code)"
    }
  }
}

extension OpenAbsence {
  /// Returns why there is no open; codes are the same in both languages.
  func text(_ language: Language) -> String {
    guard language == .korean else { return description }
    let words =
      switch reason {
      case .unusable(let code): code
      case .noneOfEarlierDay: "전일 이전 환율 없음"
      case .undated: "날짜 없는 환율"
      case .ofToday: "당일 환율이라 종가가 아님"
      case .old(let days): "마지막 환율이 \(days)일 전 것이라 직전 종가가 아님"
      case .early(let isByClockAhead, let code):
        (isByClockAhead ? "마지막 조회 시각을 앞선 시계로 기록해" : "마지막 조회가 자정 전이라") + " 종가가 아닐 수 있음"
          + (code.map { " (\($0))" } ?? "")
      case .later(let isUndated): isUndated ? "날짜 없는 이 환율보다 나중 것일 수 있음" : "마지막 환율이 이 환율보다 나중 것"
      }
    return "\(provider): \(words)"
  }
}

extension PremiumAbsence {
  /// Returns why there is no premium; reason codes are the same in both languages.
  func text(_ language: Language) -> String {
    reasons.isEmpty ? brief(language) : "\(brief(language)); \(reasons)"
  }

  /// The same without the rows that do not count.
  func brief(_ language: Language) -> String {
    usable.map { language("only \($0) has a usable price", "\($0) 가격만 사용 가능") }
      ?? language("no exchange has a usable price", "사용 가능한 가격 없음")
  }
}

extension LocalAbsence {
  func text(_ language: Language) -> String {
    switch self {
    case .noRate: language("no exchange rate", "환율 없음")
    case .noPrice(let pair): language("no usable price of \(pair)", "\(pair) 사용 가능한 가격 없음")
    case .otherCurrency: language("only between won and dollars", "원화와 달러 사이에만 있음")
    case .ofItself: language("it is the dollar token itself", "달러 토큰 자체")
    }
  }
}
