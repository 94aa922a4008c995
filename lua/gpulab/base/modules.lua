-- The modules in a folder, so that a new one need not be named anywhere.
local host = require "gpulab.host"

---The modules in a folder, not in folders below it, as keys: those built in, and those of GPULAB_LUA, which may be the
---folder that holds gpulab/ or gpulab/ itself.
---@param folder string "gpulab.prompt.command" @return table<string, boolean>
return function(folder)
  local found, override = host.modules(folder), os.getenv "GPULAB_LUA"
  local path = folder:gsub("^gpulab%.", ""):gsub("%.", "/")
  if not override or override == "" then return found end
  for _, under in ipairs { override .. "/gpulab/" .. path, override .. "/" .. path } do
    for _, file in ipairs(host.list(under)) do
      local name = file:match "^(.*)%.lua$"
      if name then found[folder .. "." .. name] = true end
    end
  end
  return found
end
