import { expect, test } from 'vitest'

import { bossQueue, postgresStore } from './index.ts'

test.each([
  [{ url: 'postgres://localhost/x' }, 'an object with url'],
  ['localhost', 'another string'],
  [undefined, 'undefined'],
])('what is neither a URL nor a pool is refused when the store is made: %j', (address, got) => {
  // Cast: what somebody writes who has no types.
  expect(() => postgresStore(address as never)).toThrow(
    `postgresStore needs the URL of Postgres, such as postgres://localhost/harvestman, or a pool of pg, but got ${got}.`,
  )
  expect(() => bossQueue(address as never)).toThrow('bossQueue needs the URL of Postgres')
})
