-- gpulab lsp: the Language Server Protocol over the functions of the service. A file is looked at when it is opened and
-- when it is saved, once no message waits; checkers of a step run after that. docs/guide/editors.md is for its users.
local convert = require "gpulab.serve.lsp.convert"
local diagnose = require "gpulab.serve.diagnose"
local difference = require "gpulab.show.difference"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local frames = require "gpulab.frames"
local hints = require "gpulab.serve.hints"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local printed = require "gpulab.serve.printed"
local rpc = require "gpulab.serve.rpc"
local service = require "gpulab.serve.service"
local subject = require "gpulab.serve.subject"
local text = require "gpulab.base.text"
local texts = require "gpulab.serve.texts"

local server = {}

local PATIENCE <const> = 5 -- interruptions, and seconds of runs that were interrupted

---@class LanguageServer: Service
---@field waiting string[] paths to be looked at
---@field states table<string, FileState> by path (diagnose.lua)
---@field asked table<string, string> by path: the step that it is run as
---@field buffers table<string, string[]> by path: the lines that the editor has, saved or not
---@field published table<string, table<string, true>> by path: the files that have diagnostics because of it
---@field spent table<string, number> by path: the seconds that it ran until it was interrupted
---@field can table what the client can do @field latest string? the path that was looked at last
local methods = {}
local Server = setmetatable({ methods = methods }, service.Service)
Server.__index = Server

-- What the client is told -------------------------------------------------------------------------

local function refresh(self, what)
  if self.can[what] then
    self.refreshed = self.refreshed + 1
    rpc.notify(("workspace/%s/refresh"):format(what), nil, self.refreshed)
  end
end

-- Hints as diagnostics, for editors without inlay hints.
local function hint_findings(self, state)
  return lists.map(not self.can.inlayHint and state.hints, function(one)
    return { file = one.file, line = one.line, severity = "hint", code = "counters", message = one.label, related = {} }
  end)
end

local function publish(self, state)
  local by_file = { [state.path] = {} }
  for file in pairs(self.published[state.path] or {}) do by_file[file] = {} end
  for _, one in ipairs(lists.joined(state.findings, hint_findings(self, state))) do
    if one.file:sub(1, 1) == "/" then
      by_file[one.file] = by_file[one.file] or {}
      table.insert(by_file[one.file], one)
    end
  end
  self.published[state.path] = {}
  for file, found in pairs(by_file) do
    local lines = file == state.path and state.lines or text.lines(files.read(file) or "")
    self.published[state.path][file] = #found > 0 or nil
    rpc.notify("textDocument/publishDiagnostics", json.object("uri", convert.uri(file), "diagnostics",
      json.each(found, function(one) return convert.diagnostic(one, lines) end)))
  end
end

local function show(said, kind)
  if said == "" then return end
  rpc.notify("window/showMessage", json.object("type", kind or 3, "message", said))
end

-- Work --------------------------------------------------------------------------------------------

-- A message of the kind interrupts f.
local function yielding(kind, f, ...)
  if not frames.yields(kind) then return false, failure.new("interrupted", "interrupted") end
  local results = table.pack(host.protect(f, ...))
  frames.yields()
  return table.unpack(results, 1, results.n)
end

-- A file that is opened, saved, or closed ends this: the kernel may never do.
local function look(self, path)
  local ok, said, state = yielding("saves", printed.during, diagnose.file, self, path)
  if not ok then error(said, 0) end
  self.latest = path
  publish(self, state)
  refresh(self, "inlayHint")
  refresh(self, "codeLens")
  return state, said
end

-- Registers and checkers. A message interrupts them, but not for ever; they begin again when no message waits.
local function check(self, state)
  local before, yields = #state.findings, (state.interrupted or 0) < PATIENCE
  local ok, e = yielding(yields and "all" or "saves", diagnose.check, state)
  state.checked = ok or failure.kind(e) ~= "interrupted"
  state.interrupted = (state.interrupted or 0) + 1
  if not state.checked then return end
  if #state.findings > before or not self.can.inlayHint then publish(self, state) end
  refresh(self, "inlayHint")
end

local function unchecked(self)
  for _, state in pairs(self.states) do
    if not state.checked then return state end
  end
end

function Server:has_work() return #self.waiting > 0 or unchecked(self) ~= nil end

---One piece of work: a file that was saved, else the checkers on one.
function Server:work()
  local path = table.remove(self.waiting, 1)
  if not path then return printed.during(check, self, unchecked(self)) end
  local began = host.seconds()
  local ok, e = host.catch(look, self, path)
  if ok then return end
  if failure.kind(e) ~= "interrupted" then return show(text.said(e), 1) end
  self.spent[path] = (self.spent[path] or 0) + host.seconds() - began
  if self.spent[path] < PATIENCE then self.waiting[#self.waiting + 1] = path end -- it was for another file
end

-- Files -------------------------------------------------------------------------------------------

local function path_of(params)
  local document = type(params.textDocument) == "table" and params.textDocument or {}
  local path = convert.path(document.uri)
  if not path then rpc.fail(rpc.codes.params, "textDocument.uri must be the address of a file, file:///...") end
  return path, document
end

-- The text of a file in the editor.
local function take(self, path, said)
  self.buffers[path] = type(said) == "string" and text.lines(texts.plain(said)) or nil
end

local function without(paths, path) return lists.select(paths, function(one) return one ~= path end) end

-- The file is looked at once no message waits. It has this text in the editor, too.
local function later(self, params)
  local path, document = path_of(params)
  take(self, path, document.text or files.read(path))
  self.states[path] = self.states[path] or { path = path, lines = self.buffers[path] or {}, findings = {}, hints = {},
    lenses = {}, checked = true } -- what a save that comes before the first look has changed
  self.spent[path] = nil
  if path:match "%.cuh?$" then self.waiting = lists.joined({ path }, without(self.waiting, path)) end
end

methods["textDocument/didOpen"] = later
methods["textDocument/didSave"] = later
methods["textDocument/didChange"] = function(self, params)
  local changes = type(params.contentChanges) == "table" and params.contentChanges or {}
  take(self, path_of(params), type(changes[#changes]) == "table" and changes[#changes].text)
end
methods["textDocument/didClose"] = function(self, params)
  local path = path_of(params)
  self.waiting = without(self.waiting, path)
  if self.published[path] then publish(self, { path = path, lines = {}, findings = {}, hints = {} }) end
  self.states[path], self.published[path], self.buffers[path] = nil, nil, nil
end

local nothing <const> = { lines = {}, findings = {}, hints = {}, lenses = {} }

-- What was found of a file, and the lines that it has now. What was found of a line is where that line is now.
local function state_of(self, params)
  local path, document = path_of(params)
  local state = self.states[path] or nothing
  return state, self.buffers[path] or state.lines, document.uri
end

-- Where a line of a text is in another; nil where it has changed.
local function moved(from, to)
  local origins = difference.origins(difference.merge(to, from))
  return function(line) return from[line] == to[origins[line]] and origins[line] or nil end
end

-- Those that are in the file, and at a line that the editor still has: {one, line}.
local function placed(found, state, lines)
  local now, list = moved(state.lines, lines), {}
  for _, one in ipairs(found) do
    local line = (one.file or state.path) == state.path and now(one.line)
    if line then list[#list + 1] = { one = one, line = line } end
  end
  return list
end

local function line_of(position)
  local line = type(position) == "table" and math.tointeger(position.line)
  if not line then rpc.fail(rpc.codes.params, "position must have line, an integer") end
  return line + 1
end

-- Requests ----------------------------------------------------------------------------------------

methods["textDocument/hover"] = function(self, params)
  local state, lines = state_of(self, params)
  local number = moved(lines, state.lines)(line_of(params.position))
  local line = number and hints.line(state.record or {}, number, state.path)
  if not line then return json.null end
  return json.object("contents", convert.markdown(table.concat(hints.full(state.record, line), "\n")))
end

methods["textDocument/inlayHint"] = function(self, params)
  local state, lines = state_of(self, params)
  return json.each(placed(state.hints, state, lines), function(at)
    return json.object("position", convert.line_end(lines, at.line), "label", at.one.label, "paddingLeft", true,
      "tooltip", (at.one.fixes and at.one.fixes[1] or {}).title)
  end)
end

methods["textDocument/codeLens"] = function(self, params)
  local state, lines, uri = state_of(self, params)
  return json.each(placed(state.lenses, state, lines), function(at)
    return json.object("range", convert.range(lines, at.line), "command", json.object("title", at.one.title,
      "command", at.one.command, "arguments", json.list { uri, at.one.of }))
  end)
end

methods["textDocument/codeAction"] = function(self, params)
  local state, lines, uri = state_of(self, params)
  local range = type(params.range) == "table" and params.range or {}
  local first, last, actions, seen = line_of(range.start), line_of(range["end"]), json.list {}, {}
  for _, at in ipairs(placed(lists.joined(state.findings, state.hints), state, lines)) do
    for _, fix in ipairs(at.line >= first and at.line <= last and placed(at.one.fixes or {}, state, lines) or {}) do
      local key = fix.line .. fix.one.new
      if not seen[key] then actions[#actions + 1] = convert.action(fix.one, fix.line, uri, lines) end
      seen[key] = true
    end
  end
  return actions
end

-- Commands ----------------------------------------------------------------------------------------

local commands = {}

-- What the lens with a command is about that is nearest above a line, from 0, else that of the first one.
local function of_line(state, command, line)
  local lenses = lists.select(state and state.lenses, function(one) return one.command == command end)
  return (diagnose.nearest(lenses, line + 1) or lenses[1] or {}).of
end

-- Runs the step; from now on a save runs this one.
commands["gpulab.run"] = function(self, path, id)
  local lab = subject.lab(path, self.lab)
  if lab and lab ~= self.lab then self:open_lab(lab) end
  self.asked[path] = lab and self:session().lab:step(id).id
  show((select(2, look(self, path))))
end

commands["gpulab.check"] = function(self, path) show((select(2, look(self, path)))) end

commands["gpulab.why"] = function(self, path, of)
  if path ~= self.latest then -- another file is open now
    local record = look(self, path).record
    if record and not record.step then of = record.id end
  end
  local prompt = self:any_prompt()
  show((printed.during(prompt.commands.dispatch, prompt.commands, "why " .. of)))
end

methods["workspace/executeCommand"] = function(self, params)
  local run = commands[params.command]
  local arguments = type(params.arguments) == "table" and params.arguments or {}
  local path, of = convert.path(arguments[1]), arguments[2]
  if not run or not path or type(of) ~= "string" and math.type(of) ~= "integer" then
    rpc.fail(rpc.codes.params, "command must be gpulab.run, gpulab.check, or gpulab.why, and arguments the address of a"
      .. " file, and a step, exercise, or launch of it, or the line of one")
  end
  if type(of) == "number" then of = of_line(self.states[path], params.command, of) end
  if not of then
    failure.usage(("%s has nothing to %s"):format(text.file_name(path), params.command:match "%a+$"),
      "a file of a lab has steps or an exercise; a launch at the top of any other file runs when you save it")
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

methods.shutdown = Server.shutdown

function Server:handle(name, method, params)
  if not self.can and name ~= "initialize" then rpc.fail(rpc.codes.early, "send initialize first") end
  return method(self, params)
end

---@param options table of gpulab @return integer status
function server.run(options)
  return service.run(options, { waiting = {}, states = {}, asked = {}, buffers = {}, published = {}, spent = {},
    refreshed = 0 }, Server)
end

return server
