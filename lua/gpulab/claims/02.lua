-- Lab 2, coalescing: what the lectures say. lecture.lua explains the fields.
return function(_) end
