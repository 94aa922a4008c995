-- The code of a module as the stepper needs it, from gpulab.source, and what may have run before an instruction.
local source = require "gpulab.source"

local ptx = {}

---@class PtxRow  an instruction
---@field op string "ld.global.f32" @field text string @field at integer line of the text
---@field file string @field line integer of the source
---@field inlined integer? where the function was inlined: equal for equal places
---@field writes string[] @field reads string[] registers, but for the guard @field guarded boolean?
---@field operands (string[]|integer)[] registers of each, or a number @field address integer? which one is in brackets
---@field symbol string? that it names @field calls string? the function @field to integer? the row it may branch to

---@class PtxCode  of a function
---@field entry boolean @field target string "sm_90" @field params PtxVariable[] @field locals PtxVariable[]
---@field rows PtxRow[] @field by_line table<integer, PtxRow> by line of the text
---@field lines table<string, integer> by label: the line of the instruction that follows
---@class PtxVariable
---@field name string as linked @field bytes integer @field offset integer of a parameter @field space string

local Text = {}
Text.__index = Text

---@param text string
function ptx.read(text)
  return setmetatable({ module = source.ptx(text), known = {} }, Text)
end

---@param linked string @return PtxCode? nil: there is no such function here
function Text:code(linked)
  local code = self.known[linked] or self.module:code(linked)
  if not code or self.known[linked] then return code end
  self.known[linked], code.by_line, code.lines = code, {}, {}
  for _, row in ipairs(code.rows) do code.by_line[row.at] = row end
  for _, label in ipairs(code.labels) do
    local after = code.rows[label.at + 1]
    code.lines[label.name] = after and after.at or math.huge
  end
  return code
end

---Variables of the module and of a function. @param linked string? @return PtxVariable[]
function Text:variables(linked)
  local list, code = self.module:variables(), linked and self:code(linked)
  return code and table.move(code.locals, 1, #code.locals, #list + 1, list) or list
end

---May the function be called again before it has returned? @param linked string @return boolean
function Text:recursive(linked)
  local code, seen, open = self:code(linked), {}, { linked }
  while code.recursive == nil and #open > 0 do
    local callee = self:code(table.remove(open))
    for _, row in ipairs(callee and callee.rows or {}) do
      if row.calls and not seen[row.calls] then open[#open + 1], seen[row.calls] = row.calls, true end
    end
  end
  code.recursive = code.recursive or seen[linked] == true
  return code.recursive
end

local ends <const> = { bra = true, ret = true, exit = true, trap = true }

-- Rows that may run before a row, by row: those that fall through to it or branch to it. nil: not known.
local function predecessors(fn)
  if fn.before ~= nil then return fn.before end
  local before, rows = {}, fn.rows
  for _, row in ipairs(rows) do before[row] = {} end
  for i, row in ipairs(rows) do
    local op = row.op:match("^%a+")
    if op == "brx" then before = false break end
    if rows[row.to] then table.insert(before[rows[row.to]], row) end
    if (row.guarded or not ends[op]) and rows[i + 1] then table.insert(before[rows[i + 1]], row) end
  end
  fn.before = before
  return before
end

---May one of the registers have been written before the row at a line of the text?
---@param fn PtxCode @param registers table<string, boolean> @param at integer @return boolean
function ptx.may_have_written(fn, registers, at)
  local before, row = predecessors(fn), fn.by_line[at]
  if not before or not row then return true end
  local seen, open = {}, { row }
  while #open > 0 do
    for _, earlier in ipairs(before[table.remove(open)]) do
      for _, register in ipairs(seen[earlier] and {} or earlier.writes) do
        if registers[register] then return true end
      end
      if not seen[earlier] then open[#open + 1] = earlier end
      seen[earlier] = true
    end
  end
  return false
end

return ptx
