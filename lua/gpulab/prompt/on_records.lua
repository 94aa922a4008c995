-- A prompt on records that are there already: the launches of a program, the submissions of a class.
local failure = require "gpulab.base.failure"
local launches = require "gpulab.show.launches"
local pager = require "gpulab.base.pager"
local repl = require "gpulab.prompt.repl"
local text = require "gpulab.base.text"
local view = require "gpulab.prompt.view"

local on_records = {}

---Lists them, then reads and runs commands. A pipe gets the answers alone.
---@param list RecordList whose latest one is what commands without a name take @param options table of gpulab
---@param name string of the prompt @param head string[] what is said before it @param more? string[] in a pipe, too
---@return integer? status of piped commands; nil: they all went well
function on_records.open(list, options, name, head, more)
  options.records, options.interactive = list, true
  local prompt = repl.new(options)
  prompt.open_session = require("gpulab.prompt.session").open
  prompt:offer_functions()
  prompt.commands.prompt = name
  if not options.piped then
    pager.show(launches.lines(list.launches, view.options(prompt)))
    text.say(head)
  end
  text.say(more or {})
  if not options.piped then return prompt:loop() end
  local problem = prompt:read_pipe()
  return problem and failure.status(problem)
end

return on_records
