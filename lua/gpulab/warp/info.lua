-- The commands that look at a stepped launch and move nothing: print and info.
local debugger = require "gpulab.warp.debugger"
local expression = require "gpulab.warp.source.expression"
local moves = require "gpulab.warp.moves"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

local say <const>, usage <const> = moves.say, moves.usage

local look = {}

-- Values ------------------------------------------------------------------------------------------

local function grid_of(d, name, value)
  local found, total, lane = d:elements(value, 4096)
  local of = value.element.value
  local width = #value.dims > 1 and value.dims[#value.dims] or math.min(total, 16)
  local widest = 1
  for n = 0, total - 1 do widest = math.max(widest, #rows.number(found[n], of)) end
  local per = math.max(1, math.min(width, (text.columns - 10) // (widest + 1)))
  local out = { ("  %s: %s %s%s"):format(name, text.plural(total, "element"), of,
    lane and (", as lane %d has it"):format(lane) or "") }
  for from = 0, total - 1, width do
    local cells = {}
    for k = 0, math.min(per, total - from) - 1 do
      cells[#cells + 1] = text.right(rows.number(found[from + k], of), widest)
    end
    local more = per < width and " …" or ""
    out[#out + 1] = ("  %5s %s%s"):format(#value.dims > 1 and ("[%d]"):format(from // width) or from,
      table.concat(cells, " "),
      more)
    if #out > 40 then
      out[#out + 1] = ("  … `view %s` shows all"):format(name)
      break
    end
  end
  return out
end

local MOST <const> = 48 -- members that are printed

local function print_row(s, name, read)
  local wide = text.width(name) > 11
  if wide then say("  " .. name) end
  say(rows.value(wide and "" or name, read, nil, s.color))
end

local function say_more(count)
  if count > MOST then say(("  … and %s"):format(text.plural(count - MOST, "more member"))) end
end

-- *q is (*q) before a member of it.
local function before_member(what) return what:find "^[*&]" and ("(%s)"):format(what) or what end

-- A structure in memory, down to its numbers.
local function print_leaves(s, what, value)
  local codes = {}
  for i, leaf in ipairs(value.record.leaves) do
    local at = ("%s #%x:u64 add:u64"):format(value.code, leaf.offset)
    codes[i] = expression.at(at, value.space, leaf.type, leaf.dims).code
  end
  local reads = s.dbg.stepping:read(table.move(codes, 1, math.min(#codes, MOST), 1, {}))
  for i, read in ipairs(reads) do
    local leaf = value.record.leaves[i]
    if leaf.dims then
      say(("  %s%s  `print` shows it"):format(what, leaf.path .. ("[%d]"):rep(#leaf.dims)
        :format(table.unpack(leaf.dims))))
    else
      print_row(s, what .. leaf.path, read)
    end
  end
  say_more(#codes)
end

local function print_members(s, what, value)
  what = before_member(what)
  if value.record.leaves then return print_leaves(s, what, value) end
  for _, name in ipairs(value.record.names) do
    local member = value.record.member(name)
    if member then print_row(s, what .. "." .. name, s.dbg.stepping:read({ member.code })[1]) end
  end
end

-- An array of structures, member by member.
local function print_structures(s, what, value)
  local leaves = expression.leaves(value.element)
  what = before_member(what)
  for i, leaf in ipairs(leaves) do
    if i > MOST then break end
    if not leaf.dims then
      local at = ("%s #%x:u64 add:u64"):format(value.code, leaf.offset)
      say(grid_of(s.dbg, ("%s[]%s"):format(what, leaf.path), { code = at, dims = value.dims, space = value.space,
        element = { value = leaf.type.value, memory = leaf.type.memory, bytes = value.element.bytes } }))
    end
  end
  say_more(#leaves)
end

-- An array that the lanes share as a grid; one that each lane has for itself element by element.
local function print_array(s, what, value)
  local FEW <const> = 32
  if value.space ~= "local" then
    if value.element.members then return print_structures(s, what, value) end
    return say(grid_of(s.dbg, what, value))
  end
  local count = value.dims[1] > 0 and value.dims[1] or FEW
  for i = 0, math.min(count, FEW) - 1 do
    local name, one = ("%s[%d]"):format(what, i), expression.index(value, expression.number(i, "s32"))
    if one.record then
      print_members(s, name, one)
    elseif one.dims then
      print_array(s, name, one)
    else
      say(rows.value(name, s.dbg.stepping:read({ one.code })[1], nil, s.color))
    end
  end
  if count > FEW then say(("  … and %d more elements"):format(count - FEW)) end
end

local function print_value(s, what)
  local d = s.dbg
  local value = d:compile(what)
  if value.record then return print_members(s, what, value) end
  if value.dims and value.element then return print_array(s, what, value) end
  local read = d:evaluate(what)
  if read.trouble then usage(("%s: %s"):format(what, read.trouble)) end
  if not next(read.lanes) then
    usage(("%s has no value yet: the lanes have not got to the line that assigns to it"):format(what))
  end
  print_row(s, what, read)
  local first, same
  for lane = 0, 31 do
    local v = read.lanes[lane]
    if v ~= nil then
      if first == nil then first, same = v, true end
      same = same and v == first
    end
  end
  if not same then say(rows.table("", read)) end
end

-- info --------------------------------------------------------------------------------------------

local info = {}

function info.lanes(s)
  local d = s.dbg
  say(rows.ruler())
  say(view.sides(d.moment, s.color))
  for _, v in ipairs(d:locals()) do
    if v.read and not v.value.element and next(v.read.lanes) then say(rows.table(v.name, v.read)) end
  end
end

function info.warps(s) say(view.warps(s.dbg)) end

function info.locals(s)
  local d = s.dbg
  local list = d:locals()
  if #list == 0 then say "  No variables are in scope." end
  local removed = false
  for _, v in ipairs(list) do
    if v.read then
      say(rows.value(v.name, v.read, nil, s.color))
    elseif v.value and v.value.dims then
      say(("  %s%s %s"):format(text.left(v.name, 12), v.type,
        ("[%d]"):rep(#v.value.dims):format(table.unpack(v.value.dims))))
    elseif v.value then
      say(text.clip(("  %s%s {%s}"):format(text.left(v.name, 12), v.type, table.concat(v.value.record.names, ", ")),
        text.columns))
    else
      removed = removed or v.why:match("removed")
      say(("  %s%s"):format(text.left(v.name, 12), v.why))
    end
  end
  if removed and not d.unoptimized then
    say(text.wrap(("`%s` compiles without optimization: every variable then has a value."):format(d.kernel.plain
      or "debug -G"), "  "))
  end
end

function info.breakpoints(s)
  local d = s.dbg
  if #d.stops == 0 then say "  No stops." end
  for _, stop in ipairs(d.stops) do
    say(("  %2d  %s%s%s"):format(stop.number, stop.what, stop.temporary and ", once" or "",
      stop.hits > 0 and (", met %s"):format(text.plural(stop.hits, "time")) or ""))
  end
end

function info.registers(s)
  local d = s.dbg
  local names, seen = {}, {}
  local fn
  for _, frame in ipairs(d.moment.frames) do
    if not frame.inlined then fn = fn or d.names.text.functions[frame.name] end
  end
  for _, row in ipairs(fn and fn.rows or {}) do
    for _, register in ipairs(row.writes) do
      if not seen[register] then names[#names + 1], seen[register] = register, true end
    end
  end
  for _, register in ipairs(names) do
    local read = d:evaluate(register)
    if next(read.lanes) then say(rows.value(register, read, nil, s.color)) end
  end
  say(("  next: %s"):format(d.moment.instruction))
end

function info.frame(s)
  local d = s.dbg
  for i, frame in ipairs(d.moment.frames) do
    say(text.clip(("  #%d  %s at %s:%d%s"):format(i - 1, d:function_name(frame),
      debugger.file_name(frame.file), frame.line, frame.inlined and " (inlined)" or ""), text.columns))
  end
end

function info.memory(s)
  local d = s.dbg
  local lines = view.memory(d, s.color, 32)
  if #lines == 0 then lines = { "  This line accesses no memory." } end
  say(rows.ruler())
  say(lines)
end

function info.source(s) say("  " .. text.printable(s.dbg.names.path)) end

local function issue_text(i, issue)
  local sites = {}
  for _, site in ipairs(issue.sites) do
    if site.line then sites[#sites + 1] = ("line %d"):format(site.line) end
  end
  return text.clip(("  %2d  %s, %s: %s"):format(i, issue.check, table.concat(sites, " and "), issue.message),
    text.columns)
end

function info.issues(s)
  local list = s.dbg:issues()
  if #list == 0 then say "  The checkers report nothing." end
  for i, issue in ipairs(list) do say(issue_text(i, issue)) end
end

local short <const> = { b = "breakpoints", stops = "breakpoints", variables = "locals", threads = "warps",
  stack = "frame", all = "registers" }

---@param s Stepped
function look.info(s, words)
  local name = words[1] and (short[words[1]] or words[1]) or ""
  local known = {}
  for key in pairs(info) do known[#known + 1] = key end
  table.sort(known)
  local found
  for _, key in ipairs(known) do
    if key == name then found = key end
  end
  for _, key in ipairs(known) do
    if not found and name ~= "" and key:sub(1, #name) == name then found = key end
  end
  if not found then usage("info takes " .. text.list(known, "or")) end
  info[found](s)
end

---@param s Stepped
function look.print(s, words, rest)
  if not words[1] then usage("print takes an expression", "for example: print tile[threadIdx.x][0]") end
  print_value(s, rest)
end

function look.backtrace(s) info.frame(s) end

return look
