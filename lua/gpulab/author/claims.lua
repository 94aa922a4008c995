-- gpulab --claims: every claim of the lectures as a Markdown table, with the lab and the step that show it, the number
-- of the slide, the model's and that of an H200. The latter two are recorded (docs/records/results): h200.tsv, and
-- lectures.tsv, what --verify-lectures predicts at the lectures' own sizes.
local failure = require "gpulab.base.failure"
local lecture = require "gpulab.lecture"
local recorded = require "gpulab.lab.recorded"
local text = require "gpulab.base.text"

local claims = {}

local NONE <const> = "–"

---Predictions of the lectures' numbers as the table lectures.tsv: every kernel of --verify-lectures runs on the
---emulator.
---@return string
function claims.predict()
  local lines = { (table.concat(recorded.predictions, "\t"):gsub(" %w+", "")) }
  for _, result in ipairs(require("gpulab.author.verify").results()) do
    local claim = result.claim
    lines[#lines + 1] = ("%s\t%s\t%.6g\t%s\t%.6g\t%s"):format(claim.id, claim.gpu, result.predicted, claim.unit,
      result.off, result.bound)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The table lectures.tsv by claim.
local function predictions()
  local by_claim = {}
  for _, row in ipairs(recorded.open("lectures", recorded.predictions)) do by_claim[row.claim] = row end
  return by_claim
end

local function rate_text(number, unit)
  return ("%s %s"):format(number == math.floor(number) and ("%d"):format(number) or text.number(number), unit)
end

local function escaped(s)
  return (s:gsub("|", "\\|"):gsub("\n", " "))
end

-- What was measured for a step, in the claim's unit if the step reports it in that unit, else how the step ended. A
-- speedup needs another step.
local function measured_text(step, claim)
  if not step then return NONE end
  local own = step.rate and step.unit ~= claim.unit and claim.unit
  local reported = own and (" " .. (step.detail or "") .. " "):match("[^%d.]([%d.]+ " .. own:gsub("%p", "%%%0")
    .. ")%A")
  if reported then return reported end
  if not step.rate or own == "×" then return step.result end
  local said = rate_text(step.rate, step.unit)
  return not claim.unit and step.detail and ("%s; %s"):format(said, escaped(step.detail)) or said
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
    measured = use.kind == "steps" and measured_text(lab and lab[use.item.id], claim) or NONE
    if predicted and predicted.unit == claim.unit then model = rate_text(predicted.value, predicted.unit) end
  end
  local place = claim.place or ("“%s”"):format(claim.slide)
  return ("| `%s` | %s, %s | %s | %s | %s | %s |"):format(claim.id, claim.source, escaped(place), said(claim), shown,
    model, measured)
end

local function heading(number, labs)
  for _, lab in ipairs(labs) do
    if lab.number == number then return "## " .. lab:heading() end
  end
  return ("## Lab %d"):format(number)
end

---The document as text.
---@param labs Lab[] @param results table of an H200, by lab number and step @param predicted table by claim
function claims.markdown(labs, results, predicted)
  local uses, lines, lab = uses_of(labs), {}, nil
  local function add(line) lines[#lines + 1] = line end
  add "# The lectures, claim by claim"
  add ""
  add "Written by `gpulab --claims`. Predicted and H200 numbers are recorded in `docs/records/results`."
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
    add(row(claim, uses[claim.id], results, predicted[claim.id]))
  end
  return table.concat(lines, "\n") .. "\n"
end

---Prints the table; returns the exit code.
function claims.run()
  local labs, complaints = require("gpulab.author.verify_labs").load()
  if #complaints > 0 then
    failure.raise("setup", table.concat(complaints, "\n"), nil,
      "fix these labs first: the table needs all of them")
  end
  io.stdout:write(claims.markdown(labs, recorded.by_lab "h200", predictions()))
  return 0
end

return claims
