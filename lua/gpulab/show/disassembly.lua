-- The PTX or SASS of a record's kernels below the source lines it belongs to, and the inner loops of two records next
-- to each other.
local difference = require "gpulab.show.difference"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local loops = require "gpulab.show.loops"
local machine_code = require "gpulab.show.machine_code"
local show = require "gpulab.base.show"
local sources = require "gpulab.base.sources"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local disassembly = {}

-- Listing ----------------------------------------------------------------------------------------------------------

-- Lines of a source file by number; none for a file that cannot be read, or is not shown.
local function source_lines(cache, path, own)
  cache[path] = cache[path] or text.lines(sources.read(path, own) or "")
  return cache[path]
end

-- "62  int x = blockIdx.x * 32 + threadIdx.x;", with the file where it is not the kernel's own.
local function place_line(instr, own, cache)
  local said = source_lines(cache, instr.file, own)[instr.line] or ""
  local name = instr.file ~= own and (instr.file:match("[^/]+$") or instr.file) .. ":" or ""
  return ("%s%d  %s"):format(show.printable(name), instr.line, show.printable(text.trim(said)))
end

-- Labels are renamed in order, from the top.
local function name_labels(instrs)
  local names, count = {}, 0
  for _, instr in ipairs(instrs) do
    if instr.to and not names[instr.to] then names[instr.to] = true end
  end
  for i = 1, #instrs do
    if names[i] then
      count = count + 1
      names[i] = "L" .. count
    end
  end
  return names
end

local function instruction_text(instr, names)
  if not instr.to then return show.printable(instr.text) end
  local label = tostring(instr.to_label)
  local at = instr.text:find(label, 1, true)
  if not at then return ("%s -> %s"):format(show.printable(instr.text), names[instr.to]) end
  return show.printable(instr.text:sub(1, at - 1)) .. names[instr.to] .. show.printable(instr.text:sub(at + #label))
end

-- A line of code behind its margin, continued where it is too long.
local function add_code(lines, margin, said, style, color)
  local parts = { margin .. said }
  if text.width(parts[1]) > text.columns then
    parts = text.wrap(said, (" "):rep(#margin + 4))
    parts[1] = margin .. parts[1]:sub(#margin + 5)
  end
  for _, part in ipairs(parts) do lines[#lines + 1] = tables.paint(part, style, color) end
end

---The code as lines: source lines, each followed by its instructions. A bar marks the inner loop.
---@param code table machine_code's @param own string? the kernel's file; nil: of a program
---@param options {color: boolean?}
---@return string[]
function disassembly.lines(code, own, options)
  local instrs, cache, lines = code.instrs, {}, {}
  local names = name_labels(instrs)
  local loop = loops.inner(instrs)
  local file, number
  for i, instr in ipairs(instrs) do
    local bar = loop and loop.body[i] and "|" or " "
    if names[i] then lines[#lines + 1] = (" %s %s:"):format(bar, names[i]) end
    if instr.line and instr.line > 0 and (instr.file ~= file or instr.line ~= number) then
      file, number = instr.file, instr.line
      add_code(lines, (" %s "):format(bar), place_line(instr, own, cache), "strong", options.color)
    end
    add_code(lines, (" %s       "):format(bar), instruction_text(instr, names))
  end
  return lines
end

local names_of = { ptx = "PTX", sass = "SASS" }

local function loop_words(loop, instrs)
  if not loop then return "The kernel has no loop." end
  return ("The inner loop, marked with |, has %d of %s."):format(#loop.list, text.plural(#instrs, "instruction"))
end

local function heading(kernel, code)
  local tool = code.tool and ", by " .. code.tool or ""
  return ("%s for %s%s: %s"):format(names_of[code.kind], code.target or "?", tool, show.printable(kernel.name))
end

local function listing(kernel, code, options)
  local lines = {}
  add_code(lines, "", heading(kernel, code), "strong", options.color)
  text.add(lines, loop_words(loops.inner(code.instrs), code.instrs))
  if code.tool == "cuobjdump" then lines[#lines + 1] = "  cuobjdump prints no source lines; nvdisasm does." end
  return text.add_part(lines, disassembly.lines(code, not kernel.module.program and kernel.module.path or nil, options))
end

-- Loops side by side -----------------------------------------------------------------------------------------------

-- The instructions of the innermost loop, or of the whole kernel without a loop; and a description.
local function part_of(code)
  local loop = loops.inner(code.instrs)
  if not loop then return code.instrs, "no loop: the whole kernel" end
  local part = lists.map(loop.list, function(at) return code.instrs[at] end)
  local words = ("inner loop, %s"):format(text.plural(#part, "instruction"))
  if loop.count > 1 then words = ("%s; one of %d loops"):format(words, loop.count) end
  return part, words
end

-- Counts by name in the order in which the names come up, those of a first: {name, count in a, count in b}.
local function paired(a, b)
  local rows, at = {}, {}
  for side, list in ipairs { a, b } do
    for _, entry in ipairs(list) do
      local row = at[entry[1]]
      if not row then
        row = { entry[1], 0, 0 }
        at[entry[1]], rows[#rows + 1] = row, row
      end
      row[side + 1] = entry[2]
    end
  end
  return rows
end

---The instructions of two parts by what they are for.
function disassembly.mix_lines(a, b, a_name, b_name, options)
  local rows = {}
  local function add_row(indent, row)
    rows[#rows + 1] = { indent .. row[1], tostring(row[2]), tostring(row[3]),
      row[2] ~= row[3] and ("%+d"):format(row[3] - row[2]) or "" }
  end
  for _, kind in ipairs(machine_code.kinds()) do
    local x, y = a[kind] or { count = 0, ops = {} }, b[kind] or { count = 0, ops = {} }
    if x.count + y.count > 0 then add_row("", { kind, x.count, y.count }) end
    for _, row in ipairs(paired(x.ops, y.ops)) do add_row("  ", row) end
  end
  add_row("", { "all", a.total, b.total })
  return tables.render(tables.columns { "instructions:20", { header = { a_name }, right = true },
    { header = { b_name }, right = true }, ">" }, rows, options)
end

local styles = { ["-"] = "bad", ["+"] = "good", ["@"] = "faint" }

-- Two instructions of one shape belong together if they have the same registers, or the same one in their address.
local function alike(x, y)
  if x.text == y.text then return 2 end
  local base = x.text:match "%[(%%?%w+)"
  return base and base == y.text:match "%[(%%?%w+)" and 1 or 0
end

---What differs between two lists of instructions, ignoring the numbers of registers and labels.
function disassembly.change_lines(a, b, options)
  local lines, others = {}, false
  local found = difference.unified(lists.map(a, machine_code.shape), lists.map(b, machine_code.shape),
    function(i, j) return alike(a[i], b[j]) end)
  for _, e in ipairs(found) do
    local instr = e.op == "+" and b[e.b] or a[e.a]
    others = others or e.op == " " and a[e.a].text ~= b[e.b].text
    local line = e.op == "@" and "  " .. e.text or ("  %s %s"):format(e.op, show.printable(instr.text))
    lines[#lines + 1] = tables.paint(text.clip(line, text.columns), styles[e.op], options.color)
  end
  if #lines == 0 then lines[1] = "  The instructions are identical except for register numbers." end
  if others then
    text.add(lines, "Lines without a sign are the first one's; some have other registers in the second.")
  end
  return lines
end

-- Views ------------------------------------------------------------------------------------------------------------

-- The different kernels of a record.
local function kernels_of(record)
  return record:with_kernels(function(prepared)
    local kernels, seen = {}, {}
    for _, item in ipairs(prepared.items) do
      local kernel = item.kernel
      local key = kernel and kernel.module.key .. " " .. kernel.linked
      if kernel and not seen[key] then
        seen[key], kernels[#kernels + 1] = true, kernel
      end
    end
    if #kernels > 0 then return kernels end
    failure.usage(("%s has no kernel of its own to disassemble"):format(record.id))
  end)
end

---The code of a record's kernels: SASS if available, else PTX and the reason; or the kind that is wanted.
---@param record Record @param wanted "ptx"|"sass"|nil @param options table of table.render @return string[]
function disassembly.of(record, wanted, options)
  local lines = {}
  for _, kernel in ipairs(kernels_of(record)) do
    local sass, why
    if wanted ~= "ptx" then sass, why = machine_code.sass(kernel) end
    if wanted == "sass" and not sass then failure.raise("setup", why) end
    if why and not wanted then text.add_part(lines, text.wrap(why, "  ")) end
    text.add_part(lines, listing(kernel, sass or machine_code.ptx(kernel), options))
  end
  return lines
end

-- Both as SASS, else both as PTX.
local function codes_of(a, b)
  local sass_a, why = machine_code.sass(a)
  local sass_b = sass_a and machine_code.sass(b)
  if sass_b then return sass_a, sass_b end
  return machine_code.ptx(a), machine_code.ptx(b), why
end

---The inner loops of two records' kernels (of the first one, where one has several).
---@param first Record @param second Record @param options table of table.render @return string[]
function disassembly.diff(first, second, options)
  local a, b = kernels_of(first)[1], kernels_of(second)[1]
  local code_a, code_b, why = codes_of(a, b)
  local part_a, words_a = part_of(code_a)
  local part_b, words_b = part_of(code_b)
  local lines = {}
  for _, row in ipairs { { "---", a, code_a, words_a }, { "+++", b, code_b, words_b } } do
    local line = ("%s %s, %s (%s)"):format(row[1], show.printable(row[2].name), names_of[row[3].kind], row[4])
    for i, part in ipairs(text.wrap(line, "    ")) do
      lines[#lines + 1] = tables.paint(i == 1 and part:sub(5) or part, "strong", options.color)
    end
  end
  text.add_part(lines, disassembly.mix_lines(machine_code.mix(part_a), machine_code.mix(part_b), first.id, second.id,
    options))
  text.add_part(lines, disassembly.change_lines(part_a, part_b, options))
  return text.add_part(lines, why and text.wrap(why, "  ") or {})
end

return disassembly
