-- What the commands of views (prompt/command/record) share. A view is a row there, and a file in gpulab/show:
--
--   view.command { name = "why", summary = "...", help = "...",
--     run = function(record, words, options) return why.explain(record) end }
--
-- `run` gets the record that the words name, or the launch that is written there, the other words, and the options of
-- table.render, and returns lines.
local pager = require "gpulab.base.pager"
local record_list = require "gpulab.record.list"
local text = require "gpulab.base.text"

local view = {}

---The options of tables and charts at a prompt.
---@param prompt Prompt @return table
function view.options(prompt) return { color = prompt.options.color, width = text.columns } end

---Words that are the record's; the rest are the view's.
local function split(prompt, row, words, rest)
  if record_list.is_launch(rest) then return {}, { table.unpack(words, #words + 1) } end
  local own, others = {}, {}
  for i, word in ipairs(words) do
    local list = row.is_option and row.is_option(prompt, word, i) and others or own
    list[#list + 1] = word
  end
  return own, others
end

---A command of one record.
---@param row table as commands.lua documents, without owner; is_option(prompt, word, i): the word is not the record's
---@return Command
function view.command(row)
  row.topic = row.topic or "results"
  row.usage = row.usage or row.name .. " [STEP|LAUNCH]"
  row.complete = row.complete or function(prompt) return prompt.records:names() end
  local run = row.run
  row.run = function(prompt, words, rest)
    local own, others = split(prompt, row, words, rest)
    local lines = run(prompt.records:find(own, rest, row.usage), others, view.options(prompt), prompt)
    if lines then pager.show(lines) end
  end
  return row
end

return view
