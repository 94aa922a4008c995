-- gpulab in Neovim (0.10 or newer): copy this file into ~/.config/nvim/plugin/. It works next to clangd.
--
--   vim.g.gpulab_command = { "gpulab", "--device", "emu" }   -- before it is loaded; { "gpulab" } if it is not set
--
-- Commands: :GpulabRun [STEP], :GpulabCheck, :GpulabWhy act on the lenses of the buffer.

local function is_cuda(buffer) return vim.api.nvim_buf_get_name(buffer):match "%.cuh?$" ~= nil end

local function start(buffer)
  if not is_cuda(buffer) then return end
  local command = vim.list_extend({}, vim.g.gpulab_command or { "gpulab" })
  vim.lsp.start({ name = "gpulab", cmd = vim.list_extend(command, { "lsp" }),
    root_dir = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer)) }, {
    bufnr = buffer,
    reuse_client = function(client) return client.name == "gpulab" end, -- one session for all files
  })
end

vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, { pattern = { "*.cu", "*.cuh" },
  callback = function(event) start(event.buf) end })

local function client_of(buffer) return vim.lsp.get_clients({ name = "gpulab", bufnr = buffer })[1] end

vim.api.nvim_create_autocmd("LspAttach", { callback = function(event)
  local client = client_of(event.buf)
  if not client or client.id ~= event.data.client_id then return end
  vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
end })

-- Runs the first lens with the command, and for which `wanted` is the step's id or nothing.
local function run_lens(command, wanted)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_of(buffer)
  if not client then return vim.notify("gpulab is not attached to this buffer", vim.log.levels.ERROR) end
  client:request("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params(buffer) },
    function(problem, lenses)
      for _, lens in ipairs(not problem and lenses or {}) do
        local of = lens.command.arguments[2]
        if lens.command.command == command and (not wanted or of == wanted) then
          return client:request("workspace/executeCommand",
            { command = command, arguments = lens.command.arguments }, function() end, buffer)
        end
      end
      vim.notify("gpulab has nothing of that name for this buffer", vim.log.levels.WARN)
    end, buffer)
end

for name, command in pairs { GpulabRun = "gpulab.run", GpulabCheck = "gpulab.check", GpulabWhy = "gpulab.why" } do
  vim.api.nvim_create_user_command(name, function(typed)
    run_lens(command, typed.args ~= "" and typed.args or nil)
  end, { nargs = "?" })
end

-- Buffers that were there before.
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if vim.api.nvim_buf_is_loaded(buffer) then start(buffer) end
end
