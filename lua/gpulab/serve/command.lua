-- gpulab serve --stdio: the program for editors and notebooks (docs/reference/serve.md).
local json = require "gpulab.base.json"
local protocol = require "gpulab.serve.protocol"
local subcommand = require "gpulab.base.subcommand"

local command = {}

-- gpulab lsp
local language <const> = { name = "lsp", usage = "gpulab lsp", least = 0, most = 0, flags = { { "stdio", nil,
  "use standard input and output, which is the only way" } },
  summary = "Serves an editor: the Language Server Protocol on standard input and output." }

local spec <const> = { name = "serve", usage = "gpulab serve [--stdio | --schema]", least = 0, most = 0,
  summary = "Serves one session to an editor or a notebook: JSON-RPC 2.0 on standard input and output.",
  flags = { { "stdio", nil, "use standard input and output, which is the only way" },
    { "schema", nil, "print the JSON schema of requests and answers" } } }

---@param options table @param words string[] @return integer status
function command.run(options, words)
  if options.target == "lsp" then
    if not subcommand.parse(language, words).help then return require("gpulab.serve.lsp.server").run(options) end
    print(subcommand.help(language))
    return 0
  end
  local own = subcommand.parse(spec, words)
  if own.help then
    print(subcommand.help(spec))
  elseif own.schema then
    print(json.encode(protocol.schema()))
  else
    return require("gpulab.serve.service").run(options)
  end
  return 0
end

return command
