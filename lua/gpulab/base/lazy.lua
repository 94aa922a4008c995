-- A module that is loaded when something of it is first used. A prompt knows many views and shows few of them: without
-- this it would take half as long again to begin.
--
--   local why = lazy "gpulab.show.why"
---@param name string @return table
return function(name)
  return setmetatable({}, { __index = function(_, key) return require(name)[key] end })
end
