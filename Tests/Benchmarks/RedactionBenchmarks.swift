import HTTP

/// Removing secrets from an answer to a signed request.
enum RedactionBenchmarks {
  /// 2 MB in the form of Binance's list of coins, which a request for wallets has in return.
  private static let body: [UInt8] = {
    var text = "["
    var number = 0
    while text.utf8.count < 2_000_000 {
      number += 1
      text += """
        {"coin":"C\(number)","depositAllEnable":true,"withdrawAllEnable":true,"name":"Coin number \(number)","free":"0",\
        "locked":"0","freeze":"0","isLegalMoney":false,"trading":true,"networkList":[{"network":"ETH","coin":"C\(number)",\
        "withdrawIntegerMultiple":"0.00000001","isDefault":true,"depositEnable":true,"withdrawEnable":true,\
        "specialTips":"","name":"Ethereum (ERC20)","addressRegex":"^(0x)[0-9A-Fa-f]{40}$","withdrawFee":"0.5",\
        "withdrawMin":"1","minConfirm":6,"contractAddressUrl":"https:\\/\\/etherscan.io\\/address\\/",\
        "contractAddress":"0xdac17f958d2ee523a2206206994597c13d831ec7"}]},
        """
    }
    return Array(text.utf8)
  }()

  /// Returns the milliseconds, with a key and a secret as Binance issues them.
  static func measured() -> Double {
    let redaction = Redaction([
      "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A",
      "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j",
    ])
    return TableBenchmarks.best(of: 50) { redaction(body).count }
  }
}
