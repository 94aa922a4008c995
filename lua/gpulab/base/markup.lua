-- HTML and SVG as text: all external text goes through escape.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local markup = {}

local entities <const> = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

---Text escaped for use between tags and in attributes.
function markup.escape(s)
  return (text.printable(tostring(s)):gsub("[&<>\"']", entities))
end

local function attributes(given)
  local names = lists.keys(given)
  for i, name in ipairs(names) do
    local v = given[name]
    if type(v) == "number" then
      names[i] = (math.type(v) == "integer" and ' %s="%d"' or ' %s="%.4g"'):format(name, v)
    else
      names[i] = v == true and " " .. name or (' %s="%s"'):format(name, markup.escape(v))
    end
  end
  return table.concat(names)
end

---An element: markup.tag("td", {class = "number"}, content); content is markup already, nil leaves it empty.
---@param name string @param given? table @param content? string|string[]
function markup.tag(name, given, content)
  if type(content) == "table" then content = table.concat(content) end
  return ("<%s%s>%s</%s>"):format(name, attributes(given or {}), content or "", name)
end

---An element of plain text.
function markup.text(name, given, s)
  return markup.tag(name, given, markup.escape(s))
end

-- Words between backquotes are code.
local function inline(s)
  return (markup.escape(s):gsub("`([^`]+)`", "<code>%1</code>"))
end
markup.inline = inline

---A lab's text: paragraphs between blank lines, lines that begin with white space as they are.
---@param s string @return string
function markup.prose(s)
  local out, filled, fixed = {}, {}, {}
  local function flush()
    if #filled > 0 then out[#out + 1] = "<p>" .. table.concat(filled, " ") .. "</p>" end
    if #fixed > 0 then out[#out + 1] = "<pre>" .. table.concat(fixed, "\n") .. "</pre>" end
    filled, fixed = {}, {}
  end
  for line in (s .. "\n"):gmatch("(.-)\n") do
    local is_fixed = line:find "^%s+%S" ~= nil
    if line:find "^%s*$" or (is_fixed and #filled > 0) or (not is_fixed and #fixed > 0) then flush() end
    if is_fixed then
      fixed[#fixed + 1] = markup.escape(line)
    elseif not line:find "^%s*$" then
      filled[#filled + 1] = inline(line)
    end
  end
  flush()
  return table.concat(out, "\n")
end

---A picture with a title for screen readers.
---@param width number @param height number @param title string @param content string[]
function markup.svg(width, height, title, content)
  return markup.tag("svg", { viewBox = ("0 0 %d %d"):format(width, height), width = width, height = height,
    class = "picture", role = "img", xmlns = "http://www.w3.org/2000/svg" },
    markup.text("title", {}, title) .. table.concat(content))
end

return markup
