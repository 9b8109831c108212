import { systemClock } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { makeJobMemory } from './job-memory.ts'
import { sendMore } from './worker/commands.ts'

test('work that was added to a job is counted as its memory, and deleted with the job', async () => {
  const store = memoryStore()
  const forgotten: number[] = []
  const forgot = ({ bytes }: { readonly bytes: number }): void => void forgotten.push(bytes)
  const memory = makeJobMemory(store, { most: 10_000, clock: systemClock, forgot })
  const add = (id: string): Promise<void> =>
    sendMore({ store: memory.store, vault: undefined }, id, ['work '.repeat(1_500)], {
      keep: () => ({ ttl: 60_000 }),
      mark: async () => undefined,
    })
  await add('first')
  memory.ended('first')
  expect(forgotten).toEqual([])
  await add('second')
  expect(forgotten).toEqual([expect.closeTo(7_500, -2)])
  const keys: string[] = []
  for await (const some of store.scan!('job/')) for (const { key } of some) keys.push(key)
  expect(keys.filter((key) => key.startsWith('job/first/letters/'))).toEqual([])
  expect(keys.filter((key) => key.startsWith('job/second/letters/'))).toHaveLength(1)
})
