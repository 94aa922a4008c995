-- Letters with marks as one character each (Unicode's composed form) in Latin and Cyrillic names. macOS separates the
-- marks in names of files, other systems do not, and both mean the same person.

-- A letter and the same letter with the mark, in turn.
local marks <const> = {
  ["\u{300}"] = "AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹЕЀИЍеѐиѝWẀwẁÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳ",
  ["\u{301}"] = "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿГЃКЌгѓкќWẂwẃÂẤâấĂẮăắÊẾêếÔỐôố"
    .. "ƠỚơớƯỨưứ",
  ["\u{302}"] = "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷẠẬạậẸỆẹệỌỘọộ",
  ["\u{303}"] = "AÃNÑOÕaãnñoõIĨiĩUŨuũÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ",
  ["\u{304}"] = "AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖ",
  ["\u{306}"] = "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўẠẶạặ",
  ["\u{307}"] = "CĊcċEĖeėGĠgġIİZŻzż",
  ["\u{308}"] = "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸЕЁІЇеёіїWẄwẅ",
  ["\u{309}"] = "AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ",
  ["\u{30A}"] = "AÅaåUŮuů",
  ["\u{30B}"] = "OŐoőUŰuű",
  ["\u{30C}"] = "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩ",
  ["\u{31B}"] = "OƠoơUƯuư",
  ["\u{323}"] = "AẠaạEẸeẹIỊiịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ",
  ["\u{326}"] = "SȘsșTȚtț",
  ["\u{327}"] = "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ",
  ["\u{328}"] = "AĄaąEĘeęIĮiįUŲuų",
}

local composed = {}
for mark, letters in pairs(marks) do
  for plain, marked in letters:gmatch("(" .. utf8.charpattern .. ")(" .. utf8.charpattern .. ")") do
    composed[plain .. mark] = marked
  end
end

---The same text with each such letter as one character; what is not UTF-8 stays as it is.
---@param s string @return string
return function(s)
  if not s:find("[\xCC\xCD]") or not utf8.len(s) then return s end
  local out = {}
  for _, code in utf8.codes(s) do
    local c = utf8.char(code)
    local both = composed[(out[#out] or "") .. c]
    out[both and #out or #out + 1] = both or c
  end
  return table.concat(out)
end
