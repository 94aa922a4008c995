-- JSON-RPC 2.0: reads requests one at a time, has them answered, and turns what they raise into errors. What a request
-- is about is its server's business (service.lua, lsp/server.lua).
local failure = require "gpulab.base.failure"
local frames = require "gpulab.frames"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"

local rpc = {}

rpc.codes = { parse = -32700, request = -32600, method = -32601, params = -32602, internal = -32603, failed = -32000,
  interrupted = -32800 }

local problems <const> = {
  malformed = { rpc.codes.parse, "a frame begins with \"Content-Length: N\", an empty line, and N bytes of JSON" },
  oversized = { rpc.codes.request, "the message has more than 64 MiB; send less at once" },
}

local said -- what the server makes of a message's text

local function message_text(...) return said(json.encode(json.object("jsonrpc", "2.0", ...))) end

local function error_text(id, code, message, data)
  return message_text("id", id == nil and json.null or id,
    "error", json.object("code", code, "message", message, "data", data))
end

-- What a request raised, as an error object's code, message and data.
local function error_of(e)
  if type(e) == "table" and e.rpc then return e.rpc, e.message end
  local kind = failure.kind(e)
  if kind == "interrupted" then
    return rpc.codes.interrupted, "interrupted", json.object("exit_code", failure.code(kind), "category", kind)
  end
  return rpc.codes.failed, text.printable(show.error_text(e, false)), json.object("exit_code", failure.status(e),
    "category", kind, "hint", type(e) == "table" and e.hint ~= "" and e.hint or nil)
end

---Ends a request with an error of the protocol.
---@param code integer of rpc.codes @param message string
function rpc.fail(code, message) error({ rpc = code, message = message }, 0) end

---The method of a message. A request for one that there is not fails; such a notification is ignored.
---@param methods table<string, function> @param name string @param id any @return function?
function rpc.method(methods, name, id)
  if not methods[name] and id ~= nil then
    rpc.fail(rpc.codes.method, ("there is no request %s"):format(text.printable(name)))
  end
  return methods[name]
end

---Tells the client something.
---@param method string @param params table
function rpc.notify(method, params)
  frames.send(message_text("method", method, "params", params))
end

---Asks the client; what it answers is not waited for.
---@param id integer editors take no other kind @param method string
function rpc.ask(id, method)
  frames.send(message_text("id", id, "method", method))
end

-- The message, or nil and the answer that says what is wrong with it.
local function decoded(content)
  local ok, message = pcall(json.decode, content)
  if not ok then return nil, error_text(nil, rpc.codes.parse, "no JSON: " .. text.printable(text.said(message))) end
  if type(message) ~= "table" or #message > 0 then
    return nil, error_text(nil, rpc.codes.request, "a message is one object; batches are not supported")
  end
  local id = (type(message.id) == "string" or type(message.id) == "number") and message.id or nil
  local answers = message.error ~= nil or content:find('"result"', 1, true) -- even null, which is no field of a table
  if message.method == nil and answers then return nil end
  if type(message.method) ~= "string" then
    return nil, error_text(id, rpc.codes.request, "a request has \"method\", a string")
  end
  if message.id ~= nil and not id then
    return nil, error_text(nil, rpc.codes.request, "\"id\" is a number or a string")
  end
  return message
end

-- The answer to a request, as text; nil for a notification.
local function answered(server, message)
  local ok, result = host.protect(function()
    local params = message.params or {}
    if type(params) ~= "table" or #params > 0 then
      rpc.fail(rpc.codes.params, "params must be an object with the parameters by name")
    end
    local value = server:handle(message.method, params, message.id)
    return message.id ~= nil and message_text("id", message.id, "result", value)
  end)
  if message.id == nil then return nil end
  if ok then return result end
  return error_text(message.id, error_of(result))
end

-- One message. False at the end. `at` has the message that runs, which an interrupt between two steps of this ends.
local function turn(server, at, problem)
  if problem and at.message then
    local id = at.message.id
    frames.finish(id ~= nil and error_text(id, error_of(problem)) or nil)
    at.message = nil
    return true
  end
  local content, wrong, cancelled = frames.next(not (server.has_work and server:has_work()))
  if content == false then
    host.protect(server.work, server)
    return true
  end
  if wrong then
    frames.finish(error_text(nil, table.unpack(problems[wrong])))
    return true
  elseif not content then
    return false
  end
  local message, answer = decoded(content)
  if not message then
    frames.finish(answer)
    return true
  end
  if message.method == "exit" then return false end
  at.message = message
  if cancelled then
    answer = error_text(message.id, error_of(failure.new("interrupted", "interrupted")))
  else
    answer = answered(server, message)
  end
  frames.finish(answer)
  at.message = nil
  return true
end

---Serves until the client leaves.
---@param server table handle(self, method, params, id) answers; said(self, text) is what the client gets as a
--- message's text; work(self), if there is one, is done while no message waits and has_work(self) is true
function rpc.serve(server)
  local at = {}
  said = function(message) return server:said(message) end
  frames.open()
  host.turns(function(problem) return turn(server, at, problem) end)
end

return rpc
