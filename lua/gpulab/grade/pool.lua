-- Submissions side by side: a process each (one.lua), as many at a time as there are cores. What is known is kept on
-- disk after each verdict, so that a grader that was killed goes on where it was.
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local files = require "gpulab.base.files"
local jobs = require "gpulab.jobs"
local json = require "gpulab.base.json"
local labs = require "gpulab.grade.labs"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"
local verdict = require "gpulab.grade.verdict"
local where = require "gpulab.base.where"

local pool = {}

-- What is known ------------------------------------------------------------------------------------

local MOST_PROGRAM <const> = 256 << 20 -- bytes

local function content(path, most)
  return files.read(path, most) or ""
end

-- All that a check of an exercise reads besides the submission: this program, its compiler, the limits, the lab with
-- its modules, and the folders of the starter and the solution with what they include.
local function digest_of(self, item)
  local texts = { gpu.version, content(host.program(), MOST_PROGRAM), host.nvrtc() or "",
    table.concat(self.limits, " "), tostring(self.seconds), self.measure or "" }
  labs.load(item.lab_path) -- what follows is searched next to this lab
  for _, path in ipairs(labs.files()) do texts[#texts + 1] = content(path) end
  for _, name in ipairs { item.exercise.starter, item.exercise.solution } do
    local path = where.find(name, "kernels")
    local folder = path:match("^(.*)/") or "."
    texts[#texts + 1] = path:match("[^/]+$")
    for _, each in ipairs(host.list(folder)) do
      local source = each:match("%.cuh?$") or each:match("%.h$") or each:match("%.hpp$") or each:match("%.inc$")
      if source then table.move({ each, content(folder .. "/" .. each) }, 1, 2, #texts + 1, texts) end
    end
  end
  return host.digest(table.unpack(texts))
end

-- Equal keys: the same check of the same file.
local function key_of(self, item, seed, file)
  self.digests[item] = self.digests[item] or digest_of(self, item)
  return host.digest(self.digests[item], item.id, tostring(seed), file.name, file.text)
end

local function state_path(self, submission)
  return ("%s/%s.json"):format(self.state, host.digest(submission.name))
end

-- Anyone may have written into the file, so what is no final verdict is not believed.
local function recall(self, submission)
  local ok, all = pcall(json.decode, not self.forgets and files.read(state_path(self, submission)) or "{}")
  local known = {}
  for key, v in pairs(ok and type(all) == "table" and all or {}) do
    if pcall(verdict.object, v) and verdict.is_final(v) then known[key] = v end
  end
  return known
end

local function remember(self, task)
  local object = json.object()
  for _, item in ipairs(self.items) do
    local key, v = task.keys[item.id], task.submission.verdicts[item.id]
    if key and v and verdict.is_final(v) then json.put(object, key, verdict.object(v)) end
  end
  fs.write(state_path(self, task.submission), json.encode(object) .. "\n")
end

-- The version of NVRTC that the verdicts so far were made with, where this run has another one: their keys differ, so
-- all that it compiled is checked again.
local function other_toolkit(self)
  local path, now = self.state .. "/nvrtc", host.nvrtc()
  local before = not self.forgets and files.read(path, 24)
  if not now or before == now then return nil end
  fs.write(path, now)
  return before and before:match "^%d+%.%d+$"
end

-- One process at a time works in the folder of results. The lock ends with the process.
local function lock(state)
  fs.make_folder(state)
  local path = state .. "/lock"
  local ours, holder, unsure = fs.lock(path)
  if ours then return end
  failure.raise("busy", ("%s is in use by %s"):format(text.printable((state:gsub("/.state$", ""))),
    holder == "" and "another run" or text.printable(holder)), nil,
    unsure and ("If that process has ended, remove %s and start again."):format(text.printable(path))
    or "Wait until that run has ended, or use another folder with --out.")
end

-- Tasks ----------------------------------------------------------------------------------------------

---The seed of a student's inputs.
---@param submission table @param item table @return integer
function pool.seed(submission, item) return tonumber(host.digest(submission.name, item.id):sub(1, 7), 16) end

-- The verdicts that need no check, and what is left to do.
local function task_of(self, submission)
  local task = { submission = submission, keys = {}, left = {} }
  local known = recall(self, submission)
  submission.verdicts = {}
  for _, item in ipairs(self.items) do
    local file = submission.files[item.id]
    if not file then
      submission.verdicts[item.id] = verdict.without(item.lab, item.exercise, "missing", "no file was submitted")
    elseif file.refused then
      submission.verdicts[item.id] = verdict.without(item.lab, item.exercise, "refused",
        (file.name and "the file was refused: " or "") .. file.refused)
    else
      local seed = pool.seed(submission, item)
      local key = key_of(self, item, seed, file)
      task.keys[item.id], submission.verdicts[item.id] = key, known[key]
      if not known[key] then table.insert(task.left, { item = item, seed = seed, file = file }) end
    end
  end
  return task
end

local LONGEST_NAME <const> = 100 -- bytes of a file's name; one that is longer, as archives may have, is replaced

---Writes a student's file for an exercise.
---@param folder string @param item table @param file {name: string, text: string} @return string folder, string name
function pool.write(folder, item, file)
  local own, name = ("%s/%s"):format(folder, item.id), file.name:match("[^/]+$")
  if #name > LONGEST_NAME then name = item.exercise.starter:match("[^/]+$") end
  fs.make_folder(own)
  fs.write(own .. "/" .. name, file.text)
  return own, name
end

local function write_job(self, task)
  local folder = ("%s/%d"):format(self.work, task.number)
  local items = json.each(task.left, function(left)
    local own, name = pool.write(folder, left.item, left.file)
    return json.object("lab", fs.real(left.item.lab_path), "exercise", left.item.exercise.id, "folder", own,
      "file", name, "seed", left.seed, "measure", self.measure)
  end)
  fs.write(folder .. "/job.json", json.encode(json.object("items", items)))
  return folder
end

local function start(self, task)
  task.folder = write_job(self, task)
  local argv = { host.program() }
  for _, limit in ipairs(self.limits) do lists.append(argv, { "--limit", limit }) end
  lists.append(argv, { "grade", "--one", task.folder .. "/job.json" })
  task.job, task.text = jobs.start(argv, task.folder .. "/errors"), ""
  task.most = self.seconds
end

---Removes a folder with all that is in it.
---@param folder string
function pool.clear(folder)
  for _, name in ipairs(host.list(folder)) do
    local path = folder .. "/" .. name:gsub("/$", "")
    if fs.kind(path) == "folder" then pool.clear(path) else fs.remove(path) end
  end
  fs.remove_folder(folder)
end

local function settle(self, task, v)
  local left = table.remove(task.left, 1)
  task.submission.verdicts[left.item.id] = v
  remember(self, task)
  self.on_verdict(task.submission)
end

-- Takes whole verdicts from what the process has written.
local function take(self, task)
  while true do
    local length, from = task.text:match("^verdict (%d+)\n()")
    if not length or #task.text < from - 1 + tonumber(length) then return end
    local said = task.text:sub(from, from - 1 + tonumber(length))
    task.text = task.text:sub(from + tonumber(length))
    settle(self, task, json.decode(said))
    task.most = task.job:computed() + self.seconds
  end
end

-- What the process wrote last; without its paths, which are this machine's.
local function last_words(task)
  local said = text.last_line(content(task.folder .. "/errors"))
  return #said > 0 and ": " .. said:sub(1, 200) or ""
end

-- The process is gone. If something is left, its current file is to blame, and another process goes on after it.
local function ended(self, task, why)
  local how, code = task.job:finish()
  task.job = nil
  if #task.left > 0 then
    local item = task.left[1].item
    why = why or ("its process %s %d%s"):format(how == "signal" and "was ended by signal" or "exited with code", code,
      last_words(task))
    settle(self, task, verdict.without(item.lab, item.exercise, "stopped", "the check was stopped: " .. why))
  end
  pool.clear(task.folder)
  if #task.left > 0 then return start(self, task) end
  self.on_done(task.submission)
  return true
end

-- Reads what has come. True if the task is done.
local function serve(self, task)
  local said = task.job:read()
  if said then
    task.text = task.text .. said
    take(self, task)
  else
    return ended(self, task)
  end
  if task.job:computed() > task.most then
    return ended(self, task, ("it took more than %g s of processor time, which --time allows"):format(self.seconds))
  end
end

local function begin_next(self)
  while #self.running < self.most and self.next <= #self.tasks do
    local task = self.tasks[self.next]
    self.next, task.number = self.next + 1, self.next
    if #task.left == 0 then
      self.on_done(task.submission)
    else
      start(self, task)
      table.insert(self.running, task)
    end
  end
end

local function wait(self)
  local waiting = lists.map(self.running, "job")
  if #waiting > 0 then jobs.wait(waiting, 0.5) end
end

---Gives every submission its verdicts: submission.verdicts[item.id].
---@param list table[] of submissions.read @param items table[] of a scheme
---@param options {state: string, jobs: integer?, seconds: number, limits: string[], forgets: boolean?,
---on_verdict: fun(submission: table), on_done: fun(submission: table), on_toolkit: fun(before: string, now: string)}
---forgets: does not believe what is in state
function pool.run(list, items, options)
  local self = { items = items, state = options.state, work = options.state .. "/work",
    most = options.jobs or jobs.cores(), seconds = options.seconds, limits = options.limits, measure = options.measure,
    running = {}, tasks = {},
    digests = {}, forgets = options.forgets, next = 1, on_verdict = options.on_verdict, on_done = options.on_done }
  lock(self.state)
  local before = other_toolkit(self)
  if before then options.on_toolkit(before, host.nvrtc()) end
  for i, submission in ipairs(list) do self.tasks[i] = task_of(self, submission) end
  local ok, e = host.catch(function()
    repeat
      begin_next(self)
      wait(self)
      for i = #self.running, 1, -1 do
        if serve(self, self.running[i]) then table.remove(self.running, i) end
      end
    until #self.running == 0 and self.next > #self.tasks
  end)
  for _, task in ipairs(self.running) do
    if task.job then task.job:finish() end
  end
  if host.kind(self.work) then
    pool.clear(self.work)
  end
  if not ok then error(e, 0) end
end

-- Of a check's compiler and emulator, unless the command line has its own.
local usual_limits <const> = { "compile_memory=512M", "compile_time=20", "emulator_time=60", "emulator_memory=256M" }

---The limits of a check, as --limit takes them: those of the command line, and the usual ones.
---@return string[]
function pool.limits()
  local limits, given = host.limits_given(), {}
  for _, limit in ipairs(limits) do given[limit:match("^[^=]+")] = true end
  for _, limit in ipairs(usual_limits) do
    if not given[limit:match("^[^=]+")] then limits[#limits + 1] = limit end
  end
  return limits
end

return pool
