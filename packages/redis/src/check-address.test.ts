import { expect, test } from 'vitest'

import { bullQueue, redisStore } from './index.ts'

test.each([
  [{ url: 'redis://localhost' }, 'an object with url'],
  ['http://localhost', 'another string'],
  [undefined, 'undefined'],
])('what is neither a URL nor a client is refused when the store is made: %j', (address, got) => {
  // Cast: what somebody writes who has no types.
  expect(() => redisStore(address as never)).toThrow(
    `redisStore needs the URL of Redis, such as redis://localhost:6379, or a client of ioredis, but got ${got}.`,
  )
  expect(() => bullQueue(address as never)).toThrow('bullQueue needs the URL of Redis')
})
