-- The command print: a value for each lane; arrays as grids, structures member by member.
local lazy = require "gpulab.base.lazy"
local expression = lazy "gpulab.warp.source.expression"
local failure = require "gpulab.base.failure"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"

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
  if wide then text.say("  " .. name) end
  text.say(rows.value(wide and "" or name, read, nil, s.color))
end

local function say_more(count)
  if count > MOST then text.say(("  … and %s"):format(text.plural(count - MOST, "more member"))) end
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
      text.say(("  %s%s  `print` shows it"):format(what, leaf.path .. ("[%d]"):rep(#leaf.dims)
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
      text.say(grid_of(s.dbg, ("%s[]%s"):format(what, leaf.path), { code = at, dims = value.dims, space = value.space,
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
    return text.say(grid_of(s.dbg, what, value))
  end
  local count = value.dims[1] > 0 and value.dims[1] or FEW
  for i = 0, math.min(count, FEW) - 1 do
    local name, one = ("%s[%d]"):format(what, i), expression.index(value, expression.number(i, "s32"))
    if one.record then
      print_members(s, name, one)
    elseif one.dims then
      print_array(s, name, one)
    else
      text.say(rows.value(name, s.dbg.stepping:read({ one.code })[1], nil, s.color))
    end
  end
  if count > FEW then text.say(("  … and %d more elements"):format(count - FEW)) end
end

local NOT_KEPT <const> = "`debug -G STEP` compiles the kernel without optimization, which keeps variables"

local function print_value(s, what)
  local d = s.dbg
  local value = d:compile(what)
  if value.record then return print_members(s, what, value) end
  if value.dims and value.element then return print_array(s, what, value) end
  local read = d:evaluate(what)
  if read.trouble then failure.usage(("%s: %s"):format(what, read.trouble)) end
  if not next(read.lanes) and value.passed and value.code:find("!", 1, true) then
    failure.usage(("%s: not kept here by the compiler"):format(what), NOT_KEPT)
  elseif not next(read.lanes) then
    failure.usage(("%s has no value yet: the lanes have not got to the line that assigns to it"):format(what))
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
  if not same then text.say(rows.table("", read)) end
end

return { name = "print", usage = "print EXPRESSION", aliases = "p",
  summary = "a value for each lane; arrays as a grid",
  help = "The expression is C: names of the source, threadIdx and the like, registers (%r5), arrays and pointers with"
    .. " an index, operators, casts. It is computed for each lane.",
  run = function(s, words, rest)
    if not words[1] then failure.usage("print takes an expression", "for example: print tile[threadIdx.x][0]") end
    print_value(s, rest)
  end }
