-- Files for plain Lua, which finds this file by its path. No kernel has a student's copy.
local fs = {}

function fs.stat() return nil end

function fs.read(path)
  local file <close> = io.open(path, "rb")
  if not file then return nil, "No such file or directory" end
  return file:read("a")
end

return fs
