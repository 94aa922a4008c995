-- JSON-RPC 2.0: reads requests one at a time, has them answered, and turns what they raise into errors. What a request
-- is about is its server's business (service.lua, lsp.lua).
local failure = require "gpulab.base.failure"
local frames = require "gpulab.frames"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"

local rpc = {}

rpc.codes = { parse = -32700, request = -32600, method = -32601, params = -32602, internal = -32603, early = -32002,
  failed = -32000, interrupted = -32800 }

local problems <const> = {
  malformed = { rpc.codes.parse, "a frame begins with \"Content-Length: N\", an empty line, and N bytes of JSON" },
  oversized = { rpc.codes.request, "the message has more than 64 MiB; send less at once" },
}

local texts -- Texts: what is said of them names the files that they stand for

local function message_text(...) return texts:named(json.encode(json.object("jsonrpc", "2.0", ...))) end

-- What a request raised, as an error object.
local function error_of(e)
  if type(e) == "table" and e.rpc then return json.object("code", e.rpc, "message", e.message) end
  local kind, said = failure.kind(e), "interrupted"
  if kind ~= said then said = text.printable(show.error_text(e, false)) end
  return json.object("code", kind == said and rpc.codes.interrupted or rpc.codes.failed, "message", said,
    "data", json.object("exit_code", failure.status(e), "category", kind,
      "hint", kind ~= said and type(e) == "table" and e.hint ~= "" and e.hint or nil))
end

---Ends a request with an error of the protocol.
---@param code integer of rpc.codes @param message string
function rpc.fail(code, message) error({ rpc = code, message = message }, 0) end

---Tells the client something, or with an id asks for it; what it answers is not waited for.
---@param method string @param params table? @param id integer? editors take no other kind
function rpc.notify(method, params, id)
  frames.send(message_text("id", id, "method", method, "params", params))
end

-- Reads a message into at.message; raises what is wrong with it.
local function read(at, content)
  if problems[content] then rpc.fail(table.unpack(problems[content])) end
  local ok, message = pcall(json.decode, content)
  if not ok then rpc.fail(rpc.codes.parse, "no JSON: " .. text.printable(text.said(message))) end
  if type(message) ~= "table" or #message > 0 then
    rpc.fail(rpc.codes.request, "a message is one object; batches are not supported")
  end
  local answers = message.error ~= nil or content:find('"result"', 1, true) -- even null, which is no field of a table
  if message.method == nil and answers then
    at.message = {}
    return
  end
  if message.id ~= nil and type(message.id) ~= "string" and type(message.id) ~= "number" then
    rpc.fail(rpc.codes.request, "\"id\" is a number or a string")
  end
  at.message.id = message.id or json.null
  if type(message.method) ~= "string" then rpc.fail(rpc.codes.request, "a request has \"method\", a string") end
  at.message = message
end

-- What a request is answered. A notification that is not known is ignored, and none is answered.
local function run(server, message)
  local params, id = message.params or {}, message.id
  if type(params) ~= "table" or #params > 0 then
    rpc.fail(rpc.codes.params, "params must be an object with the parameters by name")
  end
  if server.closed then
    return id ~= nil and rpc.fail(rpc.codes.request, "the session was shut down, and only exit may follow")
  end
  local method = server.methods[message.method]
  if method then return server:handle(message.method, method, params, id) end
  if id ~= nil then rpc.fail(rpc.codes.method, "there is no request " .. text.printable(message.method)) end
end

-- Ends the message that runs.
local function finish(at, ok, result)
  local id = at.message.id
  frames.finish(id ~= nil and message_text("id", id, "result", ok and (result or json.null) or nil,
    "error", not ok and error_of(result) or nil) or nil)
  at.message = nil
  return true
end

-- One message. False at the end. `at` has the message that runs, which an interrupt between two steps of this ends.
local function turn(server, at, problem)
  if problem and at.message then return finish(at, false, problem) end
  local content, cancelled = frames.next(server.closed or not server.has_work or not server:has_work())
  if content == nil then return false end
  if not content then
    host.protect(server.work, server)
    return true
  end
  at.message = { id = json.null } -- until it is read, what is wrong is answered without its id
  local ok, result = host.protect(function()
    read(at, content)
    if cancelled then failure.raise("interrupted", "interrupted") end
    return at.message.method and at.message.method ~= "exit" and run(server, at.message)
  end)
  return at.message.method ~= "exit" and finish(at, ok, result)
end

---Serves until the client leaves.
---@param server table methods by name; handle(self, name, method, params, id) has one answer; work(self) is done while
--- no message waits and has_work(self) is true; texts are its Texts
function rpc.serve(server)
  local at = {}
  texts = server.texts
  frames.open()
  host.turns(function(problem) return turn(server, at, problem) end)
end

return rpc
