-- The commands labs and lab: the list, and another lab at the same prompt.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local labs = require "gpulab.prompt.labs"
local lists = require "gpulab.base.lists"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"

local function list(prompt)
  text.say(labs.lines(prompt.options.color))
  journal.print_warnings()
end

local function open(prompt, words)
  if #words == 0 then return list(prompt) end
  if prompt.commands:get "stepi" then failure.usage("a launch is stepped", "`kill` ends stepping") end
  prompt:open_lab(targets.resolve(words[1]))
end

local function names()
  return lists.map(targets.labs(), "name")
end

return {
  { name = "labs", usage = "labs", topic = "general", summary = "list the labs", most = 0,
    help = "Lists the labs with the exercises passed and the step of the last visit. lab 4 opens one.", run = list },
  { name = "lab", usage = "lab [LAB]", topic = "general", summary = "open another lab; without one, list the labs",
    most = 1, help = "lab 4, lab transpose, and lab FILE.lua open a lab at this prompt, on the same device.",
    complete = names, run = open },
}
