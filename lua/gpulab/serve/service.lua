-- gpulab serve: one session for an editor or a notebook. What a request does is in requests.lua, and what parameters it
-- has in docs/reference/serve.schema.json, which is built in.
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local progress = require "gpulab.base.progress"
local protocol = require "gpulab.base.requests"
local repl = require "gpulab.prompt.repl"
local requests = require "gpulab.serve.requests"
local rpc = require "gpulab.serve.rpc"
local schema = require "gpulab.lab.schema"
local show = require "gpulab.base.show"
local subcommand = require "gpulab.base.subcommand"
local text = require "gpulab.base.text"
local texts = require "gpulab.serve.texts"

local service = {}

local spec <const> = { name = "serve", usage = "gpulab serve [--stdio | --schema]", least = 0, most = 0,
  summary = "Serves one session to an editor or a notebook: JSON-RPC 2.0 on standard input and output.",
  flags = { { "stdio", nil, "use standard input and output, which is the only way" },
    { "schema", nil, "print the JSON schema of requests and answers" } } }

---@class Service
---@field options table of the prompt @field prompt Prompt @field texts Texts
---@field lab string? the path of the open lab
local Service = { methods = requests }
Service.__index, service.Service = Service, Service

---A prompt without a lab or a file, in place of the one that is open.
function Service:fresh_prompt()
  if self.prompt and self.prompt.session then self.prompt.session:close() end
  self.options.records = nil
  self.prompt, self.lab, self.kernels = repl.new(self.options), nil, nil
  self.prompt:offer_functions()
  self.prompt.open_session = function(...) return require("gpulab.prompt.session").open(...) end
  return self.prompt
end

---Opens a lab in place of what is open.
---@param path string
function Service:open_lab(path)
  self:fresh_prompt():open_lab(path)
  self.lab = path
end

---The open session of a lab; raises without one.
function Service:session()
  local session = self.prompt and self.prompt.session
  if session then return session end
  gpu.raise("usage", "no lab is open", "send open with lab first")
end

---@return Prompt
function Service:any_prompt() return self.prompt or self:fresh_prompt() end

local definitions -- of the schema
local kinds <const> = { object = "map", integer = "size", array = "list" }

-- What lab/schema.lua calls the types of a property.
local function kinds_of(property)
  local types = type(property.type) == "table" and property.type or { property.type }
  return lists.map(types, function(name)
    local item = name == "array" and property.items
    return item and "list of " .. (kinds[item.type] or item.type) or kinds[name] or name
  end)
end

-- What is wrong with a request's parameters; nil: nothing.
local function problem_of(name, params)
  definitions = definitions or json.decode(protocol)["$defs"]
  local definition, known = definitions[name .. ".params"] or definitions["view.params"], {}
  local required = lists.set(definition.required)
  for field, property in pairs(definition.properties) do
    known[field] = { kinds = kinds_of(property), required = required[field] }
  end
  local ok, e = pcall(schema.check, { whose = name, where = "" }, params, known)
  return not ok and tostring(e) or nil
end

local chunks, listen = {}, nil -- what gpulab, scripts and kernels print while a request runs; who hears it at once

local function add(stream, said)
  if said == "" then return end
  chunks[#chunks + 1] = said
  if listen then listen(stream, said) end
end

-- Stands for a file that is open for writing.
local function sink(stream)
  local file = setmetatable({}, { __index = function() return function(self) return self end end })
  function file:write(...)
    add("kernel", host.printed())
    add(stream, table.concat(lists.map({ ... }, text.said)))
    return self
  end
  return file
end

---Calls f; what was printed, and the two values that f returned. If it raises, so does this.
---@return string, any, any
function service.printed(f, ...)
  chunks = {}
  host.printed()
  local first, second = f(...)
  add("kernel", host.printed())
  return table.concat(chunks), first, second
end

-- While a request runs, what it prints and how far it is goes to the client at once.
local function tell_client(id)
  progress.sink = id ~= nil and function(what, number, total)
    rpc.notify("progress", json.object("id", id, "text", what, "done", number - 1, "total", total))
  end or nil
  listen = id ~= nil and function(stream, said)
    rpc.notify("output", json.object("id", id, "stream", stream, "text", said))
  end or nil
end

---Answers a request; raises what is wrong with it.
function Service:handle(name, method, params, id)
  local problem = problem_of(name, params)
  if problem then rpc.fail(rpc.codes.params, problem) end
  tell_client(id)
  local said, answer, mime = service.printed(method, self, params)
  return mime and json.put(answer, "mime", mime(said)) or answer
end

---Closes what is open; the answer to a request for that.
function Service:shutdown()
  self.closed = true
  if self.prompt and self.prompt.session then self.prompt.session:close() end
  self.texts:close()
  return json.null
end

---Serves until the client leaves; with --help or --schema prints that.
---@param options table of gpulab @param words string[] after the subcommand @param own table? a server's subcommand
---@param self table? its own fields @param class table? its methods @return integer status
function service.run(options, words, own, self, class)
  local given = subcommand.parse(own or spec, words)
  if not given then return 0 end
  if given.schema then
    print(protocol)
    return 0
  end
  self = setmetatable(self or {}, class or Service)
  self.options, self.texts = options, texts.new()
  options.color, options.color_stderr, options.terminal = false, false, false
  options.interactive, options.piped, options.quiet = true, true, false -- a prompt that asks no questions
  local out, err = sink "stdout", sink "stderr" -- nothing reaches a descriptor
  show.print_to(out)
  for _, library in ipairs { io, _G.io } do
    library.stdout, library.stderr = out, err -- luacheck: ignore 122
    library.write = function(...) return out:write(...) end
  end
  rpc.serve(self)
  self:shutdown()
  return 0
end

return service
