/// One thing that the doctor looked at.
struct Checkup: Hashable, Sendable {
  enum Status: String, Sendable {
    case ok
    /// It works, and may not do what was meant.
    case warning
    /// Something does not work.
    case problem
  }

  enum Topic: String, Sendable {
    case program, config, secrets, cache, budget, libcurl, clock, exchange, terminal
  }

  let topic: Topic
  let status: Status
  /// What was found, lower case, no full stop. Text of others in it is cleaned when it is shown.
  let text: String
  /// What to do about it.
  let help: String?

  init(_ topic: Topic, _ status: Status = .ok, _ text: String, help: String? = nil) {
    self.topic = topic
    self.status = status
    self.text = text
    self.help = help
  }
}
