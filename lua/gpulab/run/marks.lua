-- What a student did in a lab besides running steps: exercises passed, hints seen, solutions shown, predictions, notes,
-- the last step. The journal stores it, so that it outlives the prompt and is shared between prompts. Without a journal
-- it lasts as long as the session.
local journal = require "gpulab.run.journal"

local marks = {}

local Marks = {}
Marks.__index = Marks

---@param lab string a lab's id
function marks.new(lab)
  return setmetatable({ lab = lab, unkept = {} }, Marks)
end

---Kinds of marks as the journal names them; a prediction is a "guess" there.
---@param what "passed"|"hint"|"solution"|"guess"|"seen"|"note"|"place"|"setting"
---@param name string a step's or an exercise's id
---@param more? {text: string?, unit: string?, number: number?, truth: number?}
function Marks:add(what, name, more)
  local mark = { lab = self.lab, what = what, name = name }
  for key, v in pairs(more or {}) do mark[key] = v end
  if not journal.mark(mark) then
    mark.time = os.time() * 1000
    table.insert(self.unkept, 1, mark)
  end
end

---The marks of a kind, newest first.
---@param what string @param name? string of this step or exercise alone
---@return table[]
function Marks:list(what, name)
  local found = {}
  for _, source in ipairs { self.unkept, journal.marks(self.lab) } do
    for _, mark in ipairs(source) do
      if mark.what == what and (not name or mark.name == name) then found[#found + 1] = mark end
    end
  end
  return found
end

---How often each kind of mark was made on each name: counts.passed["row-sums"] is 1. Of hints the highest number.
---@return table<string, table<string, integer>>
function Marks:counts()
  local counts = setmetatable({}, { __index = function(t, what)
    local made = setmetatable({}, { __index = function() return 0 end })
    rawset(t, what, made)
    return made
  end })
  for _, source in ipairs { self.unkept, journal.marks(self.lab) } do
    for _, mark in ipairs(source) do
      local of = counts[mark.what]
      local hint = mark.what == "hint" and (math.tointeger(mark.number) or 1)
      of[mark.name] = hint and math.max(of[mark.name], hint) or of[mark.name] + 1
    end
  end
  return counts
end

return marks
