-- The words after `gpulab check` and `gpulab grade`: arguments and flags, from a table that also makes the help text.
--
--   local options, words = subcommand.parse(spec, { "3", "swizzle", "--json", "-" })
--
--   spec: { name = "check", usage = "gpulab check [options] LAB EXERCISE [FILE.cu]", summary = "...",
--     least = 2, most = 3,                                        -- arguments
--     flags = { { "json", "FILE", "write the verdict as JSON" },  -- a flag with a value
--       { "lab", "LAB", "...", list = true },                     -- it can be given more than once
--       { "quiet", nil, "..." } },                                -- a switch
--     help = "more text" }
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local subcommand = {}

local function flag_of(spec, name)
  local flag = lists.find(spec.flags, 1, name)
  if flag then return flag end
  local near = text.nearest(name, lists.map(spec.flags, 1))
  failure.raise("usage", ("gpulab %s has no option --%s"):format(spec.name, name), nil,
    near and ("did you mean --%s?"):format(near) or ("gpulab %s --help lists all options"):format(spec.name))
end

local function key_of(flag) return (flag[1]:gsub("-", "_")) end

local function set(options, flag, value)
  local key = key_of(flag)
  if flag.list then table.insert(options[key], value) else options[key] = value end
end

local function help_of(spec)
  local lines = { "usage: " .. spec.usage }
  text.add_part(lines, text.wrap(spec.summary))
  lines[#lines + 1] = ""
  for _, flag in ipairs(spec.flags) do
    if flag[3] then
      local left = text.left(("  --%s%s"):format(flag[1], flag[2] and " " .. flag[2] or ""), 22)
      local wrapped = text.wrap(flag[3], (" "):rep(22))
      lines[#lines + 1] = left .. wrapped[1]:sub(23)
      table.move(wrapped, 2, #wrapped, #lines + 1, lines)
    end
  end
  return table.concat(text.add_part(lines, spec.help and text.wrap(spec.help) or {}), "\n")
end

---The options by name (a dash becomes an underscore) and the arguments; nil where --help is among the
---words, which prints the help.
---@param spec table @param words string[] @return table<string, any>? options, string[]? arguments
function subcommand.parse(spec, words)
  local options, arguments, help, i = {}, {}, false, 1
  for _, flag in ipairs(spec.flags) do
    if flag.list then options[key_of(flag)] = {} end
  end
  while i <= #words do
    local name, value = words[i]:match("^%-%-([^=]+)=?(.*)$")
    local attached = name and words[i]:find("=", 1, true)
    if words[i] == "--help" or words[i] == "-h" then
      help = true
    elseif words[i] == "--" then
      table.move(words, i + 1, #words, #arguments + 1, arguments)
      break
    elseif name then
      local flag = flag_of(spec, name)
      if flag[2] and not attached then
        i, value = i + 1, words[i + 1]
        if not value then failure.usage(("--%s expects a value: %s"):format(name, flag[2])) end
      elseif not flag[2] and attached then
        failure.usage(("--%s takes no value"):format(name))
      end
      if value == "" and flag[2] and flag[2] ~= "FLAGS" then
        failure.usage(("--%s expects a value: %s; this one is empty"):format(name, flag[2]))
      end
      set(options, flag, flag[2] and value or not flag[2])
    elseif words[i]:match("^%-.") then
      flag_of(spec, words[i]:sub(2))
    else
      if words[i] == "" then failure.usage("an argument is empty", "usage: " .. spec.usage) end
      arguments[#arguments + 1] = words[i]
    end
    i = i + 1
  end
  if help then return print(help_of(spec)) end
  if #arguments < spec.least or #arguments > spec.most then
    failure.usage(#arguments > spec.most and ("unexpected argument %q"):format(arguments[spec.most + 1])
      or ("gpulab %s needs more arguments"):format(spec.name), "usage: " .. spec.usage)
  end
  return options, arguments
end

return subcommand
