-- In a real Neovim: opens files, waits for what gpulab says of them, and prints it as lines of JSON for test_editors.py.
local folder, command = vim.env.EDITOR_FOLDER, vim.json.decode(vim.env.EDITOR_COMMAND)
vim.g.gpulab_command = command
vim.cmd.source(vim.env.EDITOR_CONFIGURATION)

local function out(what, value) io.stdout:write("\n@" .. vim.json.encode({ what, value }) .. "\n") end

local function wait(what, condition)
  if not vim.wait(240000, condition, 20) then
    out("lost", what)
    vim.cmd "qall!"
  end
end

local published = {}
local before = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(problem, result, ...)
  published[result.uri] = (published[result.uri] or 0) + 1
  return before(problem, result, ...)
end

local function count(buffer) return published[vim.uri_from_bufnr(buffer)] or 0 end

local function open(name)
  vim.cmd.edit(folder .. "/" .. name)
  local buffer = vim.api.nvim_get_current_buf()
  wait("diagnostics of " .. name, function() return count(buffer) > 0 end)
  return buffer
end

local function save(buffer, find, replace)
  local lines, n = vim.api.nvim_buf_get_lines(buffer, 0, -1, false), count(buffer)
  for i, line in ipairs(lines) do lines[i] = line:gsub(vim.pesc(find), (replace:gsub("%%", "%%%%"))) end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.cmd.write { bang = true }
  wait("the save", function() return count(buffer) > n end)
end

local function diagnostics(buffer)
  return vim.tbl_map(function(d)
    return { line = d.lnum + 1, code = d.code, severity = d.severity, message = d.message,
      related = d.user_data and d.user_data.lsp.relatedInformation or nil }
  end, vim.diagnostic.get(buffer))
end

local function inlay(buffer)
  local found
  wait("hints", function()
    found = vim.lsp.inlay_hint.get { bufnr = buffer }
    return #found > 0
  end)
  return vim.tbl_map(function(h) return { line = h.inlay_hint.position.line + 1, label = h.inlay_hint.label } end, found)
end

-- The lines of the screen from the one with a text on.
local function screen(buffer, from, height)
  vim.api.nvim_set_current_buf(buffer)
  vim.o.columns, vim.o.lines, vim.o.tabstop, vim.o.wrap = 116, height + 2, 4, false
  vim.fn.cursor(1, 1)
  vim.fn.search(from)
  vim.cmd "normal! zt"
  vim.cmd "redraw!"
  local rows = {}
  for row = 1, height do
    local cells = {}
    for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
    rows[row] = table.concat(cells):gsub("%s+$", "")
  end
  return table.concat(rows, "\n") .. "\n"
end

out("version", tostring(vim.version()))
local transpose = open "03-bank-conflicts/transpose.cu"
save(transpose, "__shared__ float tile[TILE][WIDTH];", "__shared__ float tile[TILE][TILE];")
vim.wait(2000, function()
  return vim.iter(vim.lsp.inlay_hint.get { bufnr = transpose }):any(function(h)
    return h.inlay_hint.label:find("wavefronts", 1, true) ~= nil
  end)
end, 20)
out("transpose", { diagnostics(transpose), inlay(transpose) })
wait("registers, which come later", function()
  return vim.iter(vim.lsp.inlay_hint.get { bufnr = transpose }):any(function(h)
    return h.inlay_hint.label:find("registers", 1, true) ~= nil
  end)
end)
local screens = { transpose = screen(transpose, "void transpose_tile", 15) }

-- Lines above are deleted, and not saved: hints stay with their lines.
local function lines_of_hints()
  return vim.tbl_map(function(h)
    return vim.api.nvim_buf_get_lines(transpose, h.line - 1, h.line, false)[1]
  end, inlay(transpose))
end
local lines, first = lines_of_hints(), inlay(transpose)[1].line
vim.api.nvim_buf_set_lines(transpose, 5, 8, false, {})
vim.wait(2000, function() return inlay(transpose)[1].line == first - 3 end, 20)
out("deleted", vim.deep_equal(lines_of_hints(), lines))
vim.cmd "silent undo"

local rows = open "03-bank-conflicts/row_sums.cu"
out("starter", diagnostics(rows))
save(rows, "__syncthreads();", "")
out("race", diagnostics(rows))
vim.diagnostic.config { virtual_text = true }
wait("the end of hints", function() return #vim.lsp.inlay_hint.get { bufnr = rows } == 0 end)
screens.race = screen(rows, "void row_sums", 13)
out("screens", screens)
save(rows, "float sum", "flaot sum")
out("compile", diagnostics(rows))

local client = vim.lsp.get_clients({ name = "gpulab", bufnr = rows })[1]
out("clients", #vim.lsp.get_clients())
local shown
vim.lsp.handlers["window/showMessage"] = function(_, result) shown = result.message return vim.NIL end
vim.api.nvim_set_current_buf(transpose)
vim.cmd "GpulabWhy"
wait("why", function() return shown ~= nil end)
out("why", shown)
client:stop()
wait("its end", function() return client:is_stopped() end)
vim.cmd "qall!"
