-- gpulab lsp: the Language Server Protocol over the functions of the service. A file is looked at when it is opened and
-- when it is saved, once no message waits; checkers of a step run after that. docs/guide/editors.md is for its users.
local convert = require "gpulab.serve.lsp.convert"
local diagnose = require "gpulab.serve.diagnose"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local frames = require "gpulab.frames"
local hints = require "gpulab.serve.hints"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local printed = require "gpulab.serve.printed"
local report = require "gpulab.show.report"
local rpc = require "gpulab.serve.rpc"
local service = require "gpulab.serve.service"
local text = require "gpulab.base.text"

local server = {}

---@class LanguageServer: Service
---@field waiting string[] paths to be looked at @field later string[] paths to be checked
---@field published table<string, table<string, true>> by path: the files that have diagnostics because of it
---@field can table what the client can do
local Server = setmetatable({}, service.Service)
Server.__index = Server

local methods = {}

-- What the client is told -------------------------------------------------------------------------

local function refresh(self, what)
  if self.can[what] then
    self.refreshed = self.refreshed + 1
    rpc.ask(self.refreshed, ("workspace/%s/refresh"):format(what))
  end
end

-- Hints as diagnostics, for editors without inlay hints.
local function hint_findings(self, state)
  if self.can.inlayHint then return {} end
  return lists.map(state.hints, function(one)
    return { file = one.file, line = one.line, severity = "hint", code = "counters", message = one.label, related = {} }
  end)
end

local function publish(self, state)
  local by_file, own = { [state.path] = {} }, self.published[state.path] or {}
  for _, one in ipairs(lists.joined(state.findings, hint_findings(self, state))) do
    if one.file:sub(1, 1) == "/" then
      by_file[one.file] = by_file[one.file] or {}
      table.insert(by_file[one.file], one)
    end
  end
  for file in pairs(own) do by_file[file] = by_file[file] or {} end
  self.published[state.path] = {}
  for file, found in pairs(by_file) do
    local lines = text.lines(file == state.path and state.source or files.read(file) or "")
    self.published[state.path][file] = #found > 0 or nil
    rpc.notify("textDocument/publishDiagnostics", json.object("uri", convert.uri(file), "diagnostics",
      json.each(found, function(one) return convert.diagnostic(one, lines) end)))
  end
end

local function show(said, kind)
  rpc.notify("window/showMessage", json.object("type", kind or 3, "message", said))
end

-- Work --------------------------------------------------------------------------------------------

local function look(self, path)
  local state
  printed.during(function() state = diagnose.file(self, path) end)
  publish(self, state)
  if state.record then lists.add_new(self.later, path) end
  refresh(self, "inlayHint")
  refresh(self, "codeLens")
  return state
end

function Server:has_work() return #self.waiting > 0 or #self.later > 0 end

-- The checkers on a file's launch, which a message interrupts; then they begin again when no message waits.
local function check(self)
  local path = self.later[1]
  local state = self.states[path]
  if not frames.yields(true) then return end
  local function known() return #state.findings + #hint_findings(self, state) end
  local before = state and known()
  local ok, e = host.protect(function() return state and diagnose.check(state) end)
  frames.yields(false)
  if not ok and failure.kind(e) == "interrupted" then
    state.checked = nil
    return
  end
  table.remove(self.later, 1)
  if not state then return end
  if known() > before then publish(self, state) end
  refresh(self, "inlayHint")
end

---One piece of work: a file that was saved, else the checkers on one.
function Server:work()
  local path = table.remove(self.waiting, 1)
  if path then
    local ok, e = host.catch(look, self, path)
    if not ok then show(text.said(e), 1) end
    return
  end
  printed.during(check, self)
end

-- Files -------------------------------------------------------------------------------------------

local function path_of(params)
  local document = type(params.textDocument) == "table" and params.textDocument or {}
  local path = convert.path(document.uri)
  if not path then rpc.fail(rpc.codes.params, "textDocument.uri must be the address of a file, file:///...") end
  return path, document.uri
end

local function later(self, params)
  local path = path_of(params)
  if path:match "%.cuh?$" then lists.add_new(self.waiting, path) end
end

methods["textDocument/didOpen"] = later
methods["textDocument/didSave"] = later
methods["textDocument/didChange"] = function() end
methods["textDocument/didClose"] = function(self, params)
  local path = path_of(params)
  if self.published[path] then
    publish(self, { path = path, source = "", findings = {}, hints = {} })
  end
  self.states[path], self.published[path] = nil, nil
end

-- What was found of a file, and the lines that it had.
local function state_of(self, params)
  local path, uri = path_of(params)
  local state = self.states[path] or { source = "", findings = {}, hints = {}, lenses = {} }
  return state, text.lines(state.source), uri
end

local function position_of(params)
  local position = params.position
  local line = type(position) == "table" and math.tointeger(position.line)
  if not line then rpc.fail(rpc.codes.params, "position must have line, an integer") end
  return line + 1
end

-- Requests ----------------------------------------------------------------------------------------

methods["textDocument/hover"] = function(self, params)
  local state, line = state_of(self, params), position_of(params)
  local lines = state.record and hints.full(state.record, state.file, line)
  if not lines then return json.null end
  return json.object("contents", convert.markdown(table.concat(lines, "\n")))
end

methods["textDocument/inlayHint"] = function(self, params)
  local state, lines = state_of(self, params)
  local found = lists.select(state.hints, function(one) return one.file == state.file end)
  return json.each(found, function(one)
    return json.object("position", convert.line_end(lines, one.line), "label", one.label, "paddingLeft", true,
      "tooltip", one.fixes and one.fixes[1].title or nil)
  end)
end

methods["textDocument/codeLens"] = function(self, params)
  local state, lines, uri = state_of(self, params)
  return json.each(state.lenses, function(one)
    return json.object("range", convert.range(lines, one.line), "command", json.object("title", one.title,
      "command", one.command, "arguments", json.list { uri, one.of }))
  end)
end

methods["textDocument/codeAction"] = function(self, params)
  local state, lines, uri = state_of(self, params)
  local range = type(params.range) == "table" and params.range or {}
  local first = position_of { position = range.start }
  local last = position_of { position = range["end"] }
  local actions, seen = json.list {}, {}
  for _, one in ipairs(lists.joined(state.findings, state.hints)) do
    if one.file == state.file and one.line >= first and one.line <= last then
      for _, fix in ipairs(one.fixes or {}) do
        local key = fix.line .. fix.new
        if not seen[key] then actions[#actions + 1] = convert.action(fix, uri, lines) end
        seen[key] = true
      end
    end
  end
  return actions
end

-- Commands ----------------------------------------------------------------------------------------

local commands = {}

-- What the lens with a command is about that is nearest before a line, from 0, else that of the first one.
local function of_line(state, command, line)
  local best
  for _, one in ipairs(state and state.lenses or {}) do
    if one.command == command and (not best or one.line <= line + 1) then best = one end
  end
  return best and best.of
end

-- Runs the step, and shows its table; from now on a save runs this one.
commands["gpulab.run"] = function(self, path, id)
  self.asked[path] = id
  local state = look(self, path)
  local session = self.prompt.session
  if not session or not state.record then return end
  show(table.concat(report.table(setmetatable({ records = { state.record } }, { __index = session.run }),
    session:table_options()), "\n"))
end

commands["gpulab.check"] = function(self, path) look(self, path) end

commands["gpulab.why"] = function(self, _, of)
  local prompt = self:any_prompt()
  show((printed.during(prompt.commands.dispatch, prompt.commands, "why " .. of)))
end

methods["workspace/executeCommand"] = function(self, params)
  local run = commands[params.command]
  local arguments = type(params.arguments) == "table" and params.arguments or {}
  local path, of = convert.path(arguments[1]), arguments[2]
  if math.type(of) == "integer" then of = of_line(self.states[path], params.command, of) end
  if not run then rpc.fail(rpc.codes.params, "command must be gpulab.run, gpulab.check, or gpulab.why") end
  if not path or type(of) ~= "string" then
    rpc.fail(rpc.codes.params, "arguments must be the address of a file, and a step, exercise, or launch of it, or the"
      .. " line of one")
  end
  run(self, path, of)
  return json.null
end

-- Beginning and end -------------------------------------------------------------------------------

-- Does the client have a capability: "textDocument.inlayHint"?
local function has(params, ...)
  local value = params.capabilities
  for _, name in ipairs { ... } do value = type(value) == "table" and value[name] or nil end
  return value ~= nil and value ~= false
end

function methods.initialize(self, params)
  self.can = { inlayHint = has(params, "textDocument", "inlayHint"), codeLens = has(params, "workspace", "codeLens",
    "refreshSupport") }
  return json.object("capabilities", json.object(
    "textDocumentSync", json.object("openClose", true, "change", 1, "save", true),
    "hoverProvider", true, "inlayHintProvider", true, "codeActionProvider", true,
    "codeLensProvider", json.object("resolveProvider", false),
    "executeCommandProvider", json.object("commands", json.list(lists.keys(commands)))),
    "serverInfo", json.object("name", "gpulab", "version", gpu.version))
end

function methods.shutdown(self)
  self:close()
  return json.null
end

---Answers a message; raises what is wrong with it.
function Server:handle(name, params, id)
  local method = rpc.method(methods, name, id)
  return method and method(self, params)
end

---@param options table of gpulab @return integer status
function server.run(options)
  return service.run(options, { waiting = {}, later = {}, published = {}, can = {}, refreshed = 0 }, Server)
end

return server
