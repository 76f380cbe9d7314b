import Mapping
import Quotes

/// Advice for accounts that could not be read.
///
/// Exchanges word the same mistake in a hundred ways, so their own message comes first and is never interpreted.
package enum AccountAdvice {
  /// Returns a line such as `Upbit spot: http-401: invalid_access_key; …` followed by advice.
  ///
  /// - Parameter option: what another command needs to find the same config: ` -c FILE`.
  static func sentence(
    _ place: String, _ failure: AnswerFailure, of exchange: String, _ option: String, _ language: Language = .english
  ) -> String {
    let said = [place + ": " + failure.reason.code, failure.message(language)].compactMap(\.self).joined(
      separator: ": ")
    guard let words = words(for: failure.reason, of: exchange, option, language) else { return said }
    return (said.hasSuffix(".") ? String(said.dropLast()) : said) + "; " + words
  }

  /// Returns advice, or nil if the reason speaks for itself or nothing can be done.
  static func words(
    for reason: Missing, of exchange: String, _ option: String, _ language: Language = .english
  ) -> String? {
    let place = exchange.shellWord + option
    return switch reason {
    case .noAnswer(.config): language("run: market validate-config\(option)", "실행: market validate-config\(option)")
    case .notSent(let reason): words(forUnsent: reason, of: place, option, language)
    case .http(401), .http(403):
      language(
        "check the key with: market keys test \(place); add another with: market keys add \(place)",
        "키 확인: market keys test \(place), 새 키 추가: market keys add \(place)")
    // The words may as well be about too many requests or maintenance.
    case .exchangeError, .http(400), .http(422):
      language("if it is about the key: market keys test \(place)", "키 문제라면: market keys test \(place)")
    case .http(418), .http(429): language("wait a few minutes and try again", "몇 분 뒤 다시 시도")
    // Some exchanges refuse a key with a server error.
    case .http(500...599):
      language(
        "the exchange may be under maintenance, or refuse the key: try again later, or market keys test \(place)",
        "점검 중이거나 키가 거부됐을 수 있음: 나중에 다시 시도 또는 market keys test \(place)")
    case .timeout:
      language("the exchange may be under maintenance; try again later", "점검 중일 수 있음; 나중에 다시 시도")
    case .notJSON:
      language(
        "the exchange may be under maintenance, or a proxy may be interfering; try again later",
        "점검 중이거나 프록시가 끼어들었을 수 있음; 나중에 다시 시도")
    default: nil
    }
  }

  /// Describes rows of an answer whose asset is unknown.
  static func unnamed(_ count: Int, _ language: Language = .english) -> String {
    language("\(count.counted("row")) without an asset", "자산명 없는 행 \(count)개")
  }

  static func notes(unnamed count: Int, of exchange: String, _ language: Language = .english) -> [String] {
    count == 0 ? [] : ["\(exchange): \(unnamed(count, language))"]
  }

  /// Describes rows of an answer that belong to no account in the config.
  static func unknownKinds(_ count: Int, _ language: Language = .english) -> String {
    language("\(count.counted("row")) of an unknown kind", "알 수 없는 종류의 행 \(count)개")
  }

  static func notes(unknownKinds kinds: [String], of exchange: String, _ language: Language = .english) -> [String] {
    kinds.isEmpty ? [] : ["\(exchange): \(unknownKinds(kinds.count, language)): \(kinds.unique.named(upTo: 5))"]
  }

  /// Returns what to do if no exchange has a key.
  package static func noKeys(_ option: String, _ language: Language = .english) -> String {
    language(
      "no API keys stored; add a read-only key with: market keys add NAME\(option)",
      "저장된 API 키 없음; 조회 전용 키 추가: market keys add NAME\(option)")
  }

  /// - Parameter place: the exchange, and what finds the config.
  private static func words(
    forUnsent reason: NotSent, of place: String, _ option: String, _ language: Language
  ) -> String? {
    switch reason {
    case .noSecret:
      language("add a read-only key with: market keys add \(place)", "조회 전용 키 추가: market keys add \(place)")
    case .notAllowed:
      language("review and allow them with: market keys allow \(place)", "실행: market keys allow \(place)")
    case .invalidBlock: language("run: market validate-config\(option)", "실행: market validate-config\(option)")
    case .badSecret:
      language("store it again with: market keys add \(place)", "다시 저장: market keys add \(place)")
    case .nonceAhead, .nonceDamaged:
      language(
        "start from the current time again with: market keys test \(place) --forget-nonce",
        "현재 시각부터 다시: market keys test \(place) --forget-nonce")
    case .nonceBusy: language("try again when it is done", "끝난 뒤 다시 시도")
    case .ownLimit: language("wait and try again", "잠시 뒤 다시 시도")
    case .nonceStore, .clock, .noCrypto, .noRequest, .notKept: nil
    }
  }
}
