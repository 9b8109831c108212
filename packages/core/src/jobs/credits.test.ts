import { describe, expect, test } from 'vitest'

import { storeLedger } from '@harvestman/coordination'
import { EngineError } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { documentOf, openBench, team, type MakePage } from './fixtures/bench.ts'
import { bench, addressesOf } from './fixtures/suite.ts'

/** Pages that cost what `price` says of their number. */
function pricedPages(price: (number: number) => number): MakePage {
  return async (task, attempt) => {
    const document = documentOf(task, attempt)
    return { document: { ...document, metadata: { ...document.metadata, creditsUsed: price(task.number) } } }
  }
}

async function account(store: Parameters<typeof storeLedger>[0]) {
  return storeLedger(store).account(team)
}

describe('the credits of a job', () => {
  test('are those of its pages, whatever was held for them, and nothing stays held', async () => {
    const store = memoryStore()
    await storeLedger(store).grant({ team, credits: 100, id: 'one' })
    const one = bench({ store, most: 5, page: pricedPages((number) => (number % 5) + 1) })
    const job = await one.open(20)
    const { creditsUsed } = await job.end()
    await one.close()
    expect(creditsUsed).toBe(60)
    expect(await account(store)).toMatchObject({ used: 60, credits: 40, held: 0 })
  })

  test(
    'are counted without a bound, with one write when it opens, one when it begins and one at its end',
    { tags: ['long'] },
    async () => {
      const store = memoryStore()
      let writes = 0
      const counting = {
        ...store,
        update: (...given: Parameters<typeof store.update>) => {
          if (given[0].startsWith('ledger/')) writes += 1
          return store.update(...given)
        },
      }
      const one = bench({ store: counting })
      const job = await one.open(200)
      await job.end()
      await one.close()
      expect(await account(store)).toMatchObject({ used: 200, held: 0 })
      expect(writes).toBeLessThan(8)
    },
  )

  test('must be there before it opens: the refusal says how many are', async () => {
    const store = memoryStore()
    await storeLedger(store).grant({ team, credits: 3, id: 'one' })
    const one = bench({ store })
    await expect(one.open(4, { credits: 4 })).rejects.toMatchObject({
      code: 'insufficient_credits',
      details: { needed: 4, credits: 3 },
    })
    expect(await one.jobs.running(team)).toEqual([])
    expect(await account(store)).toMatchObject({ held: 0, used: 0 })
  })

  test('end it when the team has no more, and what was loaded stays', async () => {
    const store = memoryStore()
    await storeLedger(store).grant({ team, credits: 7, id: 'one' })
    const one = bench({ store, most: 2, page: pricedPages(() => 1) })
    const job = await one.open(20)
    const status = await job.end()
    expect(status).toMatchObject({ status: 'failed', completed: 6, cancelled: 14, creditsUsed: 6 })
    expect(status.message).toContain('too few credits left')
    expect(await addressesOf(job)).toHaveLength(6)
    await one.close()
    expect(await account(store)).toMatchObject({ used: 6, credits: 1, held: 0 })
  })

  test.each([1, 4, 16])('never pass its maxCredits, with %i pages at once', async (concurrency) => {
    const store = memoryStore()
    const one = bench({ store, concurrency, most: 5, page: pricedPages((number) => (number % 3 === 0 ? 5 : 1)) })
    const job = await one.open(60, { request: { maxCredits: 23 } })
    const status = await job.end()
    expect(status.creditsUsed).toBeLessThanOrEqual(23)
    // As many as there is room for: no page that costs five fits into what is left.
    expect(status.creditsUsed).toBeGreaterThan(23 - 5)
    expect(status).toMatchObject({ status: 'completed' })
    expect(status.message).toContain('maxCredits')
    expect(status.completed + status.cancelled).toBe(60)
    await one.close()
    expect((await account(store)).used).toBe(status.creditsUsed)
  })

  test('a page that turns out to be dearer than there is room for fails, and the job goes on', async () => {
    const store = memoryStore()
    const one = bench({ store, most: 1, page: pricedPages((number) => (number === 2 ? 40 : 1)) })
    const job = await one.open(10, { request: { maxCredits: 20 } })
    expect(await job.end()).toMatchObject({ status: 'completed', completed: 9, failed: 1, creditsUsed: 9 })
    expect((await job.errors()).errors).toMatchObject([{ code: 'insufficient_credits', url: 'https://made.up/2' }])
  })

  test('pages that fail cost nothing, also when they are tried again', async () => {
    const store = memoryStore()
    await storeLedger(store).grant({ team, credits: 50, id: 'one' })
    const page: MakePage = async (task, attempt) => {
      if (task.number % 2 === 0) throw new EngineError('tls_failed', 'The certificate is old.')
      return { document: documentOf(task, attempt) }
    }
    const one = bench({ store, page })
    const job = await one.open(10)
    expect(await job.end()).toMatchObject({ completed: 5, failed: 5, creditsUsed: 5 })
    await one.close()
    expect(await account(store)).toMatchObject({ used: 5, credits: 45, held: 0 })
  })

  test('a job that is cancelled gives back what was held for the rest', async () => {
    const store = memoryStore()
    await storeLedger(store).grant({ team, credits: 100, id: 'one' })
    const page: MakePage = (task, attempt) =>
      task.number < 3
        ? Promise.resolve({ document: documentOf(task, attempt) })
        : new Promise((_, reject) =>
            attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason as Error)),
          )
    const one = bench({ store, page, most: 5 })
    const job = await one.open(10)
    for await (const _ of job.documents()) if ((await job.status()).completed === 3) break
    await job.cancel()
    const { creditsUsed } = await job.end()
    await one.close()
    expect(creditsUsed).toBe(3)
    expect(await account(store)).toMatchObject({ used: 3, credits: 97, held: 0 })
  })

  test('a job that goes on after its end pays for what is new only', async () => {
    const store = memoryStore()
    await storeLedger(store).grant({ team, credits: 100, id: 'one' })
    const one = bench({ store })
    const job = await one.open(4)
    await job.end()
    await one.jobs.sendMore(job.id, { team, kind: 'count' }, [3])
    await expect.poll(async () => (await job.status()).completed).toBe(7)
    await job.end()
    await one.close()
    expect(await account(store)).toMatchObject({ used: 7, credits: 93, held: 0 })
  })

  test(
    'an engine that is cut off at any write leaves nothing uncounted and nothing counted twice',
    { tags: ['long'] },
    async () => {
      for (let cut = 1; cut < 60; cut += 3) {
        const store = memoryStore()
        await storeLedger(store).grant({ team, credits: 100, id: 'one' })
        let writes = 0
        const away = (): Promise<never> => Promise.reject(new EngineError('closed', 'The store was closed.'))
        const dying = {
          ...store,
          set: (...given: Parameters<typeof store.set>) => ((writes += 1) >= cut ? away() : store.set(...given)),
          update: (...given: Parameters<typeof store.update>) =>
            (writes += 1) >= cut ? away() : store.update(...given),
        }
        const first = openBench({ store: dying, leaseTime: 20, concurrency: 2, owner: `an.example/1/1/${cut}` })
        const opened = await first.open(12).catch(() => undefined)
        const pause = new Promise((go) => setTimeout(go, 100))
        await Promise.race([opened?.end().catch(() => undefined), pause])
        await first.close().catch(() => undefined)
        if (!opened) continue
        const next = openBench({ store, leaseTime: 20 })
        const job = await next.jobs.find(opened.id, team)
        const { creditsUsed } = await job.end()
        await next.close()
        expect(creditsUsed).toBe(12)
        expect(await account(store), `cut off at write ${cut}`).toMatchObject({ used: 12, credits: 88, held: 0 })
      }
    },
  )
})
