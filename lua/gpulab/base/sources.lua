-- Which source files are shown. The lines of a kernel say what file they are from, and a kernel may name any:
-- #line 1 "/etc/passwd". What is shown, here and in a report for others, is what a kernel may include: the
-- folder of its file, gpulab's own kernels without solutions, and CUDA's headers.
local files = require "gpulab.base.files"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local where = require "gpulab.base.where"

local sources = {}

local function real(path)
  local ok, found = pcall(fs.real, path)
  return ok and found or nil
end

local function folder_of(path) return path:match("^(.*)/[^/]*$") end

local own -- the folders that do not depend on the kernel

local function own_folders()
  if own then return own end
  own = {}
  local ok, kernel = pcall(where.find, "simt.cu", "kernels")
  own[1] = ok and real(folder_of(kernel) or ".") or nil
  for _, home in ipairs { os.getenv "CUDA_HOME" or host.cuda_home, host.cuda_home, host.toolkit() } do
    if home ~= "" then own[#own + 1] = real(home .. "/include") end
  end
  return own
end

local function is_in(path, folder) return path:sub(1, #folder + 1) == folder .. "/" end

---The contents of a file that code of the kernel's file says it is from; nil if there is none, or it is not shown.
---@param path string @param kernel_path string? the kernel's own file; nil: of a program that runs itself, which may
---read what it likes
---@return string?
function sources.read(path, kernel_path)
  if not kernel_path then return files.read(path) end
  local found, home = real(path), real(folder_of(kernel_path) or ".")
  if not found then return nil end
  if home and is_in(found, home) and not found:sub(#home + 1):find("/solutions/", 1, true) then
    return files.read(found)
  end
  for _, folder in ipairs(own_folders()) do
    if is_in(found, folder) and not found:find("/solutions/", 1, true) then return files.read(found) end
  end
  return nil
end

return sources
