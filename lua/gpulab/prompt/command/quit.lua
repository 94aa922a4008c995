-- The commands that end the prompt and clear its screen.
local function stop(prompt) prompt:stop() end

return {
  { name = "quit", usage = "quit", topic = "general", summary = "quit gpulab; exit and Ctrl-D do the same",
    run = stop },
  { name = "exit", usage = "exit", topic = "general", summary = "the same as quit", run = stop },
  { name = "clear", usage = "clear", topic = "general", summary = "clear the screen, as Ctrl-L does", most = 0,
    aliases = "cls", run = function(prompt)
      if prompt.options.terminal then io.stdout:write "\27[H\27[2J" end
    end },
}
