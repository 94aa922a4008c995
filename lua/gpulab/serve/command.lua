-- gpulab serve --stdio and gpulab lsp: the programs for editors and notebooks (docs/reference/serve.md).
local protocol = require "gpulab.serve.protocol"
local subcommand = require "gpulab.base.subcommand"

local command = {}

local stdio <const> = { "stdio", nil, "use standard input and output, which is the only way" }

local specs <const> = {
  lsp = { name = "lsp", usage = "gpulab lsp", least = 0, most = 0, flags = { stdio },
    summary = "Serves an editor: the Language Server Protocol on standard input and output." },
  serve = { name = "serve", usage = "gpulab serve [--stdio | --schema]", least = 0, most = 0,
    summary = "Serves one session to an editor or a notebook: JSON-RPC 2.0 on standard input and output.",
    flags = { stdio, { "schema", nil, "print the JSON schema of requests and answers" } } },
}

---@param options table @param words string[] @return integer status
function command.run(options, words)
  local spec = specs[options.target]
  local own = subcommand.parse(spec, words)
  if not own.help and not own.schema then
    return require(spec.name == "lsp" and "gpulab.serve.lsp.server" or "gpulab.serve.service").run(options)
  end
  print(own.help and subcommand.help(spec) or protocol.schema)
  return 0
end

return command
