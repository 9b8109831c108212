import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import type { EngineEvent, Store } from '@harvestman/ports'
import { createEngine } from './engine.ts'

const page = new TextEncoder().encode('<title>Page</title><main><p>Some text that is long enough to stay.</p></main>')

/** An engine whose pages come when they are let go. */
function engineOn(store: Store) {
  const events: EngineEvent[] = []
  const gate = Promise.withResolvers<void>()
  const engine = createEngine({
    store,
    limits: { concurrency: 4 },
    observer: (event) => events.push(event),
    fetcher: () => ({
      exchange: async ({ take }) => {
        await gate.promise
        const head = { status: 200, headers: [['content-type', 'text/html'] as const] }
        const taken = take?.(head)
        await taken?.(page)
        return { ...head, body: taken ? new Uint8Array() : page }
      },
      close: async () => undefined,
    }),
  })
  const takes = () => events.flatMap((event) => (event.kind === 'job.taken' ? [event] : []))
  return { engine, takes, letGo: gate.resolve }
}

test('an engine tells which jobs it took up, how long each had waited, and what it does for them now', async () => {
  const store = memoryStore()
  const first = engineOn(store)
  const { id } = await first.engine.batch({ urls: ['https://a.example/1', 'https://a.example/2'] })
  await expect.poll(() => first.engine.jobs.here()).toMatchObject({ running: 1, places: 4, taken: 2 })
  expect(first.takes()).toMatchObject([{ id, isTakeover: false, waited: expect.any(Number) as number }])
  await first.engine.close()
  expect(first.engine.jobs.here()).toMatchObject({ running: 0, idleFor: 0 })

  const second = engineOn(store)
  second.letGo()
  const job = await second.engine.jobs.find(id)
  for await (const _ of job.documents());
  expect(second.takes()).toMatchObject([{ id, isTakeover: true }])
  await expect.poll(() => second.engine.jobs.here()).toMatchObject({ running: 0, taken: 0 })
  await second.engine.close()
})
