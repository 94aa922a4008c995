-- The command set: the parameters of the lab.
local failure = require "gpulab.base.failure"
local schema = require "gpulab.lab.schema"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local function list(session)
  local rows = {}
  for i, name in ipairs(schema.sorted_keys(session.lab.params)) do
    rows[i] = { name, tostring(session.params[name]), session.lab.params[name].help }
  end
  local columns = { { header = {} }, { header = {}, right = true }, { header = {}, narrow = 20 } }
  text.say(tables.render(columns, rows, session:table_options()))
end

local function set(session, words, rest)
  if #words == 0 then return list(session) end
  local wanted = {}
  for name, given in pairs(session.chosen) do wanted[name] = given end
  for _, word in ipairs(words) do
    local name, given = word:match("^([%w_]+)=(.+)$")
    if not name then failure.usage(("%q is not name=value"):format(rest), "for example: set n=1024") end
    wanted[name] = given
  end
  session:choose(wanted)
end

local function parameter_names(session)
  local names = schema.sorted_keys(session.lab.params)
  for i, name in ipairs(names) do names[i] = name .. "=" end
  return names
end

return { name = "set", usage = "set [NAME=VALUE...]", topic = "devices",
  summary = "show or change the lab's parameters",
  help = "Without arguments lists the parameters. set n=1024 changes one and discards the earlier results.",
  complete = parameter_names,
  run = set }
