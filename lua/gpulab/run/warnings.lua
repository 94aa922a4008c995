-- The compiler's warnings about a file that a student changed: each is shown once, as every run compiles it again.
local show = require "gpulab.base.show"

local warnings = {}

local shown = {}

---What is new in the log of a compile, for standard error; nil if nothing is.
---@param log string? of a module @return string?
function warnings.once(log)
  local said = log and log:gsub("Remark: [^\n]*\n?", ""):match "^%s*(.-)%s*$" or ""
  if said == "" or shown[said] then return nil end
  shown[said] = true
  return show.printable(said)
end

return warnings
