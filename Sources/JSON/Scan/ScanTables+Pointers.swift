extension ScanTables {
  /// The tables where they lie in memory. **Safety.** Valid only during the call of `withPointers` that made them.
  struct Pointers {
    let nodes: UnsafeBufferPointer<Node>
    let members: UnsafeBufferPointer<Member>
    let elements: UnsafeBufferPointer<Element>
    let names: UnsafeBufferPointer<UInt8>
  }

  /// Lends the tables to `body`.
  func withPointers<Result, Failure: Error>(
    _ body: (Pointers) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nodes.withUnsafeBufferPointer { (nodes) throws(Failure) in
      try members.withUnsafeBufferPointer { (members) throws(Failure) in
        try elements.withUnsafeBufferPointer { (elements) throws(Failure) in
          try names.withUnsafeBufferPointer { (names) throws(Failure) in
            try body(Pointers(nodes: nodes, members: members, elements: elements, names: names))
          }
        }
      }
    }
  }
}
