-- gpulab grade --prompt: a prompt on the submissions, each of which can be explained as a step of a lab is.
local fs = require "gpulab.fs"
local labs = require "gpulab.grade.labs"
local pool = require "gpulab.grade.pool"
local record_list = require "gpulab.record.list"
local submission = require "gpulab.record.submission"
local text = require "gpulab.base.text"

local prompt = {}

-- The files that were checked, as records with their verdicts.
local function records_of(list, items, folder, device)
  local records = record_list.new()
  for i, student in ipairs(list) do
    for _, item in ipairs(items) do
      local file, verdict = student.files[item.id], student.verdicts[item.id]
      if file and file.text then
        local own, name = pool.write(("%s/%d"):format(folder, i), item, file)
        table.insert(records.launches, submission.new({ number = #records.launches + 1,
          name = ("%s/%s"):format(student.name, item.id), lab = item.lab, exercise = item.exercise,
          path = own .. "/" .. name, seed = pool.seed(student, item), outcome = verdict.outcome,
          message = verdict.message }, device, function() labs.load(item.lab_path) end))
      end
    end
  end
  records.made = #records.launches
  records.latest = records.launches[1]
  return records
end

---@param list table[] the submissions with their verdicts @param items table[] of a scheme @param state string a folder
---@param options table of gpulab @return integer? status of piped commands
function prompt.open(list, items, state, options)
  local device <close> = gpu.open "emu"
  local folder = state .. "/prompt"
  local _ <close> = setmetatable({}, { __close = function()
    if fs.kind(folder) then pool.clear(folder) end
  end })
  local records = records_of(list, items, folder, device)
  if not records.latest then
    io.stderr:write("gpulab: no file was checked, so there is nothing to explain\n")
    return nil
  end
  return require("gpulab.prompt.on_records").open(records, options, "grade", text.wrap(
    ("`why %s`, `lines 1`, `debug 1`, and others take a submission, by its name or number. ? lists the commands.")
    :format(records.latest.kernel), ""))
end

return prompt
