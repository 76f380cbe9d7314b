package indirect enum BodySpec: Sendable {
  case text(Template)
  /// Any other scalar, as written.
  case literal(String)
  case array([BodySpec])
  case object([(name: String, value: BodySpec)])
}
