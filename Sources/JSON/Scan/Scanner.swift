/// A scanner of successive texts with the same plan. It keeps its workspace: the messages of a stream are as alike as
/// the rows of a table, so the names of one message are recognized from the previous one.
package struct Scanner: Sendable {
  private let plan: ScanPlan
  private var findings: ScanFindings

  package init(_ plan: ScanPlan) {
    self.plan = plan
    findings = ScanFindings(plan)
  }

  /// Follows all paths through `bytes` in one pass. Checks the whole text, including what no path leads to, as strictly
  /// as `JSONDocument` and with the same errors.
  ///
  /// - Parameters:
  ///   - maximumDepth: The maximum number of arrays and objects open at once. Paths are followed by recursion, at most
  ///     this deep.
  ///   - maximumRows: The maximum number of rows kept of a container; only they take memory.
  /// - Throws: The first error in the text.
  package mutating func scan(
    _ bytes: [UInt8], maximumDepth: Int = 512, maximumRows: Int = .max
  ) throws(JSONSyntaxError) -> ScanFindings {
    // Findings that are still in use stay as they are; the names are learnt again.
    if !isKnownUniquelyReferenced(&findings) { findings = ScanFindings(plan) }
    let (plan, findings) = (plan, findings)
    findings.workspace.begin()
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
      let text = try JSONBytes(buffer)
      // A text of n bytes cannot nest deeper than n.
      let words = min(max(maximumDepth, 0), bytes.count) / 64 + 1
      try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { (brackets) throws(JSONSyntaxError) in
        brackets.initialize(repeating: 0)
        try plan.tables.withPointers { (tables) throws(JSONSyntaxError) in
          let reader = ScanReader(
            text: text, tables: tables, workspace: findings.workspace, brackets: brackets, lists: plan.lists,
            maximumDepth: maximumDepth, maximumRows: maximumRows)
          try reader.readResponse(plan.responseRoot)
        }
      }
    }
    return findings
  }
}

/// The memory of a scan: its findings, and what it remembers for the next one.
///
/// **Safety.** The sizes are fixed by the plan, and debug builds check every index. Slots are addressed by the plan's
/// own tables, which are numbered below `slotCount`; shapes by node; names by a count that stays below `shapeCapacity`.
struct ScanWorkspace {
  /// The member names of the last object read at a node, in its order.
  ///
  /// Rows are alike: the next object most likely has the same names in the same order. A name is recognized by
  /// comparing its bytes with those of the previous row in one go, from the preceding comma or brace to the value. If
  /// they are equal, the name need not be checked or looked up again.
  struct Shape {
    var count = 0
    /// The index of the node's first remembered name.
    var base: Int
  }

  /// A remembered name. Its bytes, from the preceding comma or brace, or whitespace before the comma, up to the value,
  /// are stored separately, as they outlive the text.
  struct KnownName {
    var length: Int32
    /// The node for its value.
    var node: Int32
    /// The node's slot if it is a leaf; otherwise -1.
    var slot: Int32
    /// Whether another name of the shape leads to the same node: a duplicate member.
    var mayComeAgain = false
  }

  /// Notes taken during the scan.
  struct Notes {
    /// Whether a requested member was repeated since the current row began.
    var repeatsMember = false
    /// The number of elements of the last array that ended.
    var elementCount = 0
    /// The kind of the whole response.
    var kind = ScanKind.missing
  }

  static let shapeCapacity = 64
  /// In bytes; a longer name is looked up each time.
  static let nameCapacity = 64

  /// The slots of the response, then those of the row being read.
  let slots: UnsafeMutableBufferPointer<ScanSlot>
  let lists: UnsafeMutableBufferPointer<ScanList>
  /// The whole response as a row.
  let response: UnsafeMutablePointer<ScanRow>
  let notes: UnsafeMutablePointer<Notes>
  let shapes: UnsafeMutableBufferPointer<Shape>
  let names: UnsafeMutableBufferPointer<KnownName>
  /// `nameCapacity` bytes for each of `names`.
  let nameBytes: UnsafeMutableBufferPointer<UInt8>
  /// The plan's own `places`.
  let places: UnsafeMutableBufferPointer<Int>

  init(_ plan: ScanPlan) {
    slots = .filled(with: .missing, count: plan.slotCount)
    lists = .filled(with: ScanList(), count: plan.lists.count)
    response = .allocate(capacity: 1)
    response.initialize(to: ScanRow(start: 0, end: 0, key: .missing))
    notes = .allocate(capacity: 1)
    notes.initialize(to: Notes())
    shapes = .filled(with: Shape(base: 0), count: plan.tables.nodes.count)
    var base = 0
    for (node, known) in plan.tables.nodes.enumerated() {
      shapes[node].base = base
      if known.memberCount > 0 { base += Self.shapeCapacity }
    }
    names = .filled(with: KnownName(length: 0, node: 0, slot: 0), count: base)
    nameBytes = .filled(with: 0, count: base * Self.nameCapacity)
    places = .filled(with: 0, count: plan.places.count)
    for (index, place) in plan.places.enumerated() { places[index] = place }
  }

  /// Forgets the findings of the text before.
  func begin() {
    for index in slots.indices { slots[index] = .missing }
    for index in lists.indices { lists[index].begin() }
    notes.pointee = Notes()
  }

  func deallocate() {
    for list in lists { list.deallocate() }
    slots.deallocate()
    lists.deallocate()
    response.deallocate()
    notes.deallocate()
    shapes.deallocate()
    names.deallocate()
    nameBytes.deallocate()
    places.deallocate()
  }

  /// Returns the bytes of the remembered name at `index`.
  @inline(__always)
  func bytes(ofName index: Int) -> UnsafeMutableRawPointer {
    // A scanner has bytes wherever it has names.
    UnsafeMutableRawPointer(nameBytes.baseAddress.unsafelyUnwrapped) + index &* ScanWorkspace.nameCapacity
  }

  /// Clears the rows of some lists because the member that led to them is repeated.
  ///
  /// - Parameter mask: A bit for each list.
  func clearLists(_ mask: UInt64) {
    for list in lists.indices where mask & 1 << UInt64(list) != 0 { lists[list].clear() }
  }
}

/// The rows of one container, and their slots row by row.
struct ScanList {
  private(set) var rows = ScanBuffer<ScanRow>()
  private(set) var slots = ScanBuffer<ScanSlot>()

  /// The maximum number of rows for which memory is reserved in advance.
  private static let maximumReservation = 16384

  /// Clears the list for the next text. Frees the memory of large lists, as most texts have few rows.
  mutating func begin() {
    if rows.capacity > 4096 {
      deallocate()
      self = ScanList()
    } else {
      clear()
    }
  }

  mutating func clear() {
    rows.count = 0
    slots.count = 0
  }

  func deallocate() {
    rows.deallocate()
    slots.deallocate()
  }

  /// Appends a row.
  ///
  /// - Parameter remaining: The length of the text after the row. It estimates the number of rows if they are as long
  ///   as the first one: growing the buffers step by step costs up to a third of the whole scan.
  @inline(__always)
  mutating func append(_ row: ScanRow, slots rowSlots: UnsafeBufferPointer<ScanSlot>, remaining: Int) {
    if rows.count == 0 { reserve(remaining, rowLength: Int(row.end - row.start) + 1, slots: rowSlots.count) }
    rows.append(row)
    for slot in rowSlots { slots.append(slot) }
  }

  /// Returns the memory for the slots of one more row; nil if the list must grow first, or is empty: its first row
  /// decides how much is reserved.
  @inline(__always)
  func roomForSlots(_ width: Int) -> UnsafeMutableBufferPointer<ScanSlot>? {
    guard rows.count > 0, rows.count < rows.capacity else { return nil }
    return slots.room(for: width)
  }

  /// Appends a row whose slots have been written to ``roomForSlots``.
  @inline(__always)
  mutating func appendRow(_ row: ScanRow, slotCount: Int) {
    rows.append(row)
    slots.count &+= slotCount
  }

  @inline(never)
  private mutating func reserve(_ remaining: Int, rowLength: Int, slots width: Int) {
    let estimate = min(remaining / rowLength + remaining / rowLength / 8 + 1, ScanList.maximumReservation)
    rows.reserve(estimate)
    slots.reserve(estimate * width)
  }
}

/// A growing list at an address that others may keep while it does not grow. Its owner frees it.
struct ScanBuffer<Element: BitwiseCopyable> {
  private var start: UnsafeMutablePointer<Element>?
  private(set) var capacity = 0
  /// The elements beyond it are forgotten.
  var count = 0

  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { reserve(max(16, 2 * capacity)) }
    start.unsafelyUnwrapped[count] = element
    count &+= 1
  }

  /// Returns the memory after the elements; nil if it is too small for `count` more.
  @inline(__always)
  func room(for count: Int) -> UnsafeMutableBufferPointer<Element>? {
    guard let start, self.count &+ count <= capacity else { return nil }
    return UnsafeMutableBufferPointer(start: start + self.count, count: count)
  }

  /// Makes room for as many elements in all.
  @inline(never)
  mutating func reserve(_ capacity: Int) {
    guard capacity > self.capacity else { return }
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    if let start {
      larger.update(from: start, count: count)
      start.deallocate()
    }
    (start, self.capacity) = (larger, capacity)
  }

  func deallocate() { start?.deallocate() }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
  /// Allocates memory, which its owner frees.
  fileprivate static func filled(with element: Element, count: Int) -> Self {
    let memory = Self.allocate(capacity: count)
    memory.initialize(repeating: element)
    return memory
  }
}
