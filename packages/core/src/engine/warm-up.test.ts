import { engineErrorOf } from '@harvestman/testing'
import { afterEach, expect, test, vi } from 'vitest'

import type { EngineEvent, MakeFetcher } from '@harvestman/ports'
import { createEngine } from './engine.ts'

let warmed = 0
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
})

function engineWith(limits: { readonly documentBytes?: number } = {}, warmUp = async () => void (warmed += 1)) {
  const events: EngineEvent[] = []
  const sent: string[] = []
  const fetcher: MakeFetcher = () => ({
    exchange: async ({ url }) => {
      sent.push(url.href)
      return { status: 200, headers: [['content-type', 'text/html']], body: Buffer.from('<p>page') }
    },
    warmUp,
    close: async () => undefined,
  })
  const engine = createEngine({ fetcher, limits, observer: (event) => events.push(event) })
  opened.push(engine)
  return { engine, events, sent }
}

test('warming up sends, charges and reports nothing', async () => {
  const { engine, events, sent } = engineWith()
  await engine.warmUp()
  expect(sent).toEqual([])
  expect(events).toEqual([])
  expect((await engine.usage()).used).toBe(0)
})

test('warming up prepares the fetcher', async () => {
  const before = warmed
  await engineWith().engine.warmUp()
  expect(warmed).toBe(before + 1)
})

test('warming up reads a page of many kilobytes', async () => {
  await expect(engineWith({ documentBytes: 10_000 }).engine.warmUp()).rejects.toMatchObject({
    code: 'page_too_complex',
  })
})

test('warming up ends at the next step when the engine is closed', async () => {
  const { engine } = engineWith()
  const warming = engine.warmUp().then(
    () => 'warm',
    (error: Error) => error,
  )
  await engine.close()
  expect(await warming).toMatchObject({ code: 'closed' })
})

test('warming up ends when the engine is closed or a minute has passed, although a step does not end', async () => {
  const hanging = async () => {
    const reached = Promise.withResolvers<void>()
    const { engine } = engineWith({}, () => {
      reached.resolve()
      return new Promise(() => undefined)
    })
    const warming = engineErrorOf(engine.warmUp())
    await reached.promise
    return { engine, warming }
  }
  const closed = await hanging()
  await closed.engine.close()
  expect((await closed.warming).code).toBe('closed')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late = await hanging()
  await vi.advanceTimersByTimeAsync(61_000)
  const error = await late.warming
  expect([error.code, error.message]).toEqual(['timeout', expect.stringContaining('did not end within 60 seconds')])
})

test('other work of the process runs between the steps of warming up', async () => {
  const { engine } = engineWith()
  let turns = 0
  let isWarm = false
  const count = (): void => {
    turns += 1
    if (!isWarm) setImmediate(count)
  }
  setImmediate(count)
  await engine.warmUp()
  isWarm = true
  // One for each schema, each part of the code, and each page.
  expect(turns).toBeGreaterThan(20)
})
