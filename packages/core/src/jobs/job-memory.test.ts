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

test('an ended job to which work is added is not deleted for that work', async () => {
  const store = memoryStore()
  const memory = makeJobMemory(store, { most: 10_000, clock: systemClock, forgot: () => undefined })
  const write = (key: string, bytes: number): Promise<unknown> => memory.store.set(`job/${key}`, new Uint8Array(bytes))
  await write('first/log/0', 6_000)
  memory.ended('first')
  await write('second/log/0', 3_000)
  memory.ended('second')
  await write('first/letters/a', 2_000)
  expect(await store.get('job/first/log/0')).toBeDefined()
  expect(await store.get('job/second/log/0')).toBeUndefined()
})
