import { storeContract } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { memoryStore } from '../src/memory-store.ts'

describe('memoryStore keeps the contract', () => {
  for (const { name, run } of storeContract) test(name, () => run(memoryStore))
})

test('its update reaches this process only', () => {
  expect(memoryStore().reach).toBe('process')
})
