-- gpulab in Neovim (0.10 or newer): copy this file into ~/.config/nvim/plugin/. It works next to clangd.
--
--   vim.g.gpulab_command = { "gpulab", "--device", "emu" }   -- before it is loaded; { "gpulab" } if it is not set
--
-- Commands: :GpulabRun [STEP], :GpulabCheck, :GpulabWhy act on the kernel at the cursor.

local function start(buffer)
  local command = vim.list_extend({}, vim.g.gpulab_command or { "gpulab" })
  vim.lsp.start({ name = "gpulab", cmd = vim.list_extend(command, { "lsp" }), -- no root: one session for all files
    on_attach = function(_, attached) vim.lsp.inlay_hint.enable(true, { bufnr = attached }) end }, { bufnr = buffer })
end

vim.api.nvim_create_autocmd("FileType", { pattern = "cuda", callback = function(event) start(event.buf) end })

-- Has a command run for a step by its id, or for the kernel at the cursor.
local function run(command, id)
  local client = vim.lsp.get_clients({ name = "gpulab", bufnr = 0 })[1]
  if not client then return vim.notify("gpulab is not attached to this buffer", vim.log.levels.ERROR) end
  local of = id ~= "" and id or vim.api.nvim_win_get_cursor(0)[1] - 1
  client:request("workspace/executeCommand", { command = command, arguments = { vim.uri_from_bufnr(0), of } },
    function(problem)
      if problem then vim.notify("gpulab: " .. problem.message, vim.log.levels.WARN) end
    end)
end

for name, command in pairs { GpulabRun = "gpulab.run", GpulabCheck = "gpulab.check", GpulabWhy = "gpulab.why" } do
  vim.api.nvim_create_user_command(name, function(typed) run(command, typed.args) end, { nargs = "?" })
end

-- Buffers that were there before.
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if vim.bo[buffer].filetype == "cuda" then start(buffer) end
end
