-- Where a student left a lab: the step and the parameters that were set. Stored after every command that ran
-- something, so that a crash does not lose it. With two prompts on one lab the last one wins.
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local place = {}

local NOWHERE <const> = "-" -- a lab in which a parameter was set before any step was shown

---Stores the place of the session if it changed.
---@param session table {lab, left, chosen, touched, marks}; left: the last step that the student ran
function place.remember(session)
  if not session.touched then return end
  local step = session.lab.steps[session.left]
  local name, params = step and step.id or NOWHERE, steps.key(session.chosen)
  local now = name .. " " .. params
  if session.remembered == now or not session.remembered and not step and params == "" then return end
  session.remembered = now
  session.marks:add("place", name, { text = params })
end

-- The parameters of a text "n=64 c=6" that the lab still accepts; the others are dropped.
local function parameters(lab, said)
  local chosen = {}
  for name, value in said:gmatch("([%w_]+)=(%S+)") do
    if lab.params[name] and pcall(lab.parameters, lab, { [name] = value }) then chosen[name] = value end
  end
  return chosen
end

local function sentence(session, at, recalled)
  local parts = {}
  local names = lists.map(lists.keys(recalled), function(name) return ("%s = %s"):format(name, recalled[name]) end)
  local lab = session.lab
  if at then parts[1] = ("at step %s (%d of %d)"):format(lab.steps[at].id, at, #lab.steps) end
  if #names > 0 then parts[#parts + 1] = "with " .. text.list(names) end
  if #parts == 0 then return nil end
  local further = at and at < #lab.steps and "`show` shows it again, `next` continues."
    or at and "`show` shows it again." or "`set` shows the parameters."
  return ("You left off %s. %s"):format(table.concat(parts, " "), further)
end

---Sets the session's parameters and step: those of the command line, else those of the last session.
---@return string[]? lines that name the last place, nil for a fresh start
function place.recall(session)
  local lab, options = session.lab, session.options
  local mark = session.marks:list("place")[1]
  local recalled = mark and parameters(lab, mark.text or "") or {}
  for name in pairs(options.set or {}) do recalled[name] = nil end
  session.chosen = {}
  for _, source in ipairs { recalled, options.set or {} } do
    for name, value in pairs(source) do session.chosen[name] = tostring(value) end
  end
  session:set_parameters(session:likely_emulated())
  local step = mark and not options.step and lists.find(lab.steps, "id", mark.name)
  local at = step and select(2, lab:step(step.id)) or nil
  session.at, session.left, session.recalled, session.missing = at or 0, at or 0, at or 0, {}
  session.remembered = mark and mark.name .. " " .. (mark.text or "")
  local said = sentence(session, at, recalled)
  return said and text.wrap(said) or nil
end

return place
