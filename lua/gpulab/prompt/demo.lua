-- gpulab --demo LAB: a lab in front of an audience, step by step in large digits. Each key press reveals one number:
-- the lecture's, the model's, this GPU's. The presenter can edit the kernel live. Without a GPU a recorded run
-- (--recorded, else the H200's in docs/records/results) replaces it and is labeled so.
local access = require "gpulab.show.access"
local batch = require "gpulab.show.batch"
local chart = require "gpulab.show.chart"
local debugger = require "gpulab.warp.debugger"
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local fullscreen = require "gpulab.warp.fullscreen"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local recorded = require "gpulab.lab.recorded"
local report = require "gpulab.show.report"
local session = require "gpulab.prompt.session"
local show = require "gpulab.base.show"
local screen = require "gpulab.prompt.demo_screen"
local steps_of = require "gpulab.lab.steps"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"
local view = require "gpulab.warp.screen"
local why = require "gpulab.show.why"

local demo = {}

local Demo = {}
Demo.__index = Demo

local CELLS <const> = 3 -- numbers in a row: 80 columns have room for them
local TICK <const> = 0.25 -- seconds between two checks for saved copies

-- Recorded runs -----------------------------------------------------------------------------------

-- A field of a value that should be a table.
local function field(of, name) return type(of) == "table" and of[name] or nil end

-- A step of a document as a row of a table of results; nil if it has no rate.
local function as_row(step, document)
  local rate, params = field(field(step, "rate"), "value"), {}
  if type(rate) ~= "number" then return nil end
  for _, of in ipairs { document, step } do
    for name, v in pairs(type(of.params) == "table" and of.params or {}) do params[name] = v end
  end
  return { gpu = text.printable(tostring(field(document.device, "gpu") or "another GPU")), params = params,
    rate = rate, unit = text.printable(tostring(step.rate.unit)) }
end

---The steps of a document that --json wrote, by id; raises if it is not one.
---@param path string @param lab Lab @return table<string, table> steps rows like those of gpulab.lab.recorded
function demo.recording(path, lab)
  local content, reason = files.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  local ok, document = pcall(json.decode, content)
  if not ok or type(document) ~= "table" or document.schema ~= "gpulab/1" then
    failure.raise("usage", path .. " is not a recorded run of a lab", nil, ("gpulab --json %s records one"):format(
      path))
  end
  local id = field(document.lab, "id")
  if id ~= lab.id then failure.usage(("%s is a run of lab %s, not of %s"):format(path, tostring(id), lab.id)) end
  local steps = {}
  for _, step in ipairs(type(document.steps) == "table" and document.steps or {}) do
    steps[field(step, "id") or ""] = as_row(step, document)
  end
  return steps
end

-- Cells -------------------------------------------------------------------------------------------

-- The numbers of a step's row, in the order of their appearance: {head, unit, number text}.
local function lecture_cell(step, record)
  local claim = record.claim
  if not claim or not claim.value or claim.unit ~= steps_of.unit(step) then return nil end
  local n = report.other_size(record)
  return { head = "lecture " .. (n and ("n = %d"):format(n) or claim.gpu), unit = claim.unit,
    number = text.number(claim.value) }
end

-- The GPUs of the claims of the step's table, its own first.
local function claimed_gpus(self, step)
  local gpus = {}
  for _, other in ipairs(lists.joined({ step }, self.lab.steps)) do
    local claim = other.group == step.group and other.claim and lecture.find(other.claim)
    local name = claim and claim.gpu
    if name and not lists.find(gpus, function(known) return known == name end) then gpus[#gpus + 1] = name end
  end
  return gpus
end

local function model_cell(gpu_name, step, record)
  local unit = steps_of.unit(step)
  if record.waits then return unit and { head = "model " .. gpu_name, unit = unit, number = "…" } or nil end
  for _, row in ipairs(record.models or {}) do
    if row.gpu == gpu_name and row.rate then
      return { head = "model " .. row.gpu, unit = value.unit(row.rate), number = value.number(row.rate) }
    end
  end
end

-- The recorded run's step, if its number applies: not for a kernel that was changed since.
local function recorded_step(self, step, record)
  local row = self.recording and self.recording[step.id]
  return row and row.rate and not self.live[step.id] and not record.changed and row or nil
end

local function here_cell(self, step, record)
  local row = recorded_step(self, step, record)
  if row then
    return { head = "recorded " .. row.gpu:gsub("^NVIDIA ", ""), unit = row.unit, number = text.number(row.rate) }
  end
  if not record.rate then return nil end
  local kind = record.times and record.times.kind == "measured" and "measured " or "predicted "
  return { head = kind .. report.gpu(gpu.device), unit = value.unit(record.rate), number = value.number(record.rate) }
end

---The cells of a step's row, left to right.
function Demo:cells(step, record)
  local cells = {}
  cells[#cells + 1] = lecture_cell(step, record)
  for _, gpu_name in ipairs(claimed_gpus(self, step)) do
    if #cells < CELLS - 1 then cells[#cells + 1] = model_cell(gpu_name, step, record) end
  end
  cells[#cells + 1] = here_cell(self, step, record)
  return cells
end

---The parameters of the step that differ between a recorded number and the others: {here, recorded}, in words.
---@return {here: string, recorded: string}?
function Demo:sizes(step, record)
  local row, params = recorded_step(self, step, record), record.params
  local ok, read = pcall(steps_of.reads, self.lab, step, params or {}, gpu.device)
  local names = lists.select(lists.keys(row and params and row.params or {}), function(name)
    return self.lab.params[name] and (not ok or not read or read[name]) and params[name] ~= row.params[name]
  end)
  local function words(of)
    return text.list(lists.map(names, function(name) return ("%s = %s"):format(name, of[name]) end))
  end
  return #names > 0 and { here = words(params), recorded = words(row.params) } or nil
end

-- Is there more to say of the step than its recorded numbers?
function Demo:has_own_result(step, record)
  return record.outcome ~= "absent" or not recorded_step(self, step, record)
end

---What is known of a step: its record; before it ran, a place for the lecture's and the recorded numbers; nil if it
---has none.
---@param step table @return table?
function Demo:known(step)
  local record = self.session.run and self.session.run.results[step.id]
  if record or not recorded_step(self, step, {}) then return record end
  local claim = step.claim and lecture.find(step.claim) or nil
  return { step = step, waits = true, outcome = "absent", claim = claim, models = {} }
end

-- Are there numbers of the current step that were not revealed yet?
function Demo:hides_numbers()
  local step = self.lab.steps[self.at]
  local record = self:known(step)
  return record and self.stage < #self:cells(step, record)
end

-- With the parameters that are the step's own, such as its n; those of the recorded run where its number is shown.
function Demo:title(step)
  local params = self.session.params
  local record = self.session.run and self.session.run.results[step.id]
  local row = recorded_step(self, step, record or {})
  local ok, changes = pcall(steps_of.changes, self.lab, step, params, { device = gpu.device })
  local known, own = pcall(self.lab.overlay, self.lab, params, row and row.params or ok and changes or {})
  return report.title(step, known and own or params)
end

-- Drawing -----------------------------------------------------------------------------------------

function Demo:draw()
  fullscreen.show(screen.lines(self, self.keys.size()))
end

-- Running -----------------------------------------------------------------------------------------

-- The step's record; runs the step if necessary. A failure is in the record.
function Demo:record(step, again)
  local run = self.session:current_run()
  if run.results[step.id] and not again then return run.results[step.id] end
  self.note = "running …"
  self:draw()
  run.records = {}
  self.session.book:begin { step }
  batch.steps(run, { step }, { quiet = true })
  self.session.book:finish { step }
  self.note = nil
  if again then self.live[step.id] = true end
  return run.results[step.id]
end

function Demo:any_key()
  io.stdout:write("\r\n  press any key to go back")
  io.stdout:flush()
  local key
  repeat key = self.keys.read(3600) until key ~= nil and key ~= "resize"
  if key == "suspend" then fullscreen.suspend(self.keys) end
end

-- Runs an action that prints as at the prompt, with the terminal in its normal mode.
function Demo:aside(action)
  self.keys.close()
  io.stdout:write(fullscreen.CLEAR)
  local ok, e = host.catch(action)
  if not ok then show.error(e, self.options.color_stderr) end
  io.stdout:flush()
  self.keys.open()
  self:any_key()
end

local function move(self, by)
  local at = self.at + by
  if at < 1 or at > #self.lab.steps then
    self.note = by > 0 and "This is the last step; q quits." or "This is the first step."
    return
  end
  self.at, self.stage = at, by < 0 and math.huge or 0
  self.session.at, self.session.left = at, at
end

-- The next number; after the last one the next step.
local function onward(self)
  local step = self.lab.steps[self.at]
  if self:hides_numbers() then
    self.stage = self.stage + 1
  else
    move(self, 1)
    step = self.lab.steps[self.at]
  end
  if not self:known(step) then self:record(step) end
end

local function edit(self)
  local step = self.lab.steps[self.at]
  self:aside(function() self.session.commands:dispatch("edit " .. step.id) end)
  self.live[step.id], self.stage = true, math.huge
end

-- The warp view at the step's most expensive access, or where its kernel begins.
local function step_through(self)
  local step = self.lab.steps[self.at]
  local record = self:record(step)
  local line = record.report and record.report.lines and access.line(record)
  self.note = "opening the kernel …"
  self:draw()
  self.note = nil
  local d, close = debugger.of_record(self.session:record_of(step))
  local ok, e = host.catch(function()
    if line then
      d:stop_at(("%s:%d"):format(text.file_name(line.file), line.line), nil, true)
      d:go "on"
    end
    self.keys.close()
    view.run(d, { color = self.color })
    io.stdout:write(fullscreen.OWN_SCREEN)
    self.keys.open()
  end)
  pcall(d.close, d)
  close()
  if not ok then error(e, 0) end
end

-- What w shows: the explanation, and for which size it is, where a recorded number has another one.
local function explanation(self)
  local step = self.lab.steps[self.at]
  local record = self:record(step)
  local sizes = self:sizes(step, record)
  return lists.joined(sizes and text.wrap(("Explained with %s; the recorded number is with %s."):format(sizes.here,
    sizes.recorded)) or {}, why.explain(record))
end

local HELP <const> = {
  "  space, enter, right, down  the next number; after the last one the next step",
  "  b, backspace, left, up     the step before",
  "  e                          edit the kernel in $EDITOR; a save runs the step again",
  "  r                          run the step again",
  "  w                          why: what limits the step, and its most expensive access",
  "  v                          the warp view at that access",
  "  t                          the whole text of the step",
  "  q, escape                  end the demo" }

local actions <const> = {
  space = onward, enter = onward, right = onward, down = onward, pagedown = onward, n = onward,
  b = function(self) move(self, -1) end,
  e = edit,
  r = function(self)
    self:record(self.lab.steps[self.at], true)
    self.stage = math.huge
  end,
  w = function(self) fullscreen.page(explanation(self), self.keys) end,
  t = function(self) fullscreen.page(text.wrap(self.lab.steps[self.at].text or "", "  "), self.keys) end,
  ["?"] = function(self) fullscreen.page(HELP, self.keys) end,
  v = step_through,
}
for _, key in ipairs { "left", "up", "pageup", "backspace", "p" } do actions[key] = actions.b end

-- A copy was saved in another window: its step runs again in front of the audience.
local function look(self)
  local action = self.session.book:look()
  if not action then return false end
  self:aside(action)
  self.live[self.lab.steps[self.at].id], self.stage = true, math.huge
  return true
end

-- A step whose recorded numbers are shown runs while no key is pressed. True: it ran.
local function catch_up(self)
  local step = self.lab.steps[self.at]
  local known = self:known(step)
  if not known or not known.waits then return false end
  local ok, e = host.catch(self.record, self, step)
  if not ok then self.note = text.said(e):match("[^\n]*") end
  return true
end

-- Without a save only the clock moved.
function Demo:idle()
  if look(self) or catch_up(self) then return true end
  io.stdout:write("\0277\27[H\27[7m", screen.title(self, (self.keys.size())), "\27[0m\0278")
  io.stdout:flush()
end

function Demo:begin()
  local step = self.lab.steps[self.at]
  if not self:known(step) then self:record(step) end
end

---A demo of a lab, not yet on the screen.
---@param lab Lab @param options table what the command line said
function demo.new(lab, options)
  local quiet = setmetatable({ quiet = true, step = false }, { __index = options })
  local opened = session.open(lab, quiet)
  local at = options.step and select(2, lab:step(options.step)) or 1
  local self = setmetatable({ lab = lab, options = options, session = opened, at = at, stage = 0, seconds = TICK,
    hint = "This key does nothing here. ? lists the keys.", began = os.time(), live = {}, utf8 = chart.is_utf8(),
    color = options.color }, Demo)
  local path = options.recorded
  local as_recorded = not next(options.set or {}) -- other sizes give other numbers
  if path then
    self.recording = demo.recording(path, lab)
  elseif as_recorded and not gpu.device.measures then
    self.recording = recorded.by_lab("h200")[lab.number]
  end
  return self
end

---Shows the lab until the presenter quits; returns the exit code.
function demo.run(lab, options)
  if not options.terminal then
    failure.usage("a demo needs a terminal", "gpulab --batch LAB prints the table instead")
  elseif #lab.steps == 0 then
    failure.usage(lab:heading() .. " has no steps to show")
  end
  local self = demo.new(lab, options)
  self.session.book:attach { watch = function() end }
  local ok, e = host.catch(fullscreen.run, self, actions)
  if not ok and failure.kind(e) ~= "interrupted" then error(e, 0) end -- Ctrl-C while it draws ends it, too
  return 0
end

return demo
