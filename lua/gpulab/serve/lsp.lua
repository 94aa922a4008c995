-- gpulab lsp: the Language Server Protocol over the functions of the service. A file is looked at when it is opened and
-- when it is saved, once no message waits; checkers of a step run after that. docs/guide/editors.md is for its users.
local diagnose = require "gpulab.serve.diagnose"
local difference = require "gpulab.show.difference"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local frames = require "gpulab.frames"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.serve.marks"
local rpc = require "gpulab.serve.rpc"
local service = require "gpulab.serve.service"
local subject = require "gpulab.serve.subject"
local text = require "gpulab.base.text"
local texts = require "gpulab.serve.texts"

local lsp = {}

local spec <const> = { name = "lsp", usage = "gpulab lsp", least = 0, most = 0,
  summary = "Serves an editor: the Language Server Protocol on standard input and output.",
  flags = { { "stdio", nil, "use standard input and output, which is the only way" } } }
local PATIENCE <const> = 5 -- seconds of work that messages interrupted

---@class Document a file of the editor
---@field path string @field lines string[] as the editor has them, saved or not @field found Found (diagnose.lua)
---@field asked string? the step that it is run as @field published table<string, true> files with diagnostics of it
---@field spent number seconds of work that messages interrupted

---@class LanguageServer: Service
---@field documents table<string, Document> by path
---@field waiting {document: Document, run: function}[] what is done once no message waits, at most one of a document
---@field can table? what the client can do; nil: it has not said so yet @field refreshed integer requests for that
---@field latest Document? the one that was looked at last
local methods = {}
local Server = setmetatable({ methods = methods }, service.Service)
Server.__index = Server

-- Addresses, positions, edits ---------------------------------------------------------------------

local SEVERITY <const> = { error = 1, warning = 2, info = 3, hint = 4 }

-- The path of a file's address; nil for other addresses.
local function path_at(uri)
  local path = type(uri) == "string" and uri:match "^file://[^/]*(/.*)$"
  path = path and path:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)
  return path and not path:find("\0", 1, true) and path or nil
end

local function uri_of(path)
  return "file://" .. path:gsub("[^%w/._~-]", function(c) return ("%%%02X"):format(c:byte()) end)
end

-- The number of UTF-16 units in the first bytes of a line.
local function units(line, bytes)
  local head = line:sub(1, bytes)
  local pairs_of_units = select(2, head:gsub("[\xF0-\xF4]", ""))
  return utf8.len(head) and utf8.len(head) + pairs_of_units or #head
end

local function position_of(lines, number, bytes)
  return json.object("line", number - 1, "character", units(lines[number] or "", bytes))
end

-- A line of a source, from its first character to its end; with a column (in bytes, from 1) the word that begins there.
local function range_of(lines, number, column)
  local line = lines[number] or ""
  local from = column and math.min(column, #line + 1) or line:find "%S" or 1
  local to = column and line:match("^[%w_]+()", from) or #line + 1
  return json.object("start", position_of(lines, number, from - 1), "end", position_of(lines, number, to - 1))
end

local function line_end(lines, number) return position_of(lines, number, #(lines[number] or "")) end

-- A mark as a diagnostic, with the lines of its file.
local function diagnostic_of(mark, lines)
  local related = lists.map(mark.related, function(other)
    return json.object("location", json.object("uri", uri_of(other.file), "range",
      range_of(lines, other.line)), "message", other.message)
  end)
  return json.object("range", range_of(lines, mark.line, mark.column), "severity",
    SEVERITY[mark.severity], "code", mark.code, "source", "gpulab", "message", mark.message,
    "relatedInformation", #related > 0 and json.list(related) or nil)
end

-- A fix as an action of the editor; the line is where it is now.
local function action_of(fix, line, uri, lines)
  local range = json.object("start", position_of(lines, line, 0), "end", line_end(lines, line))
  local edit = json.list { json.object("range", range, "newText", fix.new) }
  return json.object("title", fix.title, "kind", "quickfix", "edit",
    json.object("changes", json.object(uri, edit)))
end

-- What the client is told -------------------------------------------------------------------------

local function refresh(self, what)
  if self.can[what] then
    self.refreshed = self.refreshed + 1
    rpc.notify(("workspace/%s/refresh"):format(what), nil, self.refreshed)
  end
end

-- Hints are diagnostics for editors without inlay hints.
local function publish(self, document)
  local found, by_file = document.found, { [document.path] = {} }
  for file in pairs(document.published) do by_file[file] = {} end
  for _, one in ipairs(found.marks) do
    if one.file:find "^/" and not (one.severity == "hint" and self.can.inlayHint) then
      by_file[one.file] = by_file[one.file] or {}
      table.insert(by_file[one.file], one)
    end
  end
  document.published = {}
  for file, list in pairs(by_file) do
    local lines = file == document.path and found.lines or text.lines(files.read(file) or "")
    document.published[file] = #list > 0 or nil
    rpc.notify("textDocument/publishDiagnostics", json.object("uri", uri_of(file), "diagnostics",
      json.each(list, function(one) return diagnostic_of(one, lines) end)))
  end
end

local function show(said, kind)
  if said == "" then return end
  rpc.notify("window/showMessage", json.object("type", kind or 3, "message", said))
end

-- Work --------------------------------------------------------------------------------------------

-- What f prints. A message of the kind interrupts it.
local function yielding(kind, f, ...)
  if not frames.yields(kind) then failure.raise("interrupted", "interrupted") end
  local ok, said = host.protect(service.printed, f, ...)
  frames.yields()
  if not ok then error(said, 0) end
  return said
end

-- What is done once no message waits, in the place of what waited for the document; nil: nothing.
local function plan(self, document, run, place)
  self.waiting = lists.select(self.waiting, function(one) return one.document.path ~= document.path end)
  if run then table.insert(self.waiting, place or #self.waiting + 1, { document = document, run = run }) end
end

-- Registers and checkers. Any message interrupts them, but not for ever; they begin again when no message waits.
local function check(self, document)
  local marks_before = #document.found.marks
  yielding(document.spent < PATIENCE and "all" or "saves", diagnose.check, document.found)
  local issues = lists.any({ table.unpack(document.found.marks, marks_before + 1) }, "issue")
  if issues or not self.can.inlayHint then publish(self, document) end
  refresh(self, "inlayHint")
end

-- A file that is opened, saved, or closed ends this: the kernel may never do.
local function look(self, document)
  local said = yielding("saves", diagnose.file, self, document)
  self.latest = document
  plan(self, document, document.found.record and check)
  publish(self, document)
  refresh(self, "inlayHint")
  refresh(self, "codeLens")
  return said
end

function Server:has_work() return #self.waiting > 0 end

---One piece of work. What a message interrupts begins again: the message was perhaps about another file.
function Server:work()
  local one, began = table.remove(self.waiting, 1), host.seconds()
  local ok, e = host.catch(one.run, self, one.document)
  if ok then return end
  if failure.kind(e) ~= "interrupted" then return one.run == look and show(text.said(e), 1) end
  one.document.spent = one.document.spent + host.seconds() - began
  if one.run == check or one.document.spent < PATIENCE then plan(self, one.document, one.run) end
end

-- Files -------------------------------------------------------------------------------------------

local function document_at(self, path)
  return self.documents[path]
    or { path = path, lines = {}, found = diagnose.new(path, ""), published = {}, spent = 0 }
end

-- The document that a message is about, and what that has of it.
local function document_of(self, params)
  local given = type(params.textDocument) == "table" and params.textDocument or {}
  local path = path_at(given.uri)
  if not path then rpc.fail(rpc.codes.params, "textDocument.uri must be the address of a file, file:///...") end
  return document_at(self, path), given
end

-- The text of a file in the editor.
local function take(document, said)
  if type(said) == "string" then document.lines = text.lines(texts.plain(said)) end
end

-- The file is looked at once no message waits. It has this text in the editor, too.
local function later(self, params)
  local document, given = document_of(self, params)
  local path, is_new = document.path, #document.lines == 0
  take(document, given.text or files.read(path))
  if is_new then document.found.lines = document.lines end -- what a save before the first look has changed
  self.documents[path], document.spent = document, 0
  if path:match "%.cuh?$" then plan(self, document, look, 1) end
end

methods["textDocument/didOpen"] = later
methods["textDocument/didSave"] = later
methods["textDocument/didChange"] = function(self, params)
  local changes = type(params.contentChanges) == "table" and params.contentChanges or {}
  take(document_of(self, params), type(changes[#changes]) == "table" and changes[#changes].text)
end
methods["textDocument/didClose"] = function(self, params)
  local document = document_of(self, params)
  plan(self, document)
  self.documents[document.path] = nil
  document.found = diagnose.new(document.path, "")
  publish(self, document)
end

-- What was found of a document, with the lines that the editor still has: where each is `now`, and where it `was`.
local function moved(document)
  local found, lines = document.found, document.lines
  if found.compared ~= lines then
    found.compared, found.now, found.was = lines, {}, {}
    for now, was in pairs(difference.origins(difference.merge(found.lines, lines))) do
      if found.lines[was] == lines[now] then found.now[was], found.was[now] = now, was end
    end
  end
  return found
end

-- What `by` gives for those that are in the file, and at a line that the editor still has: by(one, line).
local function placed(list, document, by)
  local now, made = moved(document).now, json.list {}
  for _, one in ipairs(list) do
    local line = (one.file or document.path) == document.path and now[one.line]
    if line then made[#made + 1] = by(one, line) end
  end
  return made
end

local function line_of(position)
  local line = type(position) == "table" and math.tointeger(position.line)
  if not line then rpc.fail(rpc.codes.params, "position must have line, an integer") end
  return line + 1
end

-- Requests ----------------------------------------------------------------------------------------

methods["textDocument/hover"] = function(self, params)
  local document = document_of(self, params)
  local number = moved(document).was[line_of(params.position)]
  local said = number and marks.in_full(document.found.record, number, document.path)
  return said and json.object("contents", json.object("kind", "markdown",
    "value", "```text\n" .. said .. "\n```")) or json.null
end

methods["textDocument/inlayHint"] = function(self, params)
  local document = document_of(self, params)
  local hints = lists.select(document.found.marks, function(one) return one.severity == "hint" end)
  return placed(hints, document, function(one, line)
    return json.object("position", line_end(document.lines, line), "label", one.message, "paddingLeft", true,
      "tooltip", (marks.fix(one, document.found) or {}).title)
  end)
end

methods["textDocument/codeLens"] = function(self, params)
  local document, given = document_of(self, params)
  return placed(document.found.lenses, document, function(one, line)
    return json.object("range", range_of(document.lines, line), "command", json.object("title", one.title,
      "command", one.command, "arguments", json.list { given.uri, one.of }))
  end)
end

methods["textDocument/codeAction"] = function(self, params)
  local document, given = document_of(self, params)
  local range = type(params.range) == "table" and params.range or {}
  local first, last, wanted = line_of(range.start), line_of(range["end"]), {}
  placed(document.found.marks, document, function(one, line)
    local fix = line >= first and line <= last and marks.fix(one, document.found)
    local known = fix and lists.any(wanted, function(other) return other.line == fix.line and other.new == fix.new end)
    if fix and not known then wanted[#wanted + 1] = fix end
  end)
  return placed(wanted, document, function(fix, line) return action_of(fix, line, given.uri, document.lines) end)
end

-- Commands ----------------------------------------------------------------------------------------

local commands = {}

commands["gpulab.check"] = function(self, document) show(look(self, document)) end

-- Runs the step; from now on a save runs this one.
commands["gpulab.run"] = function(self, document, id)
  local lab = subject.lab(document.path, self.lab)
  if lab and lab ~= self.lab then self:open_lab(lab) end
  document.asked = lab and self:session().lab:step(id).id
  show(look(self, document))
end

commands["gpulab.why"] = function(self, document, of)
  if document ~= self.latest then look(self, document) end -- another file is open now
  local prompt = self:any_prompt()
  show((service.printed(prompt.commands.dispatch, prompt.commands, "why " .. of)))
end

-- What the lens with a command is about that is nearest above a line, from 0, else that of the first one.
local function of_line(document, command, line)
  local lenses = lists.select(document.found.lenses, function(one) return one.command == command end)
  return (diagnose.nearest(lenses, line + 1) or lenses[1] or {}).of
end

methods["workspace/executeCommand"] = function(self, params)
  local run = commands[params.command]
  local arguments = type(params.arguments) == "table" and params.arguments or {}
  local path, of = path_at(arguments[1]), arguments[2]
  if not run or not path or type(of) ~= "string" and math.type(of) ~= "integer" then
    rpc.fail(rpc.codes.params, "command must be gpulab.run, gpulab.check, or gpulab.why, and arguments the address of a"
      .. " file, and a step, exercise, or launch of it, or the line of one")
  end
  local document = document_at(self, path)
  if type(of) == "number" then of = of_line(document, params.command, of) end
  if not of then
    failure.usage(("%s has nothing to %s"):format(text.file_name(path), params.command:match "%a+$"),
      "a file of a lab has steps or an exercise; a launch at the top of any other file runs when you save it")
  end
  run(self, document, of)
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

---@param options table of gpulab @param words string[] after the subcommand @return integer status
function lsp.run(options, words)
  return service.run(options, words, spec, { documents = {}, waiting = {}, refreshed = 0 }, Server)
end

return lsp
