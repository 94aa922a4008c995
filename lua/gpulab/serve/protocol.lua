-- What the service understands: each request with its parameters and what it answers, as texts "name: type". From this
-- list come the checks of parameters and docs/reference/serve.schema.json (gpulab serve --schema).
--
-- A type is string, integer, boolean, object, list, "list of TYPE", or alternatives with |. Integers are at least 0. A
-- name that ends in ? may be absent; one that is null is absent.
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local schema = require "gpulab.lab.schema"

local protocol = {}

local SHOWN <const> = "record?: object, mime: object"

---@class Request
---@field name string @field params string @field result string? nil: a notification, which has no answer
---@field to string? "client": the service sends it
protocol.requests = {
  { name = "initialize", params = "columns?: integer, color?: boolean",
    result = "version: string, protocol: integer, device: object, labs: list, style: string" },
  { name = "open", params = "lab?: string|integer, file?: string, program?: string, arguments?: list of string,"
    .. " device?: string, models?: list of string, check?: list of string, parameters?: object,"
    .. " defines?: list of string, include?: list of string",
    result = "title: string, kind: string, steps: list, exercises: list, kernels: list, mime: object" },
  { name = "source", params = "file: string, text?: string", result = "" },
  { name = "steps", params = "", result = "steps: list" },
  { name = "run", params = "step?: string, exercise?: string, launch?: string, code?: string",
    result = "records: list, kernels?: list, mime: object, exit_code: integer" },
  { name = "launch", params = "kernel: string, grid: integer|list of integer, block: integer|list of integer,"
    .. " shared?: integer, arguments: list",
    result = "records: list, arguments: list, mime: object, exit_code: integer" },
  { name = "check", params = "exercise: string, text?: string",
    result = "exit_code: integer, verdict: object, conditions: list, mime: object" },
  { name = "command", params = "line: string",
    result = "records?: list, record?: object, mime: object, exit_code?: integer" },
  { name = "complete", params = "line: string, position?: integer", result = "from: integer, items: list" },
  { name = "hover", params = "of?: string, file?: string, line: integer", result = SHOWN },
  { name = "shutdown", params = "", result = "" },
  { name = "cancel", params = "id: string|integer" },
  { name = "exit", params = "" },
  { name = "progress", params = "id: string|integer, text: string, done?: integer, total?: integer", to = "client" },
  { name = "output", params = "id: string|integer, stream: string, text: string", to = "client" },
}

---The views of a record, each a request and a command of the prompt.
protocol.views = { "why", "lines", "counters", "roofline", "generations", "resources", "compare", "disassemble",
  "schedules", "diff", "partitions" }

for _, name in ipairs(protocol.views) do
  table.insert(protocol.requests, { name = name, params = "of?: string", result = SHOWN })
end

-- "name?: type, ..." as a list of {name, type, optional}.
local function fields(said)
  local found = {}
  for name, optional, kind in said:gmatch "([%w_]+)(%??): ([^,]+)" do
    found[#found + 1] = { name = name, type = kind, optional = optional == "?" }
  end
  return found
end

---What is wrong with a request's parameters; nil: nothing.
---@param name string of the request @param params table @return string?
function protocol.problem(name, params)
  local known = {}
  for _, field in ipairs(fields(lists.find(protocol.requests, "name", name).params)) do
    local kinds = {}
    for kind in field.type:gsub("object", "map"):gsub("integer", "size"):gmatch "[^|]+" do kinds[#kinds + 1] = kind end
    known[field.name] = { kinds = kinds, required = not field.optional }
  end
  local ok, e = pcall(schema.check, { whose = name, where = "" }, params, known)
  return not ok and tostring(e) or nil
end

-- The schema --------------------------------------------------------------------------------------

local function schema_of_type(said)
  local kinds = json.list {}
  for kind in said:gmatch "[^|]+" do
    local item = kind:match "^list of (.*)$"
    local is_list = item or kind == "list"
    kinds[#kinds + 1] = json.object("type", is_list and "array" or kind, "items", item and schema_of_type(item) or nil)
  end
  return #kinds == 1 and kinds[1] or json.object("anyOf", kinds)
end

local function schema_of(said, closed)
  local properties, required = json.object(), json.list {}
  for _, field in ipairs(fields(said)) do
    json.put(properties, field.name, schema_of_type(field.type))
    if not field.optional then required[#required + 1] = field.name end
  end
  return json.object("type", "object", "properties", properties, "required", required,
    "additionalProperties", not closed)
end

---The protocol as a JSON schema: under $defs, "NAME.params" and "NAME.result" of each request.
function protocol.schema()
  local defs = json.object()
  for _, request in ipairs(protocol.requests) do
    json.put(defs, request.name .. ".params", schema_of(request.params, true))
    if request.result then json.put(defs, request.name .. ".result", schema_of(request.result, false)) end
  end
  return json.object("$schema", "https://json-schema.org/draft/2020-12/schema", "title", "gpulab serve, protocol 1",
    "$defs", defs)
end

return protocol
