-- The command keep: the warp view for the report, or as a picture.
local lazy = require "gpulab.base.lazy"
local files = require "gpulab.base.files"
local picture = lazy "gpulab.warp.picture"
local text = require "gpulab.base.text"

local function keep(s, _, rest)
  local d = s.dbg
  local title = rest:match("%S.*") or d.title
  if title:match("%.svg$") then
    files.write(title, picture.svg(d, true) .. "\n")
    return text.say(("  Written: %s"):format(title))
  end
  table.insert(s.stepper.kept, { title = title, svg = picture.svg(d),
    text = ("Block %s, warp %d of %s."):format(d:block_text(), d.moment.warp, d.kernel.name) })
  text.say("  The view will be in the report.")
end

return { name = "keep", usage = "keep [TITLE | FILE.svg]",
  summary = "keep the warp view for the report, or write it as a picture", run = keep }
