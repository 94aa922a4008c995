-- The command help, which ? is short for.
local help = require "gpulab.prompt.help"

return { name = "help", usage = "help [NAME]", topic = "general", looks = math.huge,
  summary = "explain a command, a function, or a term; ? is the same",
  help = "help buffer and ?buffer explain a name, help bank conflict a term of the glossary; help alone prints an"
    .. " overview.",
  complete = function(prompt) return help.names(prompt.commands) end,
  run = function(prompt, words) help.show(prompt.commands, table.concat(words, " "), prompt.session) end }
