-- ?name: help from the command table, from the C bindings' tables, and from the glossary.
local commands = require "gpulab.base.commands"
local glossary = require "gpulab.prompt.glossary"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local pager = require "gpulab.base.pager"
local quantities = require "gpulab.run.quantities"
local text = require "gpulab.base.text"

local help = {}

local MOST_USAGE <const> = 24 -- columns; longer ones have the summary on the next line

local function entry_text(name, usage, paragraphs)
  local lines = text.wrap(usage or name)
  for line in (paragraphs or ""):gmatch("[^\n]+") do lines[#lines + 1] = "  " .. line end
  return table.concat(lines, "\n")
end

-- One paragraph, whatever lines it was written in; it is indented by two later.
local function wrapped(said)
  return table.concat(text.wrap((said:gsub("%s+", " "):gsub("^ ", "")), "", text.columns - 2), "\n")
end

local function command_text(row, where)
  local paragraphs = { wrapped(row.summary or "") }
  if row.help then paragraphs[#paragraphs + 1] = wrapped(row.help) end
  if where then paragraphs[#paragraphs + 1] = wrapped(where) end
  return entry_text(row.name, row.usage, table.concat(paragraphs, "\n"))
end

local function class_members(class)
  local keys = lists.select(lists.keys(gpu.help), function(key) return key:find("^" .. class .. ":") end)
  return lists.map(keys, function(key) return key:sub(#class + 2) end)
end

-- Keys of gpu.help that a name may mean, the plainest first.
local function keys_for(name)
  local keys = lists.select(lists.keys(gpu.help), function(key)
    local last = key:match("[.:]([^.:]+)$")
    local repeated = last and key:find("^device:") and name == last and gpu.help["gpu." .. last]
    return key ~= name and not repeated and (key:lower() == name:lower() or last == name)
  end)
  if gpu.help[name] then table.insert(keys, 1, name) end
  return keys
end

-- A term with its other forms: "bank", "bank conflict". Those that only contain the word are named after it, or are
-- the answer where no term has that name.
local function add_terms(parts, name)
  local named, others = glossary.find(name)
  if #parts == 0 and #named + #others == 0 then named = glossary.beginning(name) end
  if #named == 0 and #parts > 0 then return end
  for _, entry in ipairs(#named > 0 and named or others) do
    parts[#parts + 1] = entry_text(entry[1], nil, wrapped(entry[2]))
  end
  if #named == 0 or #others == 0 then return end
  local names = lists.map(others, function(entry) return "?" .. entry[1] end)
  parts[#parts + 1] = table.concat(text.wrap("See also " .. text.list(names) .. ".", "  "), "\n")
end

-- A condition of exercises, by the name that `check` shows, unless a term has it.
local function add_condition(parts, name)
  local q = lists.find(quantities.list, function(one) return (one.label or one.name:gsub("_", " ")) == name end)
  if not q or #parts + #(glossary.find(name)) > 0 then return end
  local said = q.said:gsub("^of ", "N %% of "):gsub("[:,] ?%%?s?$", "")
  said = ("A condition that `check` can have: %s. %s"):format(said,
    type(q.cure) == "string" and q.cure or "What to change depends on the kernel: `check` says it.")
  parts[1] = entry_text(name, nil, wrapped(said))
end

-- A step or exercise of the open lab.
local function add_target(parts, session, name)
  local target = session and session:known_target(name)
  if not target or target.id ~= name then return end
  local kind = target.exercise and "exercise" or "step"
  local runs = target.kernel and ("`why %s` explains it, ??%s shows its kernel"):format(name, name)
    or ("`run %s` shows its table"):format(name)
  local said = ("The %s “%s” of this lab. `show %s` shows its text, %s."):format(kind, session:title(target), name,
    runs)
  parts[#parts + 1] = entry_text(name, nil, wrapped(said))
end

---All help on a name, or nil.
---@param list Commands @param name string @param session? Session the open lab @return string?
function help.find(list, name, session)
  local parts = {}
  local row = list:get(name)
  -- A short word may be a term and a field of Lua's: a student means the term.
  local is_term = not row and #glossary.find(name) > 0
  local later = not row and commands.find("gpulab.warp.command", name)
  if row then parts[#parts + 1] = command_text(row) end
  if later then
    parts[#parts + 1] = command_text(later, "Works while a launch is stepped; `debug STEP` begins stepping.")
  end
  if is_term then add_terms(parts, name) end
  for _, key in ipairs(keys_for(name)) do
    local said = gpu.help[key]
    local paragraph = wrapped(said.help)
    local members = key:find("[.:]") and {} or class_members(key)
    if #members > 0 then
      paragraph = paragraph .. "\n" .. wrapped("Its methods and fields: " .. table.concat(members, ", ") .. ".")
    end
    parts[#parts + 1] = entry_text(key, said.usage, paragraph)
  end
  add_condition(parts, name)
  if not is_term then add_terms(parts, name) end
  add_target(parts, session, name)
  if #parts > 0 then return table.concat(parts, "\n") end
end

---All names that ?name knows, for completion and "did you mean".
function help.names(list)
  local names = lists.set(lists.joined(list:names(), glossary.words()))
  for key in pairs(gpu.help) do names[key], names[key:match("[.:]([^.:]+)$") or key] = true, true end
  return lists.keys(names)
end

-- The names of a topic's commands, without aliases.
local function names_of(list, topic)
  return lists.select(list:names(), function(name)
    local row = list:get(name)
    return row.topic == topic.id and not row.alias
  end)
end

local function widest_usage(list)
  local widest = 0
  for _, name in ipairs(list:names()) do widest = math.max(widest, #list:get(name).usage) end
  return math.min(widest, MOST_USAGE)
end

local function overview_lines(lines, row, widest)
  local indent = (" "):rep(widest + 4)
  local said = text.wrap(row.summary, indent)
  local fits = #row.usage <= widest and said[1]
  lines[#lines + 1] = "  " .. row.usage
    .. (fits and (" "):rep(widest - #row.usage + 2) .. said[1]:sub(#indent + 1) or "")
  for i = fits and 2 or 1, #said do lines[#lines + 1] = said[i] end
end

-- The topics in their order. While a launch is stepped its commands come first.
local function topics_of(list)
  local topics = lists.append({}, commands.topics)
  if list:get "stepi" then table.insert(topics, 1, table.remove(topics)) end
  return topics
end

---? alone.
function help.overview(list)
  local lines, widest = {}, widest_usage(list)
  for _, topic in ipairs(topics_of(list)) do
    local names = names_of(list, topic)
    if #names > 0 then
      if #lines > 0 then lines[#lines + 1] = "" end
      lines[#lines + 1] = topic.title .. ":"
    end
    for _, name in ipairs(names) do overview_lines(lines, list:get(name), widest) end
  end
  lines[#lines + 1] = ""
  local function prose(said) text.add(lines, said, "") end
  prose "Anything else is Lua. The table gpu has the API: gpu.buffer, gpu.kernel, ..."
  lines[#lines + 1] = '  b = gpu.buffer("float", 1024, { fill = "iota" })'
  lines[#lines + 1] = "  #b, b[0], b[0] = 7"
  prose("?name explains a command, a function, or a term, as in ?why, ?buffer, and ?warp. ??name shows its source"
    .. (list:get "set" and " or a step's kernel" or "") .. ". ans is the last value. Commands are also functions:")
  lines[#lines + 1] = list:get "set" and '  for c = 1, 4 do set("c=" .. c) run("own") end'
    or "  for i = 1, 3 do why(i) end"
  prose "Tab completes, Ctrl-C interrupts, Ctrl-D quits."
  return table.concat(lines, "\n")
end

---Prints the help on a name, "" for the overview.
---@param list Commands @param name string @param session? Session
function help.show(list, name, session)
  if name == "" then return pager.show(text.lines(help.overview(list))) end
  local found = help.find(list, name, session)
  if found then return print(found) end
  local near = host.nearest(name, help.names(list))
  gpu.raise("usage", ("there is no help for %s"):format(name),
    near and ("did you mean ?%s?"):format(near) or "? lists all commands")
end

return help
