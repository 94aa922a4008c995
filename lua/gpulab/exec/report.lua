-- What gpulab reports of a program's launches: faults and issues when they happen, counters and predictions at the end.
local lazy = require "gpulab.base.lazy"
local allocations = require "gpulab.exec.allocations"
local calls = require "gpulab.exec.calls"
local checkers = lazy "gpulab.run.checkers"
local nondeterminism = lazy "gpulab.show.nondeterminism"
local exec = require "gpulab.exec"
local failure = require "gpulab.base.failure"
local files = lazy "gpulab.base.files"
local host = require "gpulab.host"
local json = lazy "gpulab.base.json"
local launched = lazy "gpulab.record.launch"
local lists = lazy "gpulab.base.lists"
local report_json = lazy "gpulab.show.report.json"
local text = require "gpulab.base.text"
local unwritten = lazy "gpulab.exec.unwritten"
local wrapped = lazy "gpulab.exec.wrapped"

local report = {}
report.__index = report

---@param own table the options of exec @param options table those of gpulab
function report.new(own, options)
  return setmetatable({ own = own, color = options.color_stderr, kernels = {}, order = {}, known = {}, issues = {},
    issue_count = 0, faults = {}, refusals = 0, calls = calls.new(), names = allocations.new(),
    fills = {} }, report)
end

-- Lines are filled where a person reads them; tools that look for lines in a file or a pipe get them whole.
local filled <const> = host.isatty(2)

-- A name or a path, which no line ends in.
local function whole(s) return filled and text.together(s) or s end

local function say(...)
  local said = "gpulab: " .. text.printable(string.format(...))
  if filled then said = text.folded(said):gsub(text.together " ", " ") end
  io.stderr:write(said, "\n")
end

local function said_of(issue)
  local said = checkers.texts { issue }
  for _, site in ipairs(issue.sites) do
    local place = checkers.place(site)
    if place then said = said:gsub(place:gsub("%p", "%%%0"), (whole(place):gsub("%%", "%%%%"))) end
  end
  return said
end

-- During the launches -------------------------------------------------------------------------------

local LONGEST <const> = 40 -- bytes; the names of kernels of libraries are hundreds

-- With the arguments of its template, so that instances can be told apart.
local function instance(launch) return #launch.written <= LONGEST and launch.written or launch.name end

-- Without namespaces where it would leave no room for the columns beside it.
local function in_table(launch)
  local name = instance(launch)
  local short = launch.written:match "([^:<]+<.*)$" or launch.name:match "[^:]*$"
  if #name <= LONGEST then return name end
  return "…::" .. (#short <= LONGEST and short or launch.name:match "[^:]*$")
end

local function shape(launch)
  return whole(launched.title { kernel = instance(launch), grid = launch.grid, block = launch.block })
end

local function add_counters(sum, more)
  for name, n in pairs(more) do sum[name] = (sum[name] or 0) + n end
end

function report:kernel(launch)
  local kernel = self.kernels[launch.kernel]
  if not kernel then
    kernel = { name = launch.name, shown = instance(launch), row = in_table(launch), linked = launch.kernel,
      launches = 0, counters = {}, lines = {}, models = {}, depends = {}, unknown = {},
      shape = shape(launch), grid = launch.grid, block = launch.block, shared = launch.shared }
    self.kernels[launch.kernel] = kernel
    self.order[#self.order + 1] = kernel
  end
  return kernel
end

-- Each pair of lines is reported once, however many launches show it.
function report:issue(launch, issue)
  local first, second = issue.sites[1] or {}, issue.sites[2] or {}
  local key = table.concat({ issue.check, launch.kernel, first.file or "", first.line or 0, second.file or "",
    second.line or 0 }, "\0")
  if self.known[key] then
    self.known[key].launches = self.known[key].launches + 1
    return
  end
  local overflow, instead = wrapped.sentence(first, issue.offset, issue.bytes, issue.width)
  unwritten.name_fill(issue)
  self.null = self.null or issue.check == "memory" and issue.message:find("a null pointer", 1, true)
  if issue.check == "memory" and overflow then issue.message, issue.hint = issue.message .. " " .. overflow, instead end
  issue.schedule = launch.schedule
  issue.launch, issue.kernel, issue.launches = launch.number, launch.name, 1
  self.known[key] = issue
  self.issues[#self.issues + 1] = issue
  say("%s: %s", shape(launch), said_of(issue))
end

-- What a call of the program, or other host code, did: once for each place and buffer. Buffers that one line allocates
-- are one.
function report:at_place(by, buffer, issue)
  self.names:name_in(issue)
  local function known(what)
    local key = table.concat({ by.object, what, issue.check, table.unpack(by.places) }, "\0")
    local before = self.known[key]
    self.known[key] = before or issue
    return before
  end
  if known(buffer) or known((issue.message:gsub(", number %d+", ""))) then return end
  local place = calls.place(by)
  issue.launches, issue.count, issue.sites = 0, 1, { { file = place.file, line = place.line } }
  self.issues[#self.issues + 1] = issue
  say("%s", said_of(issue))
end

-- A copy, a fill or an allocation is not ordered with what another stream does.
function report:found(issue) self:at_place(issue, #issue.places == 0 and issue.message or "", issue) end

-- A call wrote a part of an allocation: the only one that does, or one of several.
function report:filled(fill) self.fills[fill.buffer] = self.fills[fill.buffer] == nil and fill end

-- Bytes were copied to the host that nothing wrote.
function report:unwritten(copied)
  local issue = unwritten.issue(copied, self.fills[copied.buffer])
  if issue then self:at_place(copied, copied.buffer, issue) end
end

-- Host code used memory of the device, or such that was freed.
function report:host_access(use)
  if use.offset < 0 then
    local pinned = use.buffer:find "^cudaMallocHost"
    return self:at_place(use, use.buffer, { check = "memory",
      message = ("Host code gives %s to free or delete, which did not allocate it."):format(use.buffer),
      hint = "give it back with " .. (pinned and "cudaFreeHost" or "cudaFree") })
  end
  self:at_place(use, use.buffer, { check = "memory",
    message = ("Host code %s byte %d of %s, which is %s."):format(use.writes and "writes" or "reads", use.offset,
      use.buffer, use.buffer:find "^cudaMalloc %d" and "memory of the device" or "not the host's any more"),
    hint = "copy it with cudaMemcpy, or use cudaMallocManaged, and free it after its last use" })
end

-- Host code used memory that a kernel or a copy was still to work on.
function report:early(use)
  if use.what == "" then return self:host_access(use) end
  local alone = use.alone and ("Host code %s byte %d of %s while %s may run. The %s has managed memory to itself as "
    .. "long as a kernel runs, and the program ends with a segmentation fault."):format(
    use.writes and "writes" or "reads", use.offset, use.buffer, use.what, use.alone)
  self:at_place(use, use.buffer, { check = "race",
    message = alone or ("Host code %s byte %d of %s before it waits for %s, which may not be done with it."):format(
      use.writes and "writes" or "reads", use.offset, use.buffer, use.what),
    hint = "wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize() for the stream" })
end

-- A launch may rightly have nothing to do where others of its kernel do: the end of the program decides.
function report:effect(launch)
  local kernel, idle = self:kernel(launch), nil
  for _, issue in ipairs(launch.findings or {}) do idle = issue.check == "unused" and issue or idle end
  if not idle then
    kernel.wrote = true
  elseif kernel.idle then
    kernel.idle.launches = kernel.idle.launches + 1
  else
    kernel.idle = { launch = launch, issue = idle, launches = 1 }
  end
end

function report:idle_kernels()
  for _, kernel in ipairs(self.order) do
    local idle = kernel.idle
    if idle and not kernel.wrote then
      self:issue(idle.launch, idle.issue)
      idle.issue.launches = idle.launches
    end
  end
end

-- A launch that the GPU refuses is an error of the runtime, which the program may expect.
function report:failure(launch)
  local outcome = launch.outcome
  local refused = outcome.status == "limit"
  if outcome.status == "ok" or refused and launch.schedule or launch.refused_by_call then return end
  if #(launch.findings or {}) > 0 then return end -- they say it already
  local order = launch.schedule and (" in order %d of blocks and warps"):format(launch.schedule) or ""
  local fault = outcome.fault or {}
  local overflow, instead = wrapped.sentence(fault, fault.offset, fault.bytes, fault.width)
  if overflow then outcome.report = ("%s\n  %s\n  %s"):format(outcome.report, overflow, instead) end
  say("%s%s: %s", shape(launch), order, outcome.report)
  if refused then
    self.refused = outcome.report
    return
  end
  self.faults[#self.faults + 1] = { status = outcome.status, text = outcome.report, kernel = launch.name,
    launch = launch.number, schedule = launch.schedule }
end

-- The model takes all memory for the GPU's own.
local HOST_MEMORY <const> = "without what managed or pinned memory takes: pages that move, the link to the host"
local function note_of(prediction, launch)
  local notes = {}
  if prediction.note and prediction.note ~= "" then notes[1] = prediction.note end
  if launch.host_memory then notes[#notes + 1] = HOST_MEMORY end
  return notes[1] and table.concat(notes, "; ")
end

-- An access past the end may be right, and the allocation too small.
function report:look_at_size(issue)
  local past = issue.check == "memory" and (issue.offset or 0) >= (issue.bytes or math.huge)
  local hint = past and (issue.width or 0) > 1 and self.names:size_hint(issue.buffer)
  if hint then issue.hint = ("%s; or the size: %s"):format(issue.hint, hint) end
end

function report:launched(launch)
  if launch.outcome.status ~= "ok" then self.names:name_in_outcome(launch.outcome) end
  for _, issue in ipairs(launch.findings or {}) do
    issue.fill = issue.check == "init" and self.fills[issue.buffer]
    self:look_at_size(issue)
  end
  self.names:name_in(launch.findings or {})
  for _, issue in ipairs(launch.findings or {}) do
    if issue.check ~= "unused" then self:issue(launch, issue) end
  end
  self:failure(launch)
  if launch.schedule then return end
  if launch.outcome.status == "limit" then
    self.refusals = self.refusals + 1
    return
  end
  if self.own.check then self:effect(launch) end
  local kernel = self:kernel(launch)
  kernel.launches = kernel.launches + 1
  kernel.fused = kernel.fused or launch.fused
  if not launch.counters then return end
  add_counters(kernel.counters, launch.counters)
  nondeterminism.add(kernel.depends, launch.nondeterminism)
  for _, line in ipairs(launch.lines) do
    local key = ("%s:%d"):format(line.file or "", line.line)
    local entry = kernel.lines[key]
    if not entry then
      entry = { file = line.file, line = line.line, counters = {} }
      kernel.lines[key] = entry
      kernel.lines[#kernel.lines + 1] = entry
    end
    add_counters(entry.counters, line.counters)
  end
  for gpu, p in pairs(launch.models or {}) do
    if not p.known then kernel.unknown[gpu] = p.note or p.bound goto next end
    local sum = kernel.models[gpu] or { ms = 0, bound = p.bound }
    sum.ms, kernel.models[gpu] = sum.ms + p.ms, sum
    sum.note = note_of(p, launch)
    ::next::
  end
end

-- A call of the runtime returned an error, and the program looked at that error.
function report:failed(call)
  call.cause = self.names:named(call.cause)
  self.calls:failed(call, self.refused)
  self.refused = nil
end

---The program is about to get a time of the emulator's: said once.
---@param gpu string
function report:timed(gpu)
  if self.told_time then return end
  self.told_time = true
  say("times are the emulator's own, not a GPU's; with --model %s events measure predicted times",
    gpu:find " " and ("%q"):format(gpu) or gpu)
end

function report:allocated(call) self.names:add(call) end

function report:freed(call) self.names:freed(call) end

function report:seen(process, number) self.calls:seen(process, number) end

-- At the end ----------------------------------------------------------------------------------------

local LOOK <const> = "check what each call returns"
local LOOK_AT_LAUNCHES <const> = LOOK .. ", and cudaGetLastError() after a launch"

-- Under --check api they are issues; a launch that failed is one also if the program saw that.
function report:failed_calls()
  local list = self.calls:ended(self.own.api, self.null)
  if #list == 0 then return end
  if not self.own.api then
    say("%s failed, and the program did not look: %s", text.plural(#list, "call"), calls.sentence(list[1], true))
    for i = 2, #list do say("%s", calls.sentence(list[i], true)) end
    return
  end
  for _, group in ipairs(list) do
    local message = calls.sentence(group):gsub("[^?]$", "%0.")
    local look = group.error == "" and "check the pointer and the size"
      or group.call:find "^_*cuda" and LOOK_AT_LAUNCHES or LOOK
    local unseen = not group.looked and group.error ~= calls.MISTAKE
    local issue = { check = "api", count = group.count, message = message, hint = unseen and look or nil, launches = 0,
      sites = { { file = group.file, line = group.line } } }
    self.issues[#self.issues + 1] = issue
    say("%s", said_of(issue))
  end
end

-- Counters with the two lines of their headers; those that are zero everywhere are left out.
local SHOWN <const> = { { "warp_instructions", "warp", "instructions" },
  { "global_load_sectors", "global load", "sectors" }, { "global_store_sectors", "global store", "sectors" },
  { "global_atomics", "global", "atomics" }, { "shared_load_wavefronts", "shared load", "wavefronts" },
  { "shared_store_wavefronts", "shared store", "wavefronts" }, { "bank_conflicts", "bank", "conflicts" },
  { "shared_atomics", "shared", "atomics" }, { "atomic_conflicts", "atomic", "conflicts" },
  { "local_load_sectors", "local load", "sectors" }, { "local_store_sectors", "local store", "sectors" },
  { "constant_wavefronts", "constant", "wavefronts" }, { "texture_sectors", "texture", "sectors" },
  { "surface_sectors", "surface", "sectors" }, { "bulk_load_sectors", "bulk load", "sectors" },
  { "bulk_store_sectors", "bulk store", "sectors" }, { "divergent_branches", "divergent", "branches" },
  { "barriers", "barriers", "" } }

-- The kernels, each followed by its lines: {name, counters, launches}.
local function counted(kernels)
  local entries = {}
  for _, kernel in ipairs(kernels) do
    entries[#entries + 1] = { name = kernel.row, counters = kernel.counters, launches = text.count(kernel.launches) }
    for _, line in ipairs(kernel.lines) do
      local name = line.file and ("  %s:%d"):format(text.file_name(line.file), line.line)
      if name then entries[#entries + 1] = { name = name, counters = line.counters, launches = "" } end
    end
  end
  return entries
end

local function count_of(entry, name)
  local n = entry.counters[name] or 0
  return n ~= 0 and text.count(n) or nil
end

function report:print_counters()
  local columns, rows = { { header = { "kernel, line" } }, { header = { "launches" }, right = true } }, {}
  local entries = counted(self.order)
  for i, entry in ipairs(entries) do rows[i] = { entry.name, entry.launches } end
  for _, shown in ipairs(SHOWN) do
    local any = false
    for _, entry in ipairs(entries) do any = any or count_of(entry, shown[1]) end
    if any then
      columns[#columns + 1] = { header = { shown[2], shown[3] }, right = true }
      for i, entry in ipairs(entries) do rows[i][#columns] = count_of(entry, shown[1]) or "–" end
    end
  end
  local lines = require("gpulab.base.table").render(columns, rows, { color = self.color })
  io.stderr:write(table.concat(lines, "\n"), "\n")
  for _, kernel in ipairs(self.order) do
    local printed = nondeterminism.of_printf(kernel.counters)
    if printed then say("%s: %s", kernel.shown, printed) end
    for _, entry in ipairs(kernel.fused or {}) do
      say("%s, %s: %s; counted as in the %s", kernel.shown, entry.counter, entry.text, entry.counted)
    end
    for _, entry in ipairs(kernel.depends) do
      say("%s: %s", kernel.shown, nondeterminism.line(entry))
    end
  end
end

function report:print_models()
  for _, kernel in ipairs(self.order) do
    local parts = {}
    for _, gpu in ipairs(self.own.model) do
      local p = kernel.models[exec.gpu(gpu)]
      local unknown = kernel.unknown[exec.gpu(gpu)]
      if p then
        parts[#parts + 1] = ("%s %s (%s%s)"):format(gpu, text.duration(p.ms), p.bound, p.note and "; " .. p.note or "")
      end
      if unknown then say("%s: no prediction for the %s: %s", kernel.shape, gpu, unknown) end
    end
    if #parts > 0 then
      say("%s, %s: predicted %s", kernel.shape, text.plural(kernel.launches, "launch"), table.concat(parts, ", "))
    end
  end
end

local function counters_of(counters)
  return json.pick(counters, table.concat(lists.select(lists.keys(counters), function(name)
    return counters[name] ~= 0
  end), " "))
end

local function line_of(line)
  return json.object("file", line.file, "line", line.line, "counters", counters_of(line.counters))
end

local function models_of(kernel)
  return json.each(lists.keys(kernel.models), function(gpu)
    local p = kernel.models[gpu]
    return json.object("gpu", gpu, "ms", p.ms, "bound", p.bound, "note", p.note)
  end)
end

local function kernel_of(k)
  table.sort(k.lines, function(a, b)
    if a.file ~= b.file then return (a.file or "") < (b.file or "") end
    return a.line < b.line
  end)
  return json.object("kernel", k.name, "linked", k.linked, "launches", k.launches, "grid", json.list(k.grid),
    "block", json.list(k.block), "shared", k.shared, "counters", next(k.counters) and counters_of(k.counters),
    "lines", #k.lines > 0 and json.each(k.lines, line_of) or nil,
    "fused", k.fused and #k.fused > 0 and json.each(k.fused, "counter accesses=text counted") or nil,
    "depends", nondeterminism.document(k.depends), "models", next(k.models) and models_of(k) or nil)
end

local function site_of(site)
  local object = json.pick(site, "file line access")
  json.put(object, "block", site.block and json.list(site.block))
  return json.put(object, "thread", site.thread and json.list(site.thread))
end

local function issue_of(issue)
  return json.put(json.pick(issue, "check kernel launch launches schedule count message hint"), "sites",
    json.each(issue.sites, site_of))
end

function report:document(ended, program, launches)
  return json.encode(json.object("schema", "gpulab-exec/1", "program", program, "status", ended.status,
    "signal", ended.signal, "missing", ended.missing, "stopped", ended.stopped, "launches", ended.launches,
    "kernels", json.each(self.order, kernel_of), "records", json.each(launches, report_json.launch),
    "issues", json.each(self.issues, issue_of),
    "faults", json.each(self.faults, "kernel launch schedule outcome=status message=text"))) .. "\n"
end

-- A fault or an issue shows in the status, unless the program's own says already that something went wrong.
function report:status(ended)
  if ended.missing or ended.stopped then return host.codes.setup end
  if ended.signal then return 128 + ended.signal end
  if ended.status ~= 0 then return ended.status end
  if self.calls.beyond then return host.codes.setup end -- a kernel that only a GPU can run
  if self.faults[1] then return failure.code(self.faults[1].status) end
  return #self.issues > 0 and host.codes.finding or 0
end

local LIBRARIES <const> = "cuBLAS, cuFFT, cuRAND's host functions, and other libraries of NVIDIA's ask the driver for"
  .. " what only a GPU's driver has: a program that calls them needs a GPU."

---@param ended table what exec.run returned @param path string the program's
---@param launches LaunchRecord[]? for the document, each by itself
---@return integer status
function report:finish(ended, path, launches)
  self:idle_kernels()
  self:failed_calls()
  local issues, ran = #self.issues, text.plural(ended.launches - self.refusals, "launch")
  local program = whole(path)
  if ended.missing then
    say("%s: %s: gpulab's CUDA runtime does not have this%s", program, ended.missing,
      ended.missing == "cuGetExportTable" and "\n  " .. LIBRARIES or "")
  end
  if ended.stopped then say("%s: %s", program, ended.stopped) end
  if not ended.connected then
    local unknown = ended.status == host.codes.setup -- the runtime ends processes with this, too
    say(unknown and "%s ended with status 5, without the GPU" or "%s made no call of the CUDA runtime", program)
  end
  if (self.own.check or self.own.api) and issues == 0 and ended.connected then
    local rest = self.faults[1] and ", but not all of them were checked to the end"
      or ended.signal and (", but signal %d ended the program"):format(ended.signal) or ""
    say("no issues in %s%s", ran, rest)
  elseif issues > 0 then
    say("%s in %s", text.plural(issues, "issue"), ran)
  end
  local clean = ended.status == 0 and not self.faults[1] and ended.unfreed > 0
  if self.own.api and self.own.check and clean then
    say("note: %s of %s bytes not freed at the end", text.plural(ended.unfreed, "allocation"),
      text.count(ended.unfreed_bytes))
  end
  local lost = ended.status == 0 and not self.faults[1] and ended.launches > self.refusals and not ended.taken
  if self.own.check and lost and issues == 0 then say("note: no copy to the host brought what kernels computed") end
  if self.own.count then self:print_counters() end
  if #self.own.model > 0 then self:print_models() end
  if self.own.json then files.write(self.own.json, self:document(ended, path, launches)) end
  return self:status(ended)
end

return report
