import Lint
import Testing

@testable import Config

/// What is taken for a secret, and what is not.
@Suite struct SecretShapeTests {
  struct Named: Sendable, CustomTestStringConvertible {
    let name: String
    let value: String
    var context = SecretShape.Context.parameter
    let isSecret: Bool

    var testDescription: String { "\(name): \(value)" }
  }

  @Test(arguments: [
    Named(name: "X-API-KEY", value: "hunter2", context: .header, isSecret: true),
    Named(name: "X-MBX-APIKEY", value: "abc", context: .header, isSecret: true),
    Named(name: "OK-ACCESS-PASSPHRASE", value: "open sesame", context: .header, isSecret: true),
    Named(name: "Authorization", value: "Basic dTpw", context: .header, isSecret: true),
    Named(name: "Authorization", value: "Bearer abc", context: .header, isSecret: true),
    Named(name: "Authorization", value: "Bearer {secret:token}", context: .header, isSecret: false),
    Named(name: "Authorization", value: "Bearer", context: .header, isSecret: false),
    Named(name: "Cookie", value: "session=abc123", context: .header, isSecret: true),
    Named(name: "Cookie", value: "lang=en; region=KR", context: .header, isSecret: false),
    Named(name: "X-Token", value: "t0p", context: .header, isSecret: true),
    Named(name: "Accept", value: "application/json", context: .header, isSecret: false),
    Named(name: "User-Agent", value: "market/1 a1b2c3d4e5f6a7b8", context: .header, isSecret: false),
    Named(name: "appid", value: "abc", isSecret: true),
    Named(name: "app_id", value: "12345678", isSecret: true),
    Named(name: "apiKey", value: "demo", isSecret: true),
    Named(name: "access_key", value: "{secret:access_key}", isSecret: false),
    Named(name: "client_secret", value: "x-y-z", isSecret: true),
    Named(name: "password", value: "hunter2", isSecret: true),
    Named(name: "signature", value: "{sign}", isSecret: false),
    Named(name: "passcode", value: "hunter2", isSecret: true),
    Named(name: "userkey", value: "abcdef", isSecret: true),
    Named(name: "clientid", value: "abcdef", isSecret: true),
    Named(name: "fookey", value: "a1B2c3D4e5F6a7B8", isSecret: true),
    Named(name: "sign", value: "abc", isSecret: true),
    Named(name: "sign", value: "-", isSecret: false),
    Named(name: "token", value: "my_secret", isSecret: true),
    Named(name: "authority", value: "api.exchange.example", context: .header, isSecret: false),
    Named(name: "key", value: "hunter2", isSecret: true),
    Named(name: "key", value: "price", isSecret: false),
    Named(name: "token", value: "BTC", isSecret: false),
    Named(name: "token", value: "a1B2c3D4e5F6a7B8", isSecret: true),
    Named(name: "token", value: "0a1B2c3D4e5F6a7B8c9{now.ms}", isSecret: true),
    Named(name: "tokens", value: "BTC,ETH,1000PEPE", isSecret: false),
    Named(name: "keys", value: "{keys}", isSecret: false),
    Named(name: "keys", value: "BTC-USDT,ETH-USDT,XRP-USDT", isSecret: false),
    Named(name: "needAuth", value: "false", isSecret: false),
    Named(name: "keyword", value: "a1B2c3D4e5F6a7B8", isSecret: false),
    Named(name: "monkey", value: "hunter2", isSecret: false),
    Named(name: "design", value: "v2beta", isSecret: false),
    Named(name: "cursor", value: "a1b2c3d4e5f6a7b8c9d0", isSecret: false),
    Named(name: "symbol", value: "1000SHIBUSDT-20241227", isSecret: false),
  ])
  func byName(_ sample: Named) {
    #expect(SecretShape.isSecret(sample.value, named: sample.name, in: sample.context) == sample.isSecret)
  }

  @Test(arguments: [
    ("/v6/3f9a61c07d2e48b5a1c9aa10/latest", "3f9a61c07d2e48b5a1c9aa10"),
    ("/v3/9aa3d95b3bc440fa88ea12eaa4456161", "9aa3d95b3bc440fa88ea12eaa4456161"),
    ("https://rpc.example/k3J5h2Kq4j5Hw2k3xJ4h5/btc", "k3J5h2Kq4j5Hw2k3xJ4h5"),
    ("https://3f9a61c07d2e48b5a1c9.rpc.example", "3f9a61c07d2e48b5a1c9"),
    ("/t?cursor=3f9a61c07d2e48b5a1c9", "3f9a61c07d2e48b5a1c9"),
    ("/api/v3/ticker/24hr", nil),
    ("/v2.1.3-beta20241227/tickers", nil),
    ("/ticker/{asset|lower}{payment|lower}_1234567890", nil),
    ("/{secret:a1b2c3d4e5f6a7b8c9d0}/latest", nil),
    ("/token/0xdAC17F958D2ee523a2206206994597C13D831ec7", nil),
    ("/token/dac17f958d2ee523a2206206994597c13d831ec7", nil),
    ("/mint/EPjFWdd5AufqSSqeM2qN1xzybapC8wEGGkZwyTDt1v", nil),
    ("/tron/TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", nil),
    ("/block/4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd", nil),
    ("/chain/5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", nil),
    ("/product/550e8400-e29b-41d4-a716-446655440000", nil),
    ("/BTC-USDT-20241227-65000-C/book", nil),
    ("/perpetualswap20241227usdtmargin/tickers", nil),
    ("https://api-1234567890123456.exchange.example", nil),
  ])
  func byShape(_ text: String, _ key: String?) {
    let bytes = Array(text.utf8)
    #expect(SecretShape.keys(in: text).map { String(decoding: bytes[$0], as: UTF8.self) } == [key].compactMap(\.self))
  }

  @Test(arguments: [
    ("AKIAIOSFODNN7EXAMPLE", true), ("sk_live_abcdefghijklmno", true),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", true),
    ("BTC-USDT", false), ("eyJ", false), ("AKIA", false),
  ])
  func byPrefix(_ text: String, _ isKey: Bool) {
    #expect(SecretShape.hasKnownKeyFormat(text) == isKey)
  }
}
