-- What a debugger needs of a PTX text: by line of the text the instructions, with the source line they come from, and
-- the registers they read and write; where labels are; the parameters of functions.
local files = require "gpulab.base.files"

local ptx = {}

---@class PtxRow
---@field at integer line of the text @field op string "ld.global.f32" @field file integer @field line integer
---@field inlined string? where the function was inlined: equal texts, equal places
---@field writes string[] @field reads string[] registers @field param integer? number of the parameter it loads, from 0

---@class PtxText
---@field files table<integer, string>
---@field functions table<string, {name: string, rows: PtxRow[], params: string[], entry: boolean}>
---@field labels table<string, integer> line of the text @field lines string[]

local silent <const> = { st = true, red = true, bra = true, ret = true, exit = true, bar = true, barrier = true,
  membar = true, fence = true, trap = true, prefetch = true, brkpt = true, call = true, sust = true, nanosleep = true }

---The registers that a text names, in order.
---@param text string @return string[]
function ptx.registers(text)
  local list = {}
  for name in text:gmatch("%%[%a_]+%d+") do list[#list + 1] = name end
  return list
end

local function row_of(text, at)
  text = text:gsub("^%s*@!?%%p%d+%s+", "")
  local op, rest = text:match("^%s*([%a][%w_.:]*)%s*(.-);?%s*$")
  if not op then return nil end
  local row = { at = at, op = op, writes = {}, reads = {} }
  local base = op:match("^%a+")
  local first, others = rest:match("^(%b{})%s*,?%s*(.*)$")
  if not first then first, others = rest:match("^([^,]*),?%s*(.*)$") end
  if silent[base] then
    row.reads = ptx.registers(rest)
  else
    row.writes, row.reads = ptx.registers(first or ""), ptx.registers(others or "")
  end
  local param = base == "ld" and op:match("^ld%.param") and rest:match("_param_(%d+)")
  row.param = param and tonumber(param) or nil
  return row
end

---@param content string @return PtxText
function ptx.read(content)
  local text = { files = {}, functions = {}, labels = {}, lines = {} }
  local at, current, place, depth = 0, nil, {}, 0 -- depth: of braces; nvcc's text has no indentation
  for line in (content .. "\n"):gmatch("([^\n]*)\n") do
    at = at + 1
    text.lines[at] = line
    local number, path = line:match('^%s*%.file%s+(%d+)%s+"(.*)"')
    if number then text.files[tonumber(number)] = files.unescaped(path) end
    local entry = line:match("%.entry%s+([%w_$]+)")
    local name = entry or line:match("%.func%s+%b()%s*([%w_$]+)") or line:match("%.func%s+([%w_$]+)")
    if name then
      current = text.functions[name] or { name = name, rows = {}, params = {}, entry = entry ~= nil }
      text.functions[name] = current
      place = {}
    end
    depth = depth + (line:match("^%s*{") and 1 or line:match("^%s*}") and -1 or 0)
    if depth == 0 and line:match("^%s*}") then current = nil end
    local depot, bytes = line:match("^%s*%.local%s.-([%w_$]+)%[(%d+)%]")
    if depot and current then current.depot = { name = depot, bytes = tonumber(bytes) } end
    local label = line:match("^([%w_$]+):")
    if label then text.labels[label] = at end
    local file, source, _, rest = line:match("^%s*%.loc%s+(%d+)%s+(%d+)%s+(%d+)(.*)")
    if file then
      place = { file = tonumber(file), line = tonumber(source), inlined = rest:match("inlined_at%s+(.-)%s*$") }
    elseif current and depth > 0 and line:match("^%s*[%a@]") and not label then
      local row = row_of(line, at)
      if row then
        row.file, row.line, row.inlined = place.file or 0, place.line or 0, place.inlined
        current.rows[#current.rows + 1] = row
      end
    end
  end
  return text
end

---Where a kernel's parameters are: offsets in bytes, by number from 0.
---@param of PtxText @param kernel string as linked @return table<integer, integer>
function ptx.offsets(of, kernel)
  local offsets, at = {}, 0
  for _, line in ipairs(of.lines) do
    local kind, name, number, elements = line:match("^%s*%.param%s+(.-)([%w_$]+)_param_(%d+)%[?(%d*)")
    if name == kernel then
      local each = tonumber(kind:match("%.[busf](%d+)")) // 8
      local align = tonumber(kind:match("^%.align%s+(%d+)")) or each
      at = (at + align - 1) // align * align
      offsets[tonumber(number)] = at
      at = at + each * (tonumber(elements) or 1)
    end
  end
  return offsets
end

---The function's variable in local memory that holds what has no register: its name and bytes; nil if it has none.
---@param of table of PtxText.functions @return string? name, integer? bytes
function ptx.depot(of)
  if of and of.depot then return of.depot.name, of.depot.bytes end
end

-- Functions that a function's text names.
local function named_in(text, fn)
  local found = {}
  for at = fn.rows[1] and fn.rows[1].at or 1, fn.rows[1] and fn.rows[#fn.rows].at or 0 do
    for name in text.lines[at]:gmatch "[%a_$][%w_$]*" do found[name] = text.functions[name] end
  end
  return found
end

---May the function be called again before it has returned?
---@param text PtxText @param fn table of text.functions @return boolean
function ptx.recursive(text, fn)
  if fn.recursive ~= nil then return fn.recursive end
  local seen, open = {}, { fn }
  while #open > 0 do
    for _, callee in pairs(named_in(text, table.remove(open))) do
      if not seen[callee] then open[#open + 1] = callee end
      seen[callee] = true
    end
  end
  fn.recursive = seen[fn] == true
  return fn.recursive
end

---The row at a line of the text; nil if there is none.
function ptx.row(of, at)
  for _, row in ipairs(of.rows) do
    if row.at == at then return row end
  end
end

-- Rows that may run before a row, by row: those that fall through to it or branch to it. nil: not known.
local function predecessors(text, fn)
  if fn.before ~= nil then return fn.before end
  local before, index = {}, {}
  for i, row in ipairs(fn.rows) do index[i], before[row] = row.at, before[row] or {} end
  local function first_after(at)
    for i, row_at in ipairs(index) do
      if row_at > at then return fn.rows[i] end
    end
  end
  for i, row in ipairs(fn.rows) do
    local line, op = text.lines[row.at], row.op:match("^%a+")
    local target = op == "bra" and text.labels[line:match("([%w_$]+)%s*;") or ""]
    if op == "brx" or op == "bra" and not target then
      fn.before = false
      return false
    end
    local to = target and first_after(target)
    if to then table.insert(before[to], row) end
    local ends = (op == "bra" or op == "ret" or op == "exit" or op == "trap") and not line:match("^%s*@")
    if not ends and fn.rows[i + 1] then table.insert(before[fn.rows[i + 1]], row) end
  end
  fn.before = before
  return before
end

---May one of the registers have been written before the row at a line of the text?
---@param text PtxText @param fn table of text.functions @param registers table<string, boolean> @param at integer
---@return boolean
function ptx.may_have_written(text, fn, registers, at)
  local before, row = predecessors(text, fn), ptx.row(fn, at)
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
