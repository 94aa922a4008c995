-- What a stop evaluates: an expression for each place in the code, because a variable may be in another register at
-- each of them (an unrolled loop, a function inlined twice, debug information).
local expression = require "gpulab.warp.source.expression"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local ptx = require "gpulab.warp.source.ptx"

local condition = {}

-- A moment as if the warp stood at a place: in the function of the PTX, as linked, at the line of its text.
local function moment_at(name, file, line, inlined, text_line)
  local frames = { { name = name, file = file, line = line, inlined = inlined } }
  if inlined then frames[2] = { name = name, file = file, line = line, inlined = false } end
  return { file = file, line = line, text_line = text_line, frames = frames }
end

-- Moments as if the warp stood at each place of the line.
local function moments_at(d, file, line)
  local list = {}
  for _, place in ipairs(d.stepping:places()) do
    if place.line == line and (place.file == file or place.file:sub(-#file - 1) == "/" .. file) then
      list[#list + 1] = moment_at(place.name, place.file, line, place.inlined, place.text_line)
    end
  end
  table.sort(list, function(a, b) return a.text_line < b.text_line end)
  return list
end

-- Registers of which none is written on any way to the moment; nil if there are no such ones.
local function never_written(d, code, moment)
  local fn = d.names.text:code(moment.frames[#moment.frames].name)
  for word in code:gmatch("%S+") do
    local list = word:match("^([%%!].*):%l%d+$")
    local registers, any = {}, false
    for sign, name in (list or ""):gmatch("(!?)(%%%a+%d+)") do
      if sign == "" then registers[name], any = true, true end
    end
    if fn and any and not ptx.may_have_written(fn, registers, moment.text_line) then return list end
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
      failure.usage(("%s is more than one value: name a member or an element"):format(source))
    elseif part and part.code == value.code then
      part.last = moment.text_line
    else
      part = { code = value.code, first = moment.text_line, last = moment.text_line }
      list[#list + 1] = part
    end
  end
  if #list == 0 then
    if problem then error(problem, 0) end
    failure.usage(("%s has no value yet at line %d: a stop is before the line runs"):format(source, line),
      "a later line has it")
  end
  if #list == 1 and not missing then part.first, part.last = nil, nil end
  return list, problem and problem.message
end

-- Where an expression of this moment could mean something else: instructions of its function of the source, the first
-- of each line, and after each label, where debug information changes.
local function changing_moments(d, physical)
  local frame, fn = d.moment.frames[1], d.names.text:code(physical)
  local own, labels, list, passed, last = d.names:at(frame.file, frame.line), {}, {}, 1, nil
  for _, at in pairs(fn and fn.lines or {}) do labels[#labels + 1] = at end
  table.sort(labels)
  for _, row in ipairs(fn and fn.rows or {}) do
    while labels[passed] and labels[passed] <= row.at do passed = passed + 1 end
    local key = ("%d:%d:%d"):format(d.unoptimized and passed or 0, row.line, row.inlined or 0)
    if row.line > 0 and key ~= last and d.names:at(row.file, row.line) == own then
      list[#list + 1] = moment_at(physical, row.file, row.line, row.inlined ~= nil, row.at)
      list[#list].key = d.unoptimized and {} or key -- of an equal one all is equal
      list[#list].last = row.at
    elseif list[1] and key == last then
      list[#list].last = row.at
    else
      key = nil
    end
    last = key
  end
  return list
end

-- Lines as text: "12, 14 to 16".
local function line_list(seen)
  local parts = lists.map(lists.runs(lists.keys(seen)), function(run)
    return (run[1] == run[2] and "%d" or "%d to %d"):format(run[1], run[2])
  end)
  return #parts > 0 and table.concat(parts, ", ") or nil
end

---The values that a stop at changes follows: {code, first, last}, from and to which line of the PTX text it is in
---force; nil: anywhere. Also the lines of its scope where it is not known where the value is.
---@param d Debugger @param source string
---@return {code: string, first: integer?, last: integer?}[], string?
function condition.changes(d, source)
  local value, physical = d:compile(source), nil
  if value.record or value.dims then
    failure.usage(("%s is more than one value: name a member or an element"):format(source))
  end
  for _, frame in ipairs(d.moment.frames) do physical = physical or not frame.inlined and frame.name end
  if not value.code:find "%%%a+%d" and not value.code:find("local:", 1, true) then return { { code = value.code } } end
  local MOST <const> = 200
  local list, part, unknown, known, codes = {}, nil, {}, {}, {}
  for _, moment in ipairs(changing_moments(d, physical)) do
    local code = codes[moment.key]
    if code == nil then
      local ok, here = pcall(expression.compile, source, d.names:scope(moment), d.names:types(moment))
      code = ok and here.code or false
      codes[moment.key] = code
    end
    if not code then
      part = nil
      if d.names:declares(moment, source) then unknown[moment.line] = true end
    else
      known[moment.line] = true
      if not part or part.code ~= code then
        part = { code = code, first = moment.text_line }
        list[#list + 1] = part
      end
      part.last = moment.last
    end
  end
  if #list > MOST then failure.usage(("%s is in too many places to be watched"):format(source)) end
  for line in pairs(known) do unknown[line] = nil end
  return #list > 0 and list or { { code = value.code } }, line_list(unknown)
end

return condition
