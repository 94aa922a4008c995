-- The assembler may make one wide load of neighbouring words out of several that stand in the PTX (docs/reference/counters.md).
-- The emulator runs the PTX and counts each of them; the hardware counts what is left. Here the machine code says what that is.
--   fused(kernel, report) -> { wavefronts = n, text = "256 loads: 64 LDS.128" }, or nil where nothing is fused, or where that
--   cannot be told
-- wavefronts is what all loads of shared memory in the report would take as they are in the machine code. It holds if the
-- fused ones are of words that all lanes share; whoever compares it to the unit with what was counted sees whether they are.
local machine_code = require "gpulab.show.machine_code"

local ALL_ALIKE <const> = {}
for lane = 0, 31 do ALL_ALIKE[lane] = 0 end

-- Words of 32 bits a lane that an instruction loads of shared memory; nil for another one.
local function words(instr)
  local op = instr.op
  if op:match("^LDS%f[^%w]") then return op:match("%.128") and 4 or op:match("%.64") and 2 or 1 end
  if not op:match("^ld%.[%w_.]*shared") then return nil end
  return (tonumber(op:match("%.v(%d)")) or 1) * (op:match("%D64$") and 2 or 1)
end

-- By line of the source: how many loads there are of each width, and of how many words.
local function loads(instrs)
  local lines = {}
  for _, instr in ipairs(instrs) do
    local width = words(instr)
    if width and not instr.line then return nil end
    if width then
      local key = instr.file .. ":" .. instr.line
      local line = lines[key] or { count = 0, words = 0, of = { 0, 0, [4] = 0 } }
      line.count, line.words, line.of[width] = line.count + 1, line.words + width, line.of[width] + 1
      lines[key] = line
    end
  end
  return lines
end

-- Passes of the loads of a line, one copy of it where the assembler has unrolled a loop.
local function passes_of(line, copies)
  local sum = 0
  for width, count in pairs(line.of) do
    sum = sum + count * gpu.banks("H200", ALL_ALIKE, 4 * width).wavefronts
  end
  return sum / copies
end

local function said(before, after)
  local parts = {}
  for _, width in ipairs { 1, 2, 4 } do
    local name = width == 1 and "LDS" or ("LDS.%d"):format(32 * width)
    if after.of[width] > 0 then parts[#parts + 1] = ("%d %s"):format(after.of[width], name) end
  end
  return ("%d loads: %s"):format(before.count, table.concat(parts, ", "))
end

return function(kernel, report)
  if report.counters.shared_load_requests == 0 then return nil end
  local sass = machine_code.sass(kernel)
  local before, after = loads(machine_code.ptx(kernel).instrs), sass and loads(sass.instrs)
  if not before or not after then return nil end
  local sum, notes = 0, {}
  for _, line in ipairs(report.lines) do
    local requests, wavefronts = line.counters.shared_load_requests or 0, line.counters.shared_load_wavefronts or 0
    local key = ("%s:%d"):format(line.file, line.line)
    local ptx, machine = before[key], after[key]
    local fused = ptx and machine and machine.of[2] + machine.of[4] > ptx.of[2] + ptx.of[4]
    if requests > 0 and fused then
      local copies = machine.words // ptx.words
      if requests ~= wavefronts or copies < 1 then return nil end
      wavefronts = requests / ptx.count * passes_of(machine, copies)
      notes[#notes + 1] = said(ptx, machine)
    end
    sum = sum + wavefronts
  end
  if #notes == 0 or not math.tointeger(sum) then return nil end
  return { wavefronts = math.tointeger(sum), text = table.concat(notes, "; ") }
end
