-- Numbers large enough for the last row of a lecture hall: three lines high, out of half blocks.
local big = {}

big.HEIGHT = 3

-- Three columns and five rows a digit, row by row.
local shapes <const> = {
  ["0"] = "###|# #|# #|# #|###", ["1"] = " # |## | # | # |###", ["2"] = "###|  #|###|#  |###",
  ["3"] = "###|  #|###|  #|###", ["4"] = "# #|# #|###|  #|  #", ["5"] = "###|#  |###|  #|###",
  ["6"] = "###|#  |###|# #|###", ["7"] = "###|  #|  #|  #|  #", ["8"] = "###|# #|###|# #|###",
  ["9"] = "###|# #|###|  #|###", ["."] = " | | | |#", ["-"] = "   |   |###|   |   ", [" "] = " | | | | ",
}

local blocks <const> = { ["##"] = "█", ["# "] = "▀", [" #"] = "▄", ["  "] = " " }

local function rows_of(shape)
  local rows = {}
  for row in (shape .. "|"):gmatch("([^|]*)|") do rows[#rows + 1] = row end
  return rows
end

---The number as three lines of the same width; nil if a character has no shape.
---@param s string digits, points, blanks @return string[]?
function big.lines(s)
  local lines = { "", "", "" }
  for i = 1, #s do
    local shape = shapes[s:sub(i, i)]
    if not shape then return nil end
    local rows = rows_of(shape)
    for half = 1, big.HEIGHT do
      local upper, lower = rows[2 * half - 1], rows[2 * half] or (" "):rep(#rows[1])
      local cells = { i > 1 and " " or "" }
      for c = 1, #upper do cells[#cells + 1] = blocks[upper:sub(c, c) .. lower:sub(c, c)] end
      lines[half] = lines[half] .. table.concat(cells)
    end
  end
  return lines
end

return big
