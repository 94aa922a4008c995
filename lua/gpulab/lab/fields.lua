-- The fields of a lab's definition and its parts, as schema.lua reads them. definition.lua checks what depends on
-- several tables; docs/reference/lab-fields.md explains every field.
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local schema = require "gpulab.lab.schema"
local text = require "gpulab.base.text"

local fields = {}

-- Checks of one value -----------------------------------------------------------------------------

local function nonempty(value)
  if type(value) == "string" and value:match("^%s*$") then return "must not be empty" end
end

local function identifier(value)
  if value:match("^[%a][%w_-]*$") then return nil end
  return ("%q is not an id: use letters, digits, - and _, a letter first"):format(value)
end

local function narrow(value)
  if text.width(value) > 40 then return ("%q is longer than 40 characters"):format(value) end
  return nonempty(value)
end

-- Preformatted lines (those that begin with white space) must fit the terminal; the rest is filled.
local function fits(value)
  for line in value:gmatch("[^\n]+") do
    if line:match("^%s") and text.width(line) > text.columns then
      return ("an indented line is longer than %d columns: %q"):format(text.columns, text.clip(line, 30))
    end
  end
  return nonempty(value)
end

local function among(...)
  local allowed = { ... }
  return function(value)
    if lists.set(allowed)[value] then return nil end
    return "must be " .. text.list(lists.map(allowed, function(name) return ("%q"):format(name) end), "or")
  end
end

local function positive(value)
  if value ~= value or value <= 0 then return "must be positive" end
end

local function finite(value)
  if type(value) == "number" and value - value ~= 0 then return "must be a finite number" end
end

local function not_negative(value)
  if value ~= value or value < 0 then return "must not be negative" end
end

local function milliseconds(value)
  if value < 1 or value > 86400000 then return "must be milliseconds, from 1 to a day" end
end

local capability
function capability(value)
  if type(value) == "table" then
    if #value ~= 2 then return "must have two compute capabilities, the least and the most" end
    return capability(value[1]) or capability(value[2])
  end
  if math.type(value) ~= "integer" or value < 10 or value > 999 then
    return "must be ten times a compute capability: 90 for 9.0"
  end
end

local function lab_number(value)
  if value < 0 or value > 999 then return "must be from 0 to 999" end
end

local function strings(value)
  for i, item in ipairs(value) do
    if type(item) ~= "string" then return ("its item %d must be a string"):format(i) end
  end
end

local function source_names(value)
  for _, name in ipairs(value) do
    if type(name) ~= "string" or not lecture.sources[name] then
      return (schema.unknown("lecture", name, schema.sorted_keys(lecture.sources)))
    end
  end
end

local function claim_id(value)
  if type(value) == "table" then return lecture.own(value) end
  local _, reason = lecture.find(value)
  return reason
end

local function claim_ids(value)
  if #value == 0 then return "is empty: remove the field" end
  local wrong = strings(value)
  if wrong then return wrong end
  for _, id in ipairs(value) do
    local reason = claim_id(id)
    if reason then return reason end
  end
end

local function texts(value)
  for i, item in ipairs(value) do
    if type(item) ~= "string" then return ("its item %d must be a string"):format(i) end
    local reason = fits(item)
    if reason then return ("its item %d %s"):format(i, reason) end
  end
end

-- The lab -----------------------------------------------------------------------------------------

local SIZE <const> = { "integer", "string", "function" } -- a number, a parameter's name, a function of the parameters
local DIMENSIONS <const> = { "integer", "list", "function" }

fields.lab = {
  number = { kinds = { "integer" }, required = true, check = lab_number },
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string" }, required = true, check = nonempty },
  lecture = { kinds = { "list" }, check = source_names },
  intro = { kinds = { "string" }, required = true, check = fits },
  params = { kinds = { "map" } },
  buffers = { kinds = { "map" } },
  groups = { kinds = { "list" } },
  steps = { kinds = { "list" }, required = true },
  plots = { kinds = { "list" } },
  exercises = { kinds = { "list" } },
}

fields.param = {
  default = { kinds = { "number", "string", "boolean" }, required = true, check = finite },
  emulator = { kinds = { "number", "string", "boolean" }, check = finite },
  small = { kinds = { "number", "string", "boolean" }, check = finite },
  min = { kinds = { "number" }, check = finite },
  max = { kinds = { "number" }, check = finite },
  multiple = { kinds = { "integer" }, check = positive },
  because = { kinds = { "string" }, check = nonempty },
  help = { kinds = { "string" }, required = true, check = nonempty },
}

fields.buffer = {
  type = { kinds = { "string" }, required = true },
  count = { kinds = SIZE, returns = { "size" }, required = true },
  fill = { kinds = { "number", "string", "function", "table" },
    returns = { "number", "string", "array" } },
  seed = { kinds = { "integer" } },
  memory = { kinds = { "string" }, check = among("mapped") },
}

-- Groups and columns ------------------------------------------------------------------------------

fields.columns = lists.set { "lecture", "model", "rate", "wavefronts", "sectors", "share", "ms", "bound", "error",
  "verified" }

fields.column = {
  header = { kinds = { "string", "list" }, required = true },
  of = { kinds = { "string", "function" }, required = true },
}

local function column_names(value)
  for i, column in ipairs(value) do
    if type(column) == "table" then
      local ok, e = pcall(schema.check, { where = "", whose = ("column %d"):format(i) }, column, fields.column)
      if not ok then return e.message end
    elseif not fields.columns[column] then
      return (schema.unknown("column", column, schema.sorted_keys(fields.columns), schema.renamed.column))
    end
  end
end

fields.group = {
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string" }, required = true, check = narrow },
  baseline = { kinds = { "string" } },
  share = { kinds = { "string" }, check = nonempty },
  columns = { kinds = { "list" }, check = column_names },
}

-- Steps -------------------------------------------------------------------------------------------

fields.kernel = {
  file = { kinds = { "string" }, required = true, check = nonempty },
  name = { kinds = { "string", "function" }, returns = { "string" }, required = true },
  defines = { kinds = { "map", "function" }, returns = { "map" } },
  options = { kinds = { "list" }, check = strings },
}

fields.tolerance = { relative = { kinds = { "number" }, check = not_negative },
  absolute = { kinds = { "number" }, check = not_negative } }

fields.library = {
  name = { kinds = { "string" }, required = true, check = nonempty },
  args = { kinds = { "list" }, required = true },
}

-- The fields of the first table with those of others.
local function with(own, ...)
  for _, more in ipairs { ... } do
    for name, field in pairs(more) do own[name] = field end
  end
  return own
end

local configured <const> = {
  grid = { kinds = DIMENSIONS, returns = { "integer", "list" } },
  block = { kinds = DIMENSIONS, returns = { "integer", "list" } },
  shared = { kinds = SIZE, returns = { "size" } },
  cooperative = { kinds = { "boolean" } },
  crowded = { kinds = { "boolean" } },
}

-- What runs: a step or an exercise.
local run <const> = {
  timeout = { kinds = { "integer" }, check = milliseconds },
  args = { kinds = { "list" } },
  symbols = { kinds = { "map" } },
  launches = { kinds = { "list", "function" }, returns = { "list" } },
  columns = { kinds = SIZE, returns = { "size" } },
  tolerance = { kinds = { "map" }, fields = fields.tolerance },
  with = { kinds = { "map", "function" }, returns = { "map" } },
  small = { kinds = { "map" } },
  claims = { kinds = { "list" }, check = claim_ids },
}

-- One launch of a step's `launches`; library routines may be among them.
fields.launch = with({
  kernel = { kinds = { "map", "string" } },
  library = { kinds = { "string" }, check = nonempty },
  args = { kinds = { "list" }, required = true },
}, configured)

fields.transfer = {
  direction = { kinds = { "string" }, required = true, check = among("to device", "from device") },
  memory = { kinds = { "string" }, required = true, check = among("pageable", "pinned", "write-combined") },
  bytes = { kinds = SIZE, returns = { "size" }, required = true },
}

fields.overlap = {
  kernel = { kinds = { "map" }, required = true, fields = fields.kernel },
  grid = { kinds = { "function" }, required = true },
  block = { kinds = DIMENSIONS, returns = { "integer", "list" }, required = true },
  args = { kinds = { "list", "function" }, required = true },
  input = { kinds = { "string" }, required = true },
  output = { kinds = { "string" }, required = true },
  chunks = { kinds = SIZE, returns = { "size" } },
  streams = { kinds = SIZE, returns = { "size" } },
  memory = { kinds = { "string" }, check = among("pageable", "pinned", "write-combined") },
  order = { kinds = { "string" }, check = among("depth", "breadth") },
}

fields.texture = {
  texture = { kinds = { "string" } },
  surface = { kinds = { "string" } },
  width = { kinds = SIZE, returns = { "size" } },
  height = { kinds = SIZE, returns = { "size" } },
  depth = { kinds = SIZE, returns = { "size" } },
  layers = { kinds = SIZE, returns = { "size" } },
  channels = { kinds = { "integer" } },
  layout = { kinds = { "string" }, check = among("array", "linear") },
  address = { kinds = { "string", "list" } },
  filter = { kinds = { "string" }, check = among("point", "linear") },
  normalized = { kinds = { "boolean" } },
  read = { kinds = { "string" }, check = among("element", "float") },
}

-- dims and box: as many sizes as dimensions, the one whose elements are adjacent first.
fields.tensor_map = {
  tensor_map = { kinds = { "string" }, required = true },
  dims = { kinds = { "list" }, required = true },
  box = { kinds = { "list" }, required = true },
  swizzle = { kinds = { "string" }, check = among("none", "32B", "64B", "128B") },
  fill = { kinds = { "string" }, check = among("zero", "nan") },
}

fields.predict = {
  ask = { kinds = { "string" }, required = true, check = fits },
  of = { kinds = { "string", "function" }, required = true },
  unit = { kinds = { "string" } },
  within = { kinds = { "number" }, check = positive },
}

fields.step = with({
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string", "function" }, returns = { "string" }, required = true },
  text = { kinds = { "string" }, required = true, check = fits },
  group = { kinds = { "string" } },
  claim = { kinds = { "string", "map" }, check = claim_id },
  predict = { kinds = { "map" }, fields = fields.predict },
  detail = { kinds = { "function" }, returns = { "text" } },
  kernel = { kinds = { "map" }, fields = fields.kernel },
  library = { kinds = { "map" }, fields = fields.library },
  transfer = { kinds = { "map" }, fields = fields.transfer },
  overlap = { kinds = { "map" }, fields = fields.overlap },
  figure = { kinds = { "function" }, returns = { "map" } },
  output = { kinds = { "string" } },
  reference = { kinds = { "function" }, returns = { "array" } },
  useful_bytes = { kinds = { "function" }, returns = { "finite" } },
  useful_flops = { kinds = { "function" }, returns = { "finite" } },
  useful_ops = { kinds = { "function" }, returns = { "finite" } },
  ops_unit = { kinds = { "string" }, check = narrow },
  useful_of = { kinds = { "string" }, check = among("global memory", "shared memory", "the host") },
  expect = { kinds = { "map", "function" }, returns = { "map" } },
  needs_cc = { kinds = { "integer", "list" }, check = capability },
  alike = { kinds = { "integer" }, check = positive },
  shows = { kinds = { "string" }, check = among("race", "sync", "init", "memory", "wrong", "fault") },
}, configured, run)

-- The fields that each kind of step may have besides the common ones, and the required ones.
local common <const> = { "id", "title", "text", "group", "with", "small", "claim", "claims", "predict", "detail" }
local rates <const> = { "useful_bytes", "useful_flops", "useful_ops", "ops_unit", "useful_of" }
local checked <const> = { "output", "reference", "columns", "tolerance" }
local launched <const> = { "timeout", "symbols", "expect", "shows", "cooperative", "crowded", "needs_cc" }

local function set_of(...) return lists.set(lists.joined(...)) end

fields.allowed = {
  kernel = set_of(common, rates, checked, launched, { "kernel", "grid", "block", "shared", "args", "alike" }),
  launches = set_of(common, rates, checked, launched, { "launches" }),
  library = set_of(common, rates, checked, { "library", "timeout" }),
  transfer = set_of(common, rates, { "transfer" }),
  overlap = set_of(common, rates, checked, { "overlap", "timeout" }),
  figure = set_of(common, { "figure" }),
}

fields.needed = {
  kernel = { "grid", "block", "args" },
  launches = {},
  library = { "output", "reference" },
  transfer = { "useful_bytes" },
  overlap = {},
  figure = {},
}

-- Plots and exercises -----------------------------------------------------------------------------

fields.axis = {
  param = { kinds = { "string" }, required = true },
  values = { kinds = { "list" } },
  from = { kinds = { "number" }, check = finite },
  to = { kinds = { "number" }, check = finite },
  step = { kinds = { "number" }, check = positive },
  label = { kinds = { "string" }, check = narrow },
  log = { kinds = { "boolean" } },
}

fields.plot = {
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string" }, required = true, check = nonempty },
  text = { kinds = { "string" }, check = fits },
  x = { kinds = { "map" }, required = true, fields = fields.axis },
  steps = { kinds = { "list" }, required = true },
  y = { kinds = { "string", "function" } },
  y_label = { kinds = { "string" }, check = narrow },
  y_log = { kinds = { "boolean" } },
  emulator_values = { kinds = { "list" } },
  with = { kinds = { "map" } },
  claims = { kinds = { "list" }, check = claim_ids },
}

local function below_kernels(folder)
  return function(value)
    if value:match("^" .. folder .. "/%d%d%-[%w_-]+/[%w_-]+%.cu$") then return nil end
    return ("%q does not have the form %s/NN-name/FILE.cu"):format(value, folder)
  end
end

fields.exercise = with({
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string" }, required = true, check = nonempty },
  task = { kinds = { "string" }, required = true, check = fits },
  starter = { kinds = { "string" }, required = true, check = below_kernels("exercises") },
  solution = { kinds = { "string" }, required = true, check = below_kernels("solutions") },
  kernel = { kinds = { "string" } },
  defines = { kinds = { "map", "function" }, returns = { "map" } },
  output = { kinds = { "string" }, required = true },
  reference = { kinds = { "function" }, returns = { "array" }, required = true },
  sizes = { kinds = { "list" } },
  accept = { kinds = { "map" } },
  advice = { kinds = { "string" }, check = fits },
  hints = { kinds = { "list" }, required = true, check = texts },
  debrief = { kinds = { "string" }, required = true, check = fits },
}, configured, run)

-- An exercise whose task is a whole file.
fields.project_exercise = {
  project = { kinds = { "map" }, required = true },
}
for _, name in ipairs { "id", "title", "task", "starter", "solution", "advice", "hints", "debrief", "claims" } do
  fields.project_exercise[name] = fields.exercise[name]
end

local function words_lists(value)
  if #value == 0 then return "is empty" end
  for i, list in ipairs(value) do
    if type(list) ~= "table" then return ("its item %d must be a list of words"):format(i) end
    local wrong = strings(list)
    if wrong then return ("its item %d: %s"):format(i, wrong) end
  end
end

fields.project = {
  framework = { kinds = { "string" }, required = true, check = nonempty },
  sizes = { kinds = { "list" }, required = true, check = words_lists },
  score = { kinds = { "map" }, required = true },
  exact = { kinds = { "boolean" } },
  tiers = { kinds = { "list" }, required = true },
}

fields.score = {
  args = { kinds = { "list" }, required = true, check = strings },
  bytes = { kinds = { "number" }, required = true, check = positive },
}

fields.tier = {
  rate = { kinds = { "number" }, required = true, check = positive },
  share = { kinds = { "number" }, required = true, check = function(value)
    if not (value > 0 and value <= 1) then return "must be above 0 and at most 1" end
  end },
}

local bounded <const> = { kinds = { "number" }, check = finite }
fields.bound = { at_most = bounded, at_least = bounded, advice = { kinds = { "string" }, check = fits } }

return fields
