-- The command clear, which is about the screen.
return { name = "clear", usage = "clear", topic = "general", summary = "clear the screen, as Ctrl-L does", most = 0,
  aliases = "cls", run = function(prompt)
    if prompt.options.terminal then io.stdout:write "\27[H\27[2J" end
  end }
