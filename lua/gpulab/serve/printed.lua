-- What is printed while a request runs: by gpulab, by a script, and by kernels. It becomes part of the answer, and
-- reaches no descriptor.
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"

local printed = {}

local chunks = {} -- of the request that runs

---Takes each text as it appears: listen(stream, text), stream "stdout", "stderr" or "kernel".
---@type fun(stream: string, text: string)?
printed.listen = nil

local function add(stream, said)
  if said == "" then return end
  chunks[#chunks + 1] = said
  if printed.listen then printed.listen(stream, said) end
end

local function from_kernels() add("kernel", host.printed()) end

-- Stands for a file that is open for writing.
local function sink(stream)
  local file = {}
  function file:write(...)
    from_kernels()
    add(stream, table.concat(lists.map({ ... }, text.said)))
    return self
  end
  return setmetatable(file, { __index = function() return function(self) return self end end })
end

---From now on nothing is printed on standard output and error, by gpulab's own modules or by scripts.
function printed.take()
  local out, err = sink "stdout", sink "stderr"
  show.print_to(out)
  for _, library in ipairs { io, _G.io } do
    library.stdout, library.stderr = out, err -- luacheck: ignore 122
    library.write = function(...) return out:write(...) end
  end
  host.printed()
end

---Calls f; what was printed, and the two values that f returned. If it raises, so does this.
---@return string, any, any
function printed.during(f, ...)
  chunks = {}
  host.printed()
  local first, second = f(...)
  from_kernels()
  return table.concat(chunks), first, second
end

return printed
