-- For tests, which load it with dofile: the function has to fail with a message that holds the text, white space counted
-- as one blank. Returns the error.
--   refuses("at most 32768", gpu.surface, buffer)
local t = require "luaunit"

return function(said, f, ...)
  local ok, e = pcall(f, ...)
  t.assertFalse(ok, "was not refused: " .. said)
  t.assertStrContains(tostring(e):gsub("%s+", " "), said)
  return e
end
