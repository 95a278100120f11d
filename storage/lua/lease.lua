-- Gives a place to a holder for some time, if it is free or the holder's already.
-- KEYS: the lease. ARGV: the holder, milliseconds. Returns 1 if the holder has it now.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
