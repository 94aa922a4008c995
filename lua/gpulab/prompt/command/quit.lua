-- The commands that end the prompt.
local function stop(prompt) prompt:stop() end

return {
  { name = "quit", usage = "quit", topic = "general", summary = "quit gpulab; exit and Ctrl-D do the same",
    run = stop },
  { name = "exit", usage = "exit", topic = "general", summary = "the same as quit", run = stop },
}
