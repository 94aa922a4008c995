-- JSON as written: order, escapes, numbers.
local json = require "gpulab.base.json"
local lu = require "luaunit"

TestJson = {}

function TestJson.test_objects_keep_their_order()
  local doc = json.object("schema", "gpulab/1", "b", 1, "a", nil, "list", json.list {})
  lu.assertEquals(json.encode(doc), '{\n  "schema": "gpulab/1",\n  "b": 1,\n  "list": []\n}')
end

function TestJson.test_plain_tables_are_sorted()
  lu.assertEquals(json.encode { b = 2, a = 1 }, '{\n  "a": 1,\n  "b": 2\n}')
  lu.assertEquals(json.encode { 1, 2, 3 }, "[1, 2, 3]")
  lu.assertEquals(json.encode {}, "{}")
  lu.assertError(json.encode, { [2] = "hole" })
end

function TestJson.test_strings_are_escaped()
  lu.assertEquals(json.encode('a"b\\c\n\t\0\127'), '"a\\"b\\\\c\\n\\t\\u0000\\u007f"')
  lu.assertEquals(json.encode("32×33"), '"32×33"')
  lu.assertEquals(json.encode("a\xffb\xc3"), '"a\u{FFFD}b\u{FFFD}"')
end

function TestJson.test_numbers()
  lu.assertEquals(json.encode(16000000), "16000000")
  lu.assertEquals(json.encode(math.mininteger), "-9223372036854775808")
  lu.assertEquals(json.encode(0.1), "0.1")
  lu.assertEquals(tonumber(json.encode(1 / 3)), 1 / 3)
  lu.assertEquals(json.encode(0 / 0), "null")
  lu.assertEquals(json.encode(math.huge), "null")
  lu.assertEquals(json.encode(json.null), "null")
end

function TestJson.test_what_cannot_be_written_is_an_error()
  lu.assertError(json.encode, print)
  local endless = {}
  endless.self = endless
  lu.assertErrorMsgContains("nested too deeply", json.encode, endless)
end

function TestJson.test_what_was_written_is_read()
  local doc = { a = { 1, 2.5, -3e-7, math.mininteger }, b = "x\"\\\n\t\0\127 32×33 \u{1F600}", c = true, d = false,
    e = { f = {}, g = "" } }
  lu.assertEquals(json.decode(json.encode(doc)), doc)
  lu.assertEquals(json.decode(' { "a" : [ ] , "n" : null , "u" : "\\u00e9\\ud83d\\ude00\\ud83d" } '),
    { a = {}, u = "é😀\u{FFFD}" })
  lu.assertEquals(json.decode("7"), 7)
  lu.assertEquals(json.decode(("["):rep(100) .. ("]"):rep(100)) ~= nil, true)
end

function TestJson.test_what_is_no_json_is_refused()
  for _, bad in ipairs { "", " ", "{", "[1,", "[1 2]", "{a:1}", '{"a"}', '{"a":}', '"abc', '"\\x"', '"\\u12"', '"a\nb"',
    "nul", "truefalse", "1 2", "-", "--1", "+1", "[1,]", "{,}", "0x", "[", "]", "\0", '{"a":1,}',
    ("["):rep(102) .. ("]"):rep(102), ("["):rep(100000) } do
    local ok, reason = pcall(json.decode, bad)
    lu.assertFalse(ok, bad:sub(1, 20))
    lu.assertStrContains(reason, "JSON, byte ")
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
