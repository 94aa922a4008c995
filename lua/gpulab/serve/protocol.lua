-- What the service understands: the requests of docs/reference/serve.schema.json, which is built in. It has the types
-- of NAME.params and NAME.result, by the names of requests and notifications; the former are checked here.
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local schema = require "gpulab.lab.schema"

local protocol = { schema = require "gpulab.base.requests" }

---The views of a record, each a request and a command of the prompt.
protocol.views = { "why", "lines", "counters", "roofline", "generations", "resources", "compare", "disassemble",
  "schedules", "diff", "partitions" }

local kinds <const> = { object = "map", integer = "size", array = "list" }

-- What lab/schema.lua calls the types of a property.
local function kinds_of(property)
  local types = type(property.type) == "table" and property.type or { property.type }
  return lists.map(types, function(name)
    local item = name == "array" and property.items
    return item and "list of " .. (kinds[item.type] or item.type) or kinds[name] or name
  end)
end

---What is wrong with a request's parameters; nil: nothing.
---@param name string of the request @param params table @return string?
function protocol.problem(name, params)
  protocol.types = protocol.types or json.decode(protocol.schema)["$defs"]
  local definition, known = protocol.types[name .. ".params"], {}
  local required = lists.set(definition.required)
  for field, property in pairs(definition.properties) do
    known[field] = { kinds = kinds_of(property), required = required[field] }
  end
  local ok, e = pcall(schema.check, { whose = name, where = "" }, params, known)
  return not ok and tostring(e) or nil
end

return protocol
