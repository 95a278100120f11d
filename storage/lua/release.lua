-- Gives a place back. KEYS: the lease. ARGV: the holder; somebody else's lease stays.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
