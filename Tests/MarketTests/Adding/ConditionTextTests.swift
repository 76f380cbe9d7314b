import Config
import Testing

@testable import market

/// Conditions as they are written on a command line.
@Suite struct ConditionTextTests {
  @Test(arguments: [
    ("$.state=live", #"{ "path": "$.state", "equals": "live" }"#),
    ("$.state = live", #"{ "path": "$.state", "equals": "live" }"#),
    ("$.code=0", #"{ "path": "$.code", "equals": "0" }"#),
    ("$.on=true", #"{ "path": "$.on", "equals": true }"#),
    ("$.state=live,open,null", #"{ "path": "$.state", "in": ["live", "open", null] }"#),
    ("$.state!=dead", #"{ "path": "$.state", "notIn": ["dead"] }"#),
    ("$.state!=dead,off", #"{ "path": "$.state", "notIn": ["dead", "off"] }"#),
    ("$.p>0", #"{ "path": "$.p", "above": 0 }"#),
    ("$.p > 1.50e-9", #"{ "path": "$.p", "above": 1.50e-9 }"#),
    ("$.error is absent", #"{ "path": "$.error", "is": "absent" }"#),
    ("$['a=b']=c", #"{ "path": "$['a=b']", "equals": "c" }"#),
    ("$.a[?@.x==1].b=2", #"{ "path": "$.a[?@.x==1].b", "equals": "2" }"#),
    (#"$.a="x,y""#, #"{ "path": "$.a", "in": ["\"x", "y\""] }"#),
    (#"{"path":"$.s","suffix":"USDT"}"#, #"{ "path": "$.s", "suffix": "USDT" }"#),
  ])
  func conditions(_ text: String, _ json: String) {
    #expect(ConditionText(text)?.value.text() == json)
  }

  @Test(arguments: ["", "state=live", "$.state", "$.p>x", "$.p>", "$.e is missing", "{", "=", "$.a[=1", "$.p>0x1"])
  func noConditions(_ text: String) { #expect(ConditionText(text) == nil) }
}
