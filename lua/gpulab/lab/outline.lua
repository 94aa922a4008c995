-- What a lab's file says of itself without being run: its id, title and exercises, where they are written as plain
-- texts (id = "...") as in the labs here. Lists of labs run no lab's code.
local files = require "gpulab.base.files"

local outline = {}

-- The exercises in their order: what has an id between "exercises = {" and the brace below it.
local function exercises_of(source)
  local exercises, indent = {}, nil
  for line in source:gmatch("[^\n]+") do
    local id = indent and line:match("^[%s{]*id = \"([^\"\\]*)\"")
    if id then exercises[#exercises + 1] = { id = id } end
    if indent and line:match("^" .. indent .. "}") then break end
    indent = indent or line:match("^(%s*)l?o?c?a?l? ?exercises = {$")
  end
  return exercises
end

---@param path string @return table? outline {id, title, exercises}: nil where it cannot be read so; and why
function outline.read(path)
  local chunk, problem = loadfile(path, "t")
  if not chunk then return nil, problem end
  local source = files.read(path) or ""
  local head = source:match("lab%.define%s*{(.*)") or ""
  local function first(name) return head:match("%f[%w_]" .. name .. " = \"([^\"\\\n]*)\"") end
  return { id = first "id", title = first "title", exercises = exercises_of(source) }
end

return outline
