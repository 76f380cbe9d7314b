import Asking
import Config
import Files
import Live
import Mapping
import MarketData
import Quotes
import Shell
import Synchronization
import Terminal
import Transport
import Views

/// What the screen asks for and cannot do itself.
extension LiveWatch {
  func perform(_ action: WatchAction) async {
    switch action {
    case .effect(let effect): await perform(effect)
    case .awoke: await run.board.pollSoon()
    case .wake(let milliseconds):
      Task {
        try? await Task.sleep(for: .milliseconds(milliseconds))
        wakePipe.wake()
      }
    case .run(let command, let firing): commands.run(command, firing)
    case .reached(let firing): reached.withLock { $0 = firing }
    case .save(let saved):
      say(NewFile.write(saved, zone: context.localClock(run.now()) ?? .utc, at: run.now(), run.settings.language))
    }
  }

  private func perform(_ effect: WatchEffect) async {
    let language = run.settings.language
    switch effect {
    case .quit, .copy, .copyScreen, .save: break
    case .toggleFavorite(let pair): await toggleFavorite(pair)
    case .askNow(let key):
      await run.board.pollSoon(key)
      say(language("polling as rate limits allow", "호출 한도 내에서 조회함"))
    case .togglePause(let key): await run.board.togglePause(key)
    case .explain(let key): explain(key)
    case .page(let key): showPage(of: key)
    case .askBalances: await askBalances()
    case .askTrends(let rows, let hours):
      wantedTrends = (rows, hours)
      askTrends()
    case .askBalancesAgain: await balances?.askAgain()
    case .addAlert(let rule, let replaced): addAlert(rule, replacing: replaced)
    case .removeAlert(let text):
      guard !isFixed(text) else { return say(fixed) }
      change(
        alerts: { file throws(UserFileProblem) in try file.remove(text) }, language("removed: ", "알림 삭제: ") + text,
        else: language("not removed", "삭제 안 됨"))
    case .visit(let visit, let pair, let row, let beside): open(visit, pair, row, beside)
    case .look(let pair): await look(at: pair)
    }
  }

  private func toggleFavorite(_ pair: Pair) async {
    let undone = run.settings.language("not changed", "변경 안 됨")
    guard context.paths.config != nil else { return refuseWithoutHome(undone) }
    let result = Result { () throws(UserFileProblem) in try run.toggleFavorite(pair) }
    _ = await followFavorites()
    tellFiles()
    guard case .failure(let problem) = result else {
      let language = run.settings.language
      return say(
        run.favorites.pairs.contains(pair)
          ? language("favourite: \(pair)", "즐겨찾기 추가: \(pair)")
          : language("no longer a favourite: \(pair)", "즐겨찾기 해제: \(pair)"))
    }
    refuse(undone, problem, of: "favorites.json", cause: run.favoritesProblem.map { _ in .favorites })
  }

  /// Explains a row on its own: it may wait for a message or an answer for seconds, and a newer one takes its place.
  private func explain(_ key: RowKey) {
    explaining?.cancel()
    explaining = Task { [run] in
      let lines = await run.explanation(of: key)
      if !Task.isCancelled { tell { $0.explanation = (key, lines) } }
    }
  }

  /// Requests the closes that are due of those on the screen, those of an exchange one after the other.
  private func askTrends() {
    let run = run
    for row in trendPlan.due(wantedTrends.rows, hours: wantedTrends.hours, at: context.now()) {
      Task { [hours = wantedTrends.hours] in
        let (reading, rest) = await run.trend(of: row, hours: hours)
        // Of a config that has been replaced meanwhile.
        guard self.run.board === run.board else { return }
        take(reading, of: row, rest: rest)
        guard (try? await Task.sleep(for: .milliseconds(rest))) != nil else { return }
        askTrends()
      }
    }
  }

  private func take(_ reading: TrendReading, of row: RowKey, rest: Int) {
    trendPlan.finish(row, rest: rest, at: context.now())
    run.take([row: reading])
    run.touch()
  }

  private func askBalances() async {
    if balances == nil {
      let feed = BalanceFeed(of: run, in: quiet) { balances in self.tell { $0.balances = balances } }
      balances = feed
      keysProblem = await feed.keysProblem
      if keysProblem != nil { tellFiles() }
    }
    await balances?.ask()
  }

  private func addAlert(_ rule: AlertRule, replacing replaced: String?) {
    guard !isFixed(rule.text) else { return say(fixed) }
    let language = run.settings.language
    let done =
      switch replaced {
      case nil, rule.text: language("armed: ", "알림 등록: ")
      case let replaced? where isFixed(replaced):
        language("armed beside the alert of the command line: ", "명령줄의 알림과 별도로 등록: ")
      default: language("changed: ", "알림 변경: ")
      }
    let idle = rule.pair.flatMap { run.pairs.contains($0) ? nil : $0 }.map { pair in
      language("\(pair) is not followed here, so it never fires: ", "\(pair)은(는) 관심 종목이 아니라 울리지 않음: ")
    }
    let absent = run.picture.absence(in: rule).map { "\($0): " }
    change(
      alerts: { file throws(UserFileProblem) in try file.add(rule, replacing: replaced) },
      (idle ?? absent ?? done) + rule.text, else: language("not added", "추가 안 됨"),
      entered: EnteredAlert(rule.text, replacing: replaced))
  }

  private func look(at pair: Pair?) async {
    looked = pair
    await run.board.follow(run.look(at: pair))
    // Nothing else polls while recordings are played.
    if run.session.replay != nil { await run.board.step() }
    run.touch()
  }

  /// Whether an alert comes from the command line, so that no file has it.
  private func isFixed(_ alert: String) -> Bool { options.rules.contains { $0.text == alert } }

  private var fixed: String {
    run.settings.language("this alert comes from the command line", "명령줄에서 지정한 알림")
  }

  private func showPage(of key: RowKey) {
    let row = run.picture[key.pair]?.snapshot.row(key)
    let page = run.session.page(of: key.exchange, key.market, key.pair, row: row?.ticker)
    if let page = page.flatMap({ Hyperlink($0) }) {
      answer(.page(page))
    } else {
      say(LiveText.pageNotice(key.exchange, run.settings.language))
    }
  }

  /// Opens a screen about a pair in front of this one.
  private func open(_ visit: BlockKind, _ pair: Pair, _ row: RowKey?, _ beside: [RowKey]) {
    let (sources, absent) = run.sources(of: visit, pair, first: row, beside: beside)
    let language = run.settings.language
    if !absent.isEmpty {
      let names = absent.map { $0.name(language) }.joined(separator: ", ")
      say(language("not offered by \(names)", "제공하지 않음: \(names)"))
    }
    guard !sources.isEmpty else {
      return say(language("no exchange offers that for \(pair)", "\(pair): 제공하는 거래소 없음"))
    }
    // The screen before shows the reader's own clock, if it is not UTC.
    let zone = run.settings.localClock(run.now()) ?? (pair.payment == "KRW" ? .seoul : .utc)
    var settings = PairSettings(run.session, language: run.settings.language, zone: zone, rule: run.settings.rule)
    settings.isVisit = true
    settings.scheme = options.palette.scheme
    let screen = visit.screen(
      sources, areChosen: !beside.isEmpty, settings, run.session, speed: options.speed
    ) { [wakePipe] in wakePipe.wake() }
    change(visit: .open(screen, pair: pair, row: row))
  }

  func change(visit new: DetailChange) {
    visit.withLock { change in
      if case .open(let waiting, _, _)? = change { waiting.end() }
      change = new
    }
    wakePipe.wake()
  }

  /// Reports that there is no place for the user's files.
  private func refuseWithoutHome(_ undone: String, entered alert: EnteredAlert? = nil) {
    let reason = UserPaths.absence(of: "XDG_CONFIG_HOME", run.settings.language)
    answer(.refused(RefusedChange("\(undone): \(reason)", cause: nil, alert: alert)))
  }

  /// - Parameters:
  ///   - undone: The beginning of the sentence if the change cannot be made.
  ///   - alert: The alert that was entered, which is then still to be edited.
  private func change(
    alerts change: (AlertsFile) throws(UserFileProblem) -> Void, _ done: String, else undone: String,
    entered alert: EnteredAlert? = nil
  ) {
    guard let file = alerts?.file else { return refuseWithoutHome(undone, entered: alert) }
    let result = Result { () throws(UserFileProblem) in try change(file) }
    // A sentence about an ongoing problem disappears with it, so the problem has to be known first.
    alerts?.refresh()
    tellFiles()
    switch result {
    case .success: say(done)
    case .failure(let problem):
      refuse(undone, problem, of: "alerts.json", cause: alerts?.sentence.map { _ in .alerts }, entered: alert)
    }
  }

  /// Says why a change to one of the user's files was not made.
  ///
  /// - Parameter cause: The ongoing problem of the file, if there is one.
  private func refuse(
    _ undone: String, _ problem: UserFileProblem, of file: String, cause: WatchProblem.Subject?,
    entered alert: EnteredAlert? = nil
  ) {
    let language = run.settings.language
    let again = alert == nil ? "" : language("; repair it, then press Enter again", "; 고친 뒤 다시 Enter")
    let reason =
      switch problem {
      case .unreadable: language("\(file) is invalid", "\(file) 오류") + again
      case .unacceptable(let reason): language("\(file) would be invalid: \(reason)", "\(file) 오류가 됨: \(reason)")
      case .file(let error): "\(error)"
      }
    answer(.refused(RefusedChange("\(undone): \(reason)", cause: cause, alert: alert)))
  }
}
