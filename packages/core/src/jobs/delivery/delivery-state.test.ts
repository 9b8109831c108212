import { expect, test } from 'vitest'

import { deliveryId } from './delivery-state.ts'

test('a million messages have a million ids, each a UUID and the same whenever it is made', { tags: ['long'] }, () => {
  const seen = new Set<string>()
  for (let job = 0; job < 10; job += 1)
    for (let event = 0; event < 100_000; event += 1) seen.add(deliveryId(`job ${job}`, `${event % 317}-${event}`))
  expect(seen.size).toBe(1_000_000)
  const id = deliveryId('job 3', '4-2')
  expect(deliveryId('job 3', '4-2')).toBe(id)
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
