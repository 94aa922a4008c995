-- A list of launches as a table: their counters where they were counted, and the predicted times.
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local lists = require "gpulab.base.lists"
local runner = require "gpulab.run.runner"

local launches = {}

local SHOWN <const> = 40
local MOST_GPUS <const> = 3 -- besides the device's own; `generations` has all

local function per(record, name)
  local ratio = runner.ratio(runner.counters(record), name)
  return ratio and text.number(ratio) or ""
end

local function time_cell(record)
  if record.outcome ~= "ok" then return { text = record.outcome, style = "bad" } end
  if record.times then return text.duration(record.times.ms) end
  return record.ms and not record.device.emulates and text.duration(record.ms) or ""
end

local function note_of(record)
  local made = record.ran ~= false or record.report
  if record.outcome == "ok" and not made then return "written out, and not launched" end
  if record.outcome ~= "ok" then return (record.brief or record.message or ""):match("[^\n]*") end
  if record.report and not record.times then return record:prediction() end
  return record.worst and record.worst.text
end

-- The GPUs that were asked for besides the device's own, by any of the launches.
local function others_of(list, first)
  local names, own = {}, list[#list].device.model
  for i = first, #list do
    for _, name in ipairs(list[i].asked or {}) do
      if name ~= own and #names < MOST_GPUS then lists.add_new(names, name) end
    end
  end
  return names
end

-- Its time on another GPU: predicted again where that was asked for since the launch ran, and its inputs are there.
local function other_time(record, name)
  local p = record.report and record:counted().report.models[name]
  return p and p.known and text.duration(p.ms) or record.report and "–" or ""
end

---@param list LaunchRecord[] the oldest first @param options table of table.render @return string[]
function launches.lines(list, options)
  local rows, first = {}, math.max(1, #list - SHOWN + 1)
  local others = others_of(list, first)
  for i = first, #list do
    local record = list[i]
    local c = runner.counters(record)
    rows[#rows + 1] = { record.id, record.title, c and text.count(c.warp_instructions) or "",
      per(record, "global_load"), per(record, "global_store"), per(record, "shared_load"),
      time_cell(record), record.times and record.times.bound or "", note = note_of(record) }
    for n, name in ipairs(others) do table.insert(rows[#rows], 7 + n, other_time(record, name)) end
  end
  local emulates = list[#list].device.emulates
  local time = { header = { emulates and "predicted" or "measured", list[#list].device.model or "" }, right = true }
  local limited = #others > 0 and "limited by|" .. (list[#list].device.model or "") or "limited by"
  local columns = tables.columns { ">", "launch:16", ">warp|instr.", ">sectors|load", ">|store", ">wavefr.|load", time,
    limited .. ":8" }
  for n, name in ipairs(others) do
    table.insert(columns, 7 + n, { header = { "predicted", name }, right = true })
  end
  local lines = tables.render(columns, rows, options)
  if first > 1 then text.add(lines, ("%s came before."):format(text.plural(first - 1, "launch"))) end
  local id = list[#list].id
  text.add(lines, ("Sectors and wavefronts per request. `why %s`, `lines %s`, and others explain one."):format(id, id))
  return lines
end

return launches
