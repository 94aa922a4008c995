-- The commands of every prompt as docs/reference/commands.md has them: Markdown, from the rows of the commands.
local commands = require "gpulab.base.commands"
local text = require "gpulab.base.text"

local reference = {}

local WIDTH <const> = 118

-- The folders of commands; `topic` where the rows have none of their own.
local folders <const> = {
  { "gpulab.prompt.command" },
  { "gpulab.prompt.command.record" },
  { "gpulab.warp.command", topic = "stepping" },
  { "gpulab.prompt.command.lab" },
  { "gpulab.prompt.command.file" },
}

local function with_topic(row, topic)
  local copy = { topic = topic }
  for key, value in pairs(row) do copy[key] = value end
  return copy
end

---All commands, and those that replace others while a launch is stepped.
---@return Command[]
function reference.rows()
  local rows = {}
  for _, folder in ipairs(folders) do
    for _, row in ipairs(commands.of(folder[1])) do rows[#rows + 1] = with_topic(row, folder.topic) end
  end
  return rows
end

-- Text as Markdown: what is not in backticks has no meaning for it.
local function escaped(said)
  local parts, code = {}, false
  for part in (said .. "`"):gmatch("(.-)`") do
    parts[#parts + 1] = code and part or part:gsub("[<>*~|]", "\\%0")
    code = not code
  end
  return table.concat(parts, "`")
end

local function names_of(row)
  local names = { ("`%s`"):format(row.usage) }
  for alias in (row.aliases or ""):gmatch("%S+") do names[#names + 1] = ("`%s`"):format(alias) end
  return table.concat(names, ", ")
end

---One command as an item of a list.
---@param row Command @return string[]
function reference.item(row)
  local said = ("%s: %s."):format(names_of(row), escaped(row.summary))
  if row.help then said = said .. " " .. escaped(row.help) end
  local lines = text.wrap(said, "  ", WIDTH)
  lines[1] = "- " .. lines[1]:sub(3)
  return lines
end

---The commands by topic.
---@return string[]
function reference.lines()
  local rows, lines = reference.rows(), {}
  for _, topic in ipairs(commands.topics) do
    table.move({ "### " .. topic.title, "" }, 1, 2, #lines + 1, lines)
    for _, row in ipairs(rows) do
      if row.topic == topic.id then
        local item = reference.item(row)
        table.move(item, 1, #item, #lines + 1, lines)
      end
    end
    lines[#lines + 1] = ""
  end
  return lines
end

return reference
