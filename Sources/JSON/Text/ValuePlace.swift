/// Where a value is expected: this decides what the error says if there is none.
enum ValuePlace {
  case root
  case firstElement
  case laterElement
  case member
}

extension JSONBytes {
  /// The error for the byte at `offset`, which begins no value.
  @inline(never)
  func missingValue(_ place: ValuePlace, at offset: Int) -> JSONSyntaxError {
    switch place {
    case .root: failure(.expectedValue, at: offset)
    case .firstElement: failure(.expectedValue, in: .array, at: offset)
    case .laterElement: failure(.expectedValueAfterComma, in: .array, at: offset)
    case .member: failure(.expectedValue, in: .object, at: offset)
    }
  }
}
