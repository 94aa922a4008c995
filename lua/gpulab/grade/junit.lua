-- JUnit's XML, as GitLab and Jenkins read it: a test case per exercise. What is wrong is a failure; what could not be
-- checked is an error.
local text = require "gpulab.base.text"
local verdict = require "gpulab.grade.verdict"

local junit = {}

local entities <const> = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&apos;",
  ["\n"] = "&#10;", ["\t"] = "&#9;" }

-- XML has no way to write control characters; text.printable has replaced all but line breaks and tabs.
local function attribute(s) return (text.printable(s):gsub("[&<>\"'\n\t]", entities)) end
local function content(s) return (text.printable(s):gsub("[&<>]", entities)) end

local function case_of(class, v)
  local open = ('    <testcase classname="%s" name="%s"'):format(attribute(class), attribute(v.id))
  if v.passed then return open .. "/>" end
  local kind = verdict.is_final(v) and "failure" or "error"
  local said = v.message and v.message .. "\n\n" .. table.concat(v.text, "\n") or table.concat(v.text, "\n")
  local first = (v.message or v.text[#v.text] or v.outcome):match("[^\n]*")
  return ('%s>\n      <%s type="%s" message="%s">%s</%s>\n    </testcase>'):format(open, kind, attribute(v.outcome),
    attribute(first), content(said), kind)
end

---@param list {name: string, verdicts: table<string, table>}[] a suite per submission
---@param items {id: string}[] the exercises @return string
function junit.document(list, items)
  local out, sum = {}, { tests = 0, failures = 0, errors = 0 }
  for _, suite in ipairs(list) do
    local cases, failures, errors = {}, 0, 0
    for i, item in ipairs(items) do
      local v = suite.verdicts[item.id]
      cases[i] = case_of(suite.name, v)
      if not verdict.is_final(v) then errors = errors + 1 elseif not v.passed then failures = failures + 1 end
    end
    out[#out + 1] = ('  <testsuite name="%s" tests="%d" failures="%d" errors="%d">'):format(attribute(suite.name),
      #cases, failures, errors)
    table.move(cases, 1, #cases, #out + 1, out)
    out[#out + 1] = "  </testsuite>"
    sum.tests, sum.failures, sum.errors = sum.tests + #cases, sum.failures + failures, sum.errors + errors
  end
  return ('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gpulab" tests="%d" failures="%d" errors="%d">\n'
    .. '%s\n</testsuites>\n'):format(sum.tests, sum.failures, sum.errors, table.concat(out, "\n"))
end

return junit
