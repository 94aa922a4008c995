-- gpulab --claims: every claim of the lectures as a Markdown table, with the lab and the step that show it, the number
-- of the slide, the model's and that of an H200. The latter two come from runs in docs/records/results: h200/*.json, as
-- --json writes them, and lectures.json, what --verify-lectures predicts at the lectures' own sizes.
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lecture = require "gpulab.lecture"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local claims = {}

local NONE <const> = "–"

-- Results -----------------------------------------------------------------------------------------

---The documents of a folder, by lab number: {steps by id}; other files are skipped.
function claims.results(folder)
  local by_lab = {}
  for _, name in ipairs(host.kind(folder) == "folder" and host.list(folder) or {}) do
    local content = name:match("%.json$") and files.read(folder .. "/" .. name)
    local ok, document = pcall(json.decode, content or "")
    if ok and type(document) == "table" and document.schema == "gpulab/1" and document.lab then
      local found = { device = document.device, steps = {} }
      for _, step in ipairs(document.steps or {}) do found.steps[step.id] = step end
      by_lab[document.lab.number] = found
    end
  end
  return by_lab
end

---The predictions of the lectures' numbers, by claim: {value, unit}; a file that is none has none.
function claims.predictions(path)
  local by_claim = {}
  local ok, document = pcall(json.decode, files.read(path) or "")
  local known = ok and type(document) == "table" and document.schema == "gpulab/predictions/1"
  for _, row in ipairs(known and type(document.predictions) == "table" and document.predictions or {}) do
    if type(row) == "table" and type(row.claim) == "string" and type(row.value) == "number" then
      by_claim[row.claim] = row
    end
  end
  return by_claim
end

---What predictions() reads, as JSON: made by running every kernel of --verify-lectures on the emulator.
---@return string
function claims.predict()
  local rows = {}
  for _, result in ipairs(require("gpulab.author.verify").results()) do
    local claim = result.claim
    rows[#rows + 1] = json.object("claim", claim.id, "gpu", claim.gpu, "value", result.predicted, "unit", claim.unit,
      "error", result.off, "bound", result.bound)
  end
  return json.encode(json.object("schema", "gpulab/predictions/1", "predictions", rows))
end

local function rate_text(number, unit)
  return ("%s %s"):format(number == math.floor(number) and ("%d"):format(number) or text.number(number), unit)
end

local function escaped(s)
  return (s:gsub("|", "\\|"):gsub("\n", " "))
end

-- What a model made of a claim: at the lecture's size, else of the step on the claim's GPU, if it has a number in the
-- rate's unit. A number that the lecture worked out on paper is no kernel's.
local function model_text(step, claim, predicted)
  if predicted and predicted.unit == claim.unit then return rate_text(predicted.value, predicted.unit) end
  for _, row in ipairs(step and not claim.computed and step.model or {}) do
    if row.gpu == claim.gpu and row.value and row.unit == claim.unit then return rate_text(row.value, row.unit) end
  end
  return NONE
end

-- What was measured for a step, in the claim's unit if the step reports it in that unit, else how the step ended. A
-- speedup needs another step.
local function measured_text(step, claim)
  if not step then return NONE end
  local rate = step.rate and step.rate.kind == "measured"
  local own = rate and step.rate.unit ~= claim.unit and claim.unit
  local reported = own and (" " .. (step.detail or "") .. " "):match("[^%d.]([%d.]+ " .. own:gsub("%p", "%%%0")
    .. ")%A")
  if reported then return reported end
  if rate and own ~= "×" then
    local said = rate_text(step.rate.value, step.rate.unit)
    return not claim.unit and step.detail and ("%s; %s"):format(said, escaped(step.detail)) or said
  end
  if step.shows and step.seen then return "seen" end
  if step.verified then return "verified" end
  return step.outcome == "ok" and "shown" or step.outcome
end

-- The table ---------------------------------------------------------------------------------------

-- Where a claim is shown: {lab, kind, item, main}; main: the table lists its number next to the step's.
local function uses_of(labs)
  local uses = {}
  local function add(id, use)
    local known = uses[id]
    if not known or use.main and not known.main then uses[id] = use end
  end
  for _, lab in ipairs(labs) do
    for _, kind in ipairs { "steps", "plots", "exercises" } do
      for _, item in ipairs(lab[kind]) do
        if item.claim then add(item.claim, { lab = lab, kind = kind, item = item, main = true }) end
        for _, id in ipairs(item.claims or {}) do add(id, { lab = lab, kind = kind, item = item }) end
      end
    end
  end
  return uses
end

local function said(claim)
  if claim.statement then return escaped(claim.statement) end
  local number = rate_text(claim.value, claim.unit)
  local notes = { claim.gpu, claim.n and ("n = %d"):format(claim.n), claim.computed and "computed" or nil }
  local parts = {}
  for i = 1, 3 do parts[#parts + 1] = notes[i] end
  return #parts > 0 and ("%s (%s)"):format(number, table.concat(parts, ", ")) or number
end

local kinds <const> = { steps = "", plots = "plot ", exercises = "exercise " }

local function row(claim, use, results, predicted)
  local shown, model, measured = NONE, NONE, NONE
  if use then
    shown = ("%d, %s`%s`"):format(use.lab.number, kinds[use.kind], use.item.id)
    local lab = results[use.lab.number]
    local step = use.kind == "steps" and lab and lab.steps[use.item.id] or nil
    measured = use.kind == "steps" and measured_text(step, claim) or NONE
    model = model_text(step, claim, predicted)
  end
  return ("| `%s` | %s, “%s” | %s | %s | %s | %s |"):format(claim.id, claim.source, escaped(claim.slide), said(claim),
    shown, model, measured)
end

local function heading(number, labs)
  for _, lab in ipairs(labs) do
    if lab.number == number then return "## " .. lab:heading() end
  end
  return ("## Lab %d"):format(number)
end

---The document as text.
---@param labs Lab[] @param results table by lab number, of an H200 @param predictions? table by claim
function claims.markdown(labs, results, predictions)
  local uses, lines, lab = uses_of(labs), {}, nil
  local function add(line) lines[#lines + 1] = line end
  add "# The lectures, claim by claim"
  add ""
  add "Written by `gpulab --claims`. Predicted and H200 numbers come from the runs in `docs/records/results`."
  add "Predictions use the lecture's problem size where one was made for it. For a claim without a number the"
  add "table shows the outcome of the step that tests it."
  for _, claim in ipairs(lecture.all()) do
    if claim.lab ~= lab then
      lab = claim.lab
      add ""
      add(heading(lab, labs))
      add ""
      add "| claim | slide | lecture | lab, step | model | H200 |"
      add "|---|---|---|---|---|---|"
    end
    add(row(claim, uses[claim.id], results, predictions and predictions[claim.id]))
  end
  return table.concat(lines, "\n") .. "\n"
end

local function results_folder()
  for _, folder in ipairs(where.folders "docs") do
    if host.kind(folder .. "/records/results") == "folder" then return folder .. "/records/results" end
  end
  return "docs/records/results"
end

---Prints the table; returns the exit code.
function claims.run()
  local labs, complaints = require("gpulab.author.verify_labs").load()
  if #complaints > 0 then
    failure.raise("setup", table.concat(complaints, "\n"), nil,
      "fix these labs first: the table needs all of them")
  end
  local folder = results_folder()
  local results, predictions = claims.results(folder .. "/h200"), claims.predictions(folder .. "/lectures.json")
  io.stdout:write(claims.markdown(labs, results, predictions))
  return 0
end

return claims
