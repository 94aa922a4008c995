-- gpulab notebook LAB: a lab as a Jupyter notebook: its texts, the files of its kernels, a cell for each step, and for
-- each exercise one that checks what is in it. What the cells mean is in docs/guide/notebooks.md.
local copies = require "gpulab.prompt.copies"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local labs = require "gpulab.grade.labs"
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local subcommand = require "gpulab.base.subcommand"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local notebook = {}

local spec <const> = { name = "notebook", usage = "gpulab notebook LAB [FILE.ipynb]", least = 1, most = 2, flags = {},
  summary = "Writes a lab as a Jupyter notebook. Its code cells need the Python package gpulab.",
  help = "gpulab grade takes such a notebook as a submission." }

-- Cells -------------------------------------------------------------------------------------------

-- Of a line of prose, what Markdown would take for marks; code between backticks is left as it is.
local function escaped(line)
  local parts = {}
  for prose, code in (line .. "``"):gmatch "([^`]*)(`[^`]*`)" do
    parts[#parts + 1] = prose:gsub("[*_<$\\]", "\\%0") .. (code == "``" and "" or code)
  end
  return table.concat(parts)
end

-- Lines that begin with white space are preformatted, as they are in Markdown behind an empty line and four blanks.
local function markdown(said)
  local lines, fixed = {}, false
  for line in (said:gsub("%s+$", "") .. "\n"):gmatch "([^\n]*)\n" do
    local was_fixed = fixed
    fixed = line:find "^%s+%S" ~= nil
    if fixed and not was_fixed then lines[#lines + 1] = "" end
    lines[#lines + 1] = fixed and "    " .. line or escaped(line)
  end
  return table.concat(lines, "\n")
end

local function add(cells, kind, source)
  local code = kind == "code"
  cells[#cells + 1] = json.object("cell_type", kind, "id", ("cell-%d"):format(#cells + 1), "metadata", json.object(),
    "execution_count", code and json.null or nil, "outputs", code and json.list {} or nil, "source", source)
end

-- A cell that begins with a magic, and has a kernel's file in it.
local function add_source(cells, magic, file)
  local source = files.read(where.find(file, "kernels")):gsub("%s+$", "")
  add(cells, "code", ("%%%%gpulab %s\n%s"):format(magic, source))
end

local function add_steps(cells, lab)
  local params, shown, group = lab:parameters(), {}, nil
  for _, step in ipairs(lab.steps) do
    local sources = copies.files(step, params)
    local of = lists.find(lab.groups, "id", step.group or false)
    if of and of ~= group then
      group = of
      add(cells, "markdown", "## " .. escaped(text.printable(of.title)))
    end
    if #sources == 1 and not shown[sources[1]] then
      shown[sources[1]] = true
      add_source(cells, "file " .. sources[1], sources[1])
    end
    add(cells, "markdown", ("### %s\n\n%s"):format(escaped(steps.title(step, params)), markdown(step.text or "")))
    add(cells, "code", "%gpulab run " .. step.id)
  end
end

-- A project has a folder of files and host code: its page says how it is done.
local function add_exercises(cells, lab)
  for _, ex in ipairs(lists.select(lab.exercises, function(one) return not one.project end)) do
    add(cells, "markdown", ("## Exercise: %s\n\n%s"):format(escaped(ex.title), markdown(ex.task)))
    add_source(cells, "check " .. ex.id, exercise.step(ex).kernel.file)
    add(cells, "code", "%gpulab hint " .. ex.id)
  end
end

---@param lab Lab
function notebook.of(lab)
  local cells = json.list {}
  add(cells, "markdown", ("# %s\n\n%s"):format(escaped(lab:heading()), markdown(lab.intro or "")))
  add(cells, "code", "%load_ext gpulab")
  add(cells, "code", "%gpulab " .. lab.number)
  add_steps(cells, lab)
  add_exercises(cells, lab)
  return json.object("cells", cells, "metadata", json.object(
    "gpulab", json.object("lab", lab.number, "version", gpu.version),
    "kernelspec", json.object("name", "python3", "display_name", "Python 3", "language", "python")),
    "nbformat", 4, "nbformat_minor", 5)
end

---@param words string[] @return integer status
function notebook.run(_, words)
  local own, named = subcommand.parse(spec, words)
  if not own then return 0 end
  local lab = labs.load(named[1])
  local path = named[2] or ("%02d-%s.ipynb"):format(lab.number, lab.id)
  if path ~= "-" and host.kind(path) then
    failure.usage(text.printable(path) .. " exists already", "remove it first, or name another file")
  end
  local document = notebook.of(lab)
  files.write(path, json.encode(document) .. "\n")
  if path ~= "-" then print(("%s: %s"):format(text.printable(path), lab:heading())) end
  return 0
end

return notebook
