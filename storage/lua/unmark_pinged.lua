-- Takes back that somebody was pinged in a place for a version of a match.
-- KEYS: the match's hash. ARGV: the place's field, the version. A mark for another version stays.
local shown, pinged, message = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%d+) (%d+) (.*)$')
if pinged ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], shown .. ' ' .. string.format('%d', tonumber(pinged) - 1) .. ' ' .. message)
return 1
