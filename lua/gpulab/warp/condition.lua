-- The condition of a stop at a line: an expression for each place where code of the line begins, because a variable
-- may be in another register at each of them (an unrolled loop, a function inlined twice, debug information).
local expression = require "gpulab.warp.expression"
local failure = require "gpulab.base.failure"
local ptx = require "gpulab.warp.ptx"

local condition = {}

-- Moments as if the warp stood at each place of the line.
local function moments_at(d, file, line)
  local list = {}
  for _, place in ipairs(d.stepping:places()) do
    if place.line == line and (place.file == file or place.file:sub(-#file - 1) == "/" .. file) then
      local frame = { name = place.name, file = place.file, line = line, inlined = place.inlined }
      local frames = { frame }
      if place.inlined then frames[2] = { name = place.name, file = place.file, line = line, inlined = false } end
      list[#list + 1] = { file = place.file, line = line, text_line = place.text_line, frames = frames }
    end
  end
  table.sort(list, function(a, b) return a.text_line < b.text_line end)
  return list
end

-- Registers of which none is written on any way to the moment; nil if there are no such ones.
local function never_written(d, code, moment)
  local fn = d.names.text.functions[moment.frames[#moment.frames].name]
  for word in code:gmatch("%S+") do
    local list = word:match("^([%%!].*):%l%d+$")
    local registers, any = {}, false
    for sign, name in (list or ""):gmatch("(!?)(%%%a+%d+)") do
      if sign == "" then registers[name], any = true, true end
    end
    if fn and any and not ptx.may_have_written(d.names.text, fn, registers, moment.text_line) then return list end
  end
end

---For stops at the line: {code, first, last}, from and to which line of the PTX text it is in force; nil: anywhere.
---Also, if parts of the line lack a value, why. Raises if the expression has none anywhere on the line.
---@param d Debugger @param source string @param file string @param line integer
---@return {code: string, first: integer?, last: integer?}[], string?
function condition.at(d, source, file, line)
  local list, part, problem, missing = {}, nil, nil, false -- part: what the place before belongs to
  for _, moment in ipairs(moments_at(d, file, line)) do
    local ok, value = pcall(expression.compile, source, d.names:scope(moment), d.names:types(moment))
    if not ok then problem = problem or value end
    if not ok or never_written(d, value.code, moment) then
      part, missing = nil, true
    elseif value.record or value.dims then
      failure.raise("usage", ("%s is more than one value: name a member or an element"):format(source))
    elseif part and part.code == value.code then
      part.last = moment.text_line
    else
      part = { code = value.code, first = moment.text_line, last = moment.text_line }
      list[#list + 1] = part
    end
  end
  if #list == 0 then
    if problem then error(problem, 0) end
    failure.raise("usage", ("%s has no value yet at line %d: a stop is before the line runs"):format(source, line), nil,
      "a later line has it")
  end
  if #list == 1 and not missing then part.first, part.last = nil, nil end
  return list, problem and problem.message
end

return condition
