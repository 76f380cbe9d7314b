import Config
import JSON

extension StreamSpec {
  /// The values that are not read from rows: conditions on messages, and what templates are filled with.
  var ownValues: [ValueSpec] {
    let connection = connection
    var messages = conditions + (whole ?? []) + (connection.hello?.conditions ?? [])
    messages += (connection.pong?.conditions ?? []) + messageLookups.flatMap(\.conditions)
    messages += connection.success.conditions
    let values = (connection.handshake?.values ?? []) + (connection.pong?.values ?? [])
    return messages.map(\.value) + values.map(\.value)
      + [sequence, book?.time, book?.sequence, book?.previous, book?.whole.key, book?.changes?.key].compactMap(\.self)
  }

  /// Every template of the connection and its messages.
  var templates: [Template] {
    let connection = connection
    var messages = subscribe
    messages += [connection.hello?.send, connection.ping.send, connection.pong?.send].compactMap(\.self)
    let request = connection.handshake.map { $0.table.request.templates } ?? []
    return messages.flatMap(\.templates) + connection.urls + connection.headers.map(\.value) + request
  }
}

/// An object that describes streams, as written: `streams` itself, or one of its channels.
struct StreamText {
  let node: ConfigNode

  var texts: [ConfigNode] {
    let messages = [node["subscribe"], node["hello"]?["send"], node["ping"]?["send"], node["pong"]?["send"]]
    return (messages + [node["urls"], node["headers"]]).compactMap { $0?.texts().map(\.node) }.flatMap(\.self)
  }

  /// The names that its templates may use, as far as it gives them itself.
  var names: [String] {
    let own = [node["set"], node["pong"]?["set"]].flatMap { $0?.members.map(\.name) ?? [] }
    return ["symbol", "asset", "payment", "interval", "id"] + own
  }
}

extension ExchangeSource {
  /// Every object in the exchange's own text that describes streams.
  var streamTexts: [StreamText] {
    let levels = own.flatMap { exchange in
      let markets = (exchange["markets"]?.members ?? []).map(\.value)
      return [exchange] + markets.flatMap { [$0] + ($0["tickers"]?["forEach"]?.elements ?? []) }
    }
    return levels.compactMap { $0["streams"] }.filter { $0.json.kind == .object }.flatMap { streams in
      let channels = StreamChannel.allCases.compactMap { streams[$0.rawValue] }
      return ([streams] + channels.filter { $0.json.kind == .object }).map(StreamText.init)
    }
  }
}
