-- Errors raised by Lua code, of the same shape as those of the C core: {kind, message, where, hint}, and tostring
-- says all of it. The kind decides the exit code of a run without a prompt.
local text = require "gpulab.base.text"

local failure = {}

local Failure = {}

function Failure.__tostring(e)
  local said = e.where ~= "" and e.where .. ": " .. e.message or e.message
  if e.hint == "" then return said end
  return said .. "\n" .. table.concat(text.wrap(e.hint, "  "), "\n")
end

---@param kind "compile"|"fault"|"wrong"|"timeout"|"setup"|"finding"|"gate"|"usage"|"busy"|"interrupted"
---@param message string @param where? string "file:line" @param hint? string what to do about it
function failure.new(kind, message, where, hint)
  return setmetatable({ kind = kind, message = message, where = where or "", hint = hint or "" }, Failure)
end

function failure.raise(kind, message, where, hint)
  error(failure.new(kind, message, where, hint), 0)
end

---Raises if Ctrl-C ended what a record or an outcome is of, and says where the kernel was.
function failure.pass_interrupt(result)
  if (result.outcome or result.status) ~= "interrupted" then return end
  local said = result.report or ""
  failure.raise("interrupted", said ~= "" and said or result.message or "interrupted")
end

---pcall of what may fail for its own reasons, of which Ctrl-C is none.
function failure.try(f, ...)
  local results = table.pack(pcall(f, ...))
  if not results[1] and failure.kind(results[2]) == "interrupted" then error(results[2], 0) end
  return table.unpack(results, 1, results.n)
end

---What was typed is wrong.
---@param message string @param hint? string what to type instead
function failure.usage(message, hint) failure.raise("usage", message, nil, hint) end

-- How far a step got before it failed, least first: the exit code is that of the step that failed earliest.
local stages = { "interrupted", "usage", "setup", "compile", "fault", "timeout", "wrong", "finding", "gate" }
local codes = { ok = 0, absent = 0, compile = 1, fault = 2, limit = 2, wrong = 3, timeout = 4, setup = 5,
  finding = 6, gate = 7, usage = 64, busy = 75, interrupted = 130 }
local rank = { limit = 5 }
for i, kind in ipairs(stages) do rank[kind] = i end

---The exit code for an outcome or an error's kind.
function failure.code(kind)
  return codes[kind] or codes.setup
end

---Whether an outcome is no failure: success, or a library or compute capability that is missing.
function failure.is_well(outcome)
  return outcome == "ok" or outcome == "absent"
end

local ended <const> = { wrong = "has a wrong result", finding = "has an issue that a checker found",
  compile = "does not compile", absent = "was not run" }

---What became of a run that did not end well, as the verb of a sentence.
---@param outcome string @return string
function failure.ended(outcome) return ended[outcome] or ("did not complete (%s)"):format(outcome) end

---The outcome that decides among several: the earliest failure.
---@param outcomes string[] @return string
function failure.worst(outcomes)
  local worst = "ok"
  for _, outcome in ipairs(outcomes) do
    if not failure.is_well(outcome) and (worst == "ok" or (rank[outcome] or 1) < rank[worst]) then worst = outcome end
  end
  return worst
end

---What Lua says of a function's argument, without the place in gpulab and the function's name.
---@param said string @return string
function failure.of_argument(said)
  said = said:gsub("^lua/gpulab/[^:]*:%d+: ", "")
  return said:match "^bad argument #%d+ to '[^']*' %((.*)%)$" or said:match "^bad argument #%d+: (.*)" or said
end

---What was raised. An error inside gpulab's own Lua, caused by an unexpected value in a definition, becomes an error of
---the definition.
---@param e any @param whose string "lab 3, step \"tile\"" @param where string "file:line"
function failure.of_definition(e, whose, where)
  local said = type(e) == "string" and e:match "^lua/gpulab/[^:]*:%d+: [^\n]*"
  if not said then return e end
  said = failure.of_argument(said)
  return failure.new("usage", ("%s: gpulab cannot use the value of a field: %s"):format(whose, said), where)
end

---The kind of whatever a pcall caught. A plain string is a mistake in a lab's own Lua code: usage.
function failure.kind(e)
  return type(e) == "table" and codes[e.kind] and e.kind or "usage"
end

---The exit code for something raised: 1 for an error of Lua.
---@param e any @return integer
function failure.status(e)
  if type(e) == "table" and type(e.kind) == "string" then
    return codes[e.kind] or e.kind == "limit" and codes.fault or 1
  end
  return 1
end

return failure
