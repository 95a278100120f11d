-- Marks that somebody is about to be pinged in a place for a version of a match.
-- KEYS: the match's hash. ARGV: the place's field, the version.
-- Returns 1 if nobody was pinged there for this version or a later one.
local shown, pinged, message = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%d+) (%d+) (.*)$')
if not pinged or tonumber(pinged) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], shown .. ' ' .. ARGV[2] .. ' ' .. message)
return 1
