-- The service: one session for an editor or a notebook. What a request does is in requests.lua.
local batch = require "gpulab.show.batch"
local json = require "gpulab.base.json"
local printed = require "gpulab.serve.printed"
local progress = require "gpulab.base.progress"
local protocol = require "gpulab.serve.protocol"
local repl = require "gpulab.prompt.repl"
local requests = require "gpulab.serve.requests"
local rpc = require "gpulab.serve.rpc"
local texts = require "gpulab.serve.texts"

local service = {}

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

---The device as an answer has it.
function Service.device()
  local device = gpu.device
  return json.object("name", device.name, "backend", device.backend, "emulates", device.emulates, "gpu", device.gpu,
    "line", batch.device_line(device))
end

-- While a request runs, what it prints and how far it is goes to the client at once.
local function tell_client(id)
  progress.sink = id ~= nil and function(what, number, total)
    rpc.notify("progress", json.object("id", id, "text", what, "done", number - 1, "total", total))
  end or nil
  printed.listen = id ~= nil and function(stream, said)
    rpc.notify("output", json.object("id", id, "stream", stream, "text", said))
  end or nil
end

---Answers a request; raises what is wrong with it.
function Service:handle(name, method, params, id)
  local problem = protocol.problem(name, params)
  if problem then rpc.fail(rpc.codes.params, problem) end
  tell_client(id)
  return method(self, params)
end

---Is there something to do while no message waits?
function Service.has_work() return false end

---Closes what is open; the answer to a request for that.
function Service:shutdown()
  self.closed = true
  if self.prompt and self.prompt.session then self.prompt.session:close() end
  self.texts:close()
  return json.null
end

---Serves until the client leaves.
---@param options table of gpulab @param self table? a server's own fields @param class table? its methods
---@return integer status
function service.run(options, self, class)
  self = setmetatable(self or {}, class or Service)
  self.options, self.texts = options, texts.new()
  options.color, options.color_stderr, options.terminal = false, false, false
  options.interactive, options.piped, options.quiet = true, true, false -- a prompt that asks no questions
  printed.take()
  rpc.serve(self)
  self:shutdown()
  return 0
end

return service
