/// Options of the commands that ask exchanges.
extension Option {
  static let timeout = Option(
    "timeout", value: "SECONDS", help: "end the whole run by then; without it: the config's (5 seconds)",
    category: .network)

  static let record = Option(
    "record", value: "DIR", help: "write every request and its answer to DIR, secrets left out", category: .network)

  static let replay = Option(
    "replay", value: "DIR", help: "answer from the recordings in DIR, without a network", category: .network)

  static let asking = [config, verbose, timeout, record, replay]
}
