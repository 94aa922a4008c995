-- GPUs that a user describes: one per file, a Lua table as gpu.model takes it.
--
--   return { base = "RTX 4090", name = "RTX 4090 D", sms = 114, shader_ghz = 2.52 }
--
-- Those in the folder gpus/ of the configuration are known whenever gpulab starts, others where --gpu names the file.
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local where = require "gpulab.base.where"

local gpus = {}

local LONGEST <const> = 65536 -- bytes of a file
local FORM <const> = 'a GPU\'s file has this form: return { base = "RTX 4090", name = "My GPU", sms = 100 }'
local KNOWN <const> = "the file describes a new GPU; --model and --device emu:NAME take the name of a known one"

local function refuse(path, why, hint) failure.raise("usage", ("%s: %s"):format(path, why), nil, hint or FORM) end

-- A file describes and does nothing: it has no globals. gpu.model checks the fields.
local function description(path)
  local source, reason = files.read(path, LONGEST)
  if not source then failure.raise("setup", "cannot read " .. reason, nil, KNOWN) end
  local chunk, problem = load(source, "@" .. path, "t", {})
  if not chunk then
    if not problem:find(path, 1, true) then refuse(path, problem) end
    failure.raise("usage", problem, nil, FORM)
  end
  local ok, described = failure.try(chunk)
  if not ok then refuse(path, tostring(described)) end
  if type(described) ~= "table" then refuse(path, "it returns no table") end
  if described.name == nil then refuse(path, "name: what commands call this GPU expected") end
  return described
end

---Makes the GPU of a file known by its name. Raises in words what is wrong with the file.
---@param path string @return GpuValues
function gpus.read(path)
  local described = description(path)
  local ok, made = failure.try(gpu.model, described)
  if ok then return made end
  local message = tostring(type(made) == "table" and made.message or made)
  refuse(path, message:match "^bad argument #1 to [^(]*%((.*)%)$" or message, type(made) == "table" and made.hint)
end

---Makes the GPUs of the configuration's folder known. A file that is wrong is skipped.
---@return string[] warnings one for each that was skipped
function gpus.load()
  local warnings, config = {}, where.config_folder()
  local folder = config and config .. "/gpus"
  if not folder or host.kind(folder) ~= "folder" then return warnings end
  for _, name in ipairs(host.list(folder)) do
    if name:find "%.lua$" then
      local ok, e = failure.try(gpus.read, folder .. "/" .. name)
      if not ok then warnings[#warnings + 1] = tostring(e) end
    end
  end
  return warnings
end

return gpus
