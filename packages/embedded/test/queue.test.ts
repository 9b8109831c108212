import { queueContract } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { embeddedQueue } from '../src/queue/embedded.ts'

describe('embeddedQueue keeps the contract', () => {
  for (const { name, run } of queueContract) test(name, () => run(embeddedQueue))
})

test('it reaches this process only', () => {
  expect(embeddedQueue().reach).toBe('process')
})
