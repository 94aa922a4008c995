-- A stand-in for the C core, for tests of the Lua side only: "kernels" are Lua functions over arrays, every call is recorded, and a
-- test says how launches end. Arrays follow meta.lua: 0-based, typed.
local double = {}

local Array = {}

function Array.__index(a, key)
  if math.type(key) == "integer" then return rawget(a, "data")[key] end
  return Array[key]
end

function Array.__newindex(a, i, v)
  assert(math.type(i) == "integer" and i >= 0 and i < #a, "index")
  a.data[i] = v
end

function Array.__len(a) return rawget(a, "count") end

local ONES <const> = string.unpack("<d", ("\xff"):rep(8)) -- the NaN of such bytes; that of an operation is another one
local SENTINEL = { float = ONES, double = ONES, int = -1, unsigned = 0xffffffff }

local function element(type_name, count, fill, i)
  if fill == nil then return 0 end
  if fill == "sentinel" then return SENTINEL[type_name] end
  if fill == "iota" then return i end
  if fill == "random" then return (i * 7919 + 13) % 1000 end
  if type(fill) == "table" then return fill[i] end
  return fill
end

function double.array(type_name, count, fill)
  local data = {}
  for i = 0, count - 1 do data[i] = element(type_name, count, fill, i) end
  return setmetatable({ type = type_name, count = count, data = data }, Array)
end

function Array.copy(a) return double.array(a.type, #a, a.data) end

function Array.transpose(a, rows, cols)
  local t = double.array(a.type, #a)
  for r = 0, rows - 1 do
    for c = 0, cols - 1 do t[c * rows + r] = a[r * cols + c] end
  end
  return t
end

function Array.cycle(a, count)
  local t = double.array(a.type, count)
  for i = 0, count - 1 do t[i] = a[i % #a] end
  return t
end

function Array.gather(a, count, index)
  local t = double.array(a.type, count)
  for i = 0, count - 1 do t[i] = a[index(i)] end
  return t
end

local function differ(x, y, options)
  if x ~= x or y ~= y then return true end
  return math.abs(x - y) > math.max(options.absolute or 0, (options.relative or 0) * math.abs(y))
end

function Array.relative_error(a, want)
  local off, all = 0, 0
  for i = 0, #a - 1 do off, all = off + (a[i] - want[i]) ^ 2, all + want[i] ^ 2 end
  return off == 0 and 0 or math.sqrt(off / all)
end

function Array.mismatch(a, want, options)
  local found = { count = 0, first = {} }
  for i = 0, #a - 1 do
    if differ(a[i], want[i], options) then
      found.count = found.count + 1
      if #found.first < options.most then
        local m = { index = i, got = a[i], want = want[i] }
        if options.columns then m.row, m.column = i // options.columns, i % options.columns end
        found.first[#found.first + 1] = m
      end
    end
  end
  return found.count > 0 and found or nil
end

function Array.differs(a, b)
  for i = 0, #a - 1 do
    if a[i] ~= b[i] then return i end
  end
end

local Buffer = {}
Buffer.__index = Buffer

function Buffer:fill(fill) self.array = double.array(self.type, self.count, fill) end
function Buffer:download() return self.array:copy() end
function Buffer:free() self.freed = true end

---How often a buffer's content was compared.
double.comparisons = 0

function Buffer:mismatch(want, options)
  double.comparisons = double.comparisons + 1
  return self.array:mismatch(want, options)
end

function Buffer:digest(contents)
  local words, array = {}, contents or self.array
  for i = 0, #array - 1 do words[i + 1] = tostring(array[i]) end
  return table.concat(words, " ")
end

function Buffer:__len() return self.count end

-- What the double was told to do, and what was asked of it.
local function new_state(given)
  return { kernels = given.kernels or {}, backend = given.backend or "emu", predicted = given.predicted or {}, calls = {},
    lines = given.lines or {}, counters = given.counters or {}, outcome = given.outcome or {},
    counting = given.counting or {}, time = given.time }
end

-- A kernel may return how long it took, in ms.
local function launch(state, kernel, config, args)
  local outcome = state.outcome[kernel.name]
  if outcome and outcome.status ~= "ok" then return outcome end
  local ms = state.kernels[kernel.name](args, config)
  return outcome or { status = "ok", ms = ms or 0.01, message = "", output = "" }
end

local Device = {}
Device.__index = Device

function Device:buffer(type_name, count, options)
  local b = setmetatable({ type = type_name, count = count, name = options.name }, Buffer)
  b:fill(options.fill)
  self.state.calls[#self.state.calls + 1] = { "buffer", options.name }
  return b
end

function Device:kernel(file, name)
  local state = self.state
  state.calls[#state.calls + 1] = { "kernel", file, name }
  if not state.kernels[name] and not state.outcome[name] then
    error(setmetatable({ kind = "compile", message = file .. ":7: error: expected a \";\"", where = file .. ":7", hint = "" },
      { __tostring = function(e) return e.message end }), 0)
  end
  local kernel = { name = name, shared_bytes = 0, module = { key = "key of " .. name } }
  return kernel
end

function Device:run(list)
  local outcome
  for _, item in ipairs(list) do outcome = launch(self.state, item.kernel, item.config, item.args) end
  return outcome
end

function Device:count(kernel, config, args, options)
  local state = self.state
  state.calls[#state.calls + 1] = { "count", kernel.name, options.models }
  local outcome = self.backend == "emu" and launch(state, kernel, config, args)
    or state.counting[kernel.name] or { status = "ok" }
  local models = {}
  for _, name in ipairs(options.models or {}) do
    local ms = state.predicted[name]
    local error = ms and kernel.name ~= state.no_error and 0.04 or nil
    models[name] = { known = ms ~= nil, ms = ms or 0, bound = "DRAM", error = error, note = "" }
  end
  local counters = state.counters[kernel.name] or {}
  local items = options.reach and { { counters = setmetatable({}, { __index = function(_, name) return counters[name] or 0 end }),
    reach = setmetatable({}, { __index = function() return 0 end }), models = {} } }
  return { outcome = outcome, rules = "H200", counters = counters, models = models, items = items,
    lines = state.lines[kernel.name] or {} }
end

function Device:time(kernel, config, args)
  self.state.calls[#self.state.calls + 1] = { "time", kernel.name }
  for _ = 1, 3 do launch(self.state, kernel, config, args) end
  return self.state.time
end

---Replaces the global gpu; returns the state, whose calls are the record.
-- A lab's files are where their names say.
function double.where() return { find = function(file) return file end, folders = function() return {} end } end
package.preload["gpulab.base.where"] = package.preload["gpulab.base.where"] or double.where
package.preload["gpulab.source"] = function() return {} end -- no lab of these tests is stepped

function double.install(given)
  local state = new_state(given)
  local device = setmetatable({ state = state, backend = state.backend,
    measures = state.backend == "cuda", emulates = state.backend == "emu", model = "H200", gpu = "NVIDIA H200", cc = 90,
    name = state.backend == "emu" and "emu" or "cuda:0", driver = "", runtime = "", nvrtc = "13.0" }, Device)
  local known = { { name = "GTX 280", banks = 16, cc = 13, sms = 30, tesla_isa = true, latency_alu = 24 },
    { name = "H200", banks = 32, cc = 90, sms = 132, shader_ghz = 1.98, shared_bytes_per_clock = 128 } }
  local function model(name)
    for _, found in ipairs(known) do
      if found.name == name then return found end
    end
    error("no GPU is called " .. name)
  end
  _G.gpu = { device = device, array = double.array, models = function() return known end,
    cards = function() return { "RTX 3060" } end, model = model, banks = double.banks }
  return state
end

-- Bank arithmetic good enough for the pictures: words of 32 bits, full warps.
function double.banks(model, lanes, width)
  local nbanks, half = 32, 32
  if model == "GTX 280" then nbanks, half = 16, 16 end
  local banks, total, requests, worst, worst_bank = {}, 0, 0, 0, 0
  for from = 0, 31, half do
    local words, most, any = {}, 0, false
    for lane = from, from + half - 1 do
      local address = lanes[lane]
      if address then
        any = true
        local word = address // 4
        local bank = word % nbanks
        banks[lane] = bank
        words[bank] = words[bank] or {}
        words[bank][word] = true
      end
    end
    for bank, set in pairs(words) do
      local n = 0
      for _ in pairs(set) do n = n + 1 end
      if n > most then most = n end
      if n > worst or n == worst and bank < worst_bank then worst, worst_bank = n, bank end
    end
    if any then requests, total = requests + 1, total + most end
  end
  local ideal = requests * (width > 4 and width // 4 or 1)
  return { requests = requests, wavefronts = total, ideal = ideal, worst_bank = worst_bank, banks = banks }
end

-- Running tests -----------------------------------------------------------------------------------

---The rows that went to the journal, oldest first; double.refuse is what the next record raises instead.
double.journal = {}
---The marks, newest first.
double.marks = {}

package.preload["gpulab.run.records"] = function()
  local records = {}
  function records.run(_, row)
    if double.refuse then error(double.refuse, 0) end
    double.journal[#double.journal + 1] = row
  end
  function records.runs(_, lab, step, n)
    local found = {}
    for i = #double.journal, 1, -1 do
      local row = double.journal[i]
      if row.lab == lab and row.step == step and #found < n then found[#found + 1] = row end
    end
    return found, 0
  end
  function records.mark(_, mark)
    if double.refuse then error(double.refuse, 0) end
    local kept = { time = os.time() * 1000 }
    for key, v in pairs(mark) do kept[key] = v end
    table.insert(double.marks, 1, kept)
  end
  function records.marks(_, lab)
    local found = {}
    for _, mark in ipairs(double.marks) do
      if not lab or mark.lab == lab then found[#found + 1] = mark end
    end
    return found, 0
  end
  return records
end

package.preload["gpulab.store"] = function()
  return { open = function(folder)
    double.folder = folder
    return { notice = function() return table.remove(double.notices or {}, 1) end }
  end }
end

---Catches what is written to a standard stream while f runs.
function double.captured(stream, f, ...)
  local kept, parts = io[stream], {}
  io[stream] = { write = function(self, ...)
    for _, part in ipairs { ... } do parts[#parts + 1] = tostring(part) end
    return self
  end, flush = function() end }
  local results = table.pack(pcall(f, ...))
  io[stream] = kept
  if not results[1] then error(results[2], 0) end
  return table.concat(parts), table.unpack(results, 2, results.n)
end

-- A record (gpulab/record/record.lua) with these fields, whose step names it.
function double.record(fields)
  fields.id, fields.title = fields.id or fields.step.id, fields.title or fields.step.title
  return setmetatable(fields, require("gpulab.record.record").class "test")
end

return double
