-- The steps' predictions by the models of GPUs, side by side.
local lists = require "gpulab.base.lists"
local parts = require "gpulab.show.page.parts"
local text = require "gpulab.base.text"
local report = require "gpulab.show.report"
local value = require "gpulab.base.value"

local models = {}

-- The GPUs that some step is predicted for, in the order of their appearance.
local function gpus_of(records)
  local list = {}
  for _, record in ipairs(records) do
    for _, row in ipairs(record.models) do
      if row.known then lists.add_new(list, row.gpu) end
    end
  end
  return list
end

local function cell(row)
  if not row then return "–" end
  if not row.known or not row.ms then return { text = "–", small = row.note } end
  local said = row.rate and ("%s %s"):format(value.number(row.rate), value.unit(row.rate))
    or text.duration(row.ms)
  return { text = said, small = row.bound }
end

---A row per step, a column per GPU: the rate, or the time where a step has no rate, and what limits it. "" where no
---model was asked for, or nothing is predicted: the tables of the steps have the lecture's GPU.
---@param run table as page.html takes it @return string
function models.html(run)
  local gpus = #(run.asked or {}) > 0 and gpus_of(run.records) or {}
  if #gpus == 0 then return "" end
  local rows = {}
  for _, record in ipairs(run.records) do
    if #record.models > 0 then
      rows[#rows + 1] = lists.append({ report.title(record.step, record.params or run.params) },
        lists.map(gpus, function(gpu) return cell(lists.find(record.models, "gpu", gpu)) end))
    end
  end
  return parts.simple_table(lists.append({ "step" }, gpus), rows)
end

return models
