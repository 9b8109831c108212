import { flaky } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { EngineError, type Store } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { documentOf, openBench, team, type MakePage } from './fixtures/bench.ts'
import { away, bench, numbers, addressesOf, sharedStore, storeThrough } from './fixtures/suite.ts'

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'nothing'
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error)
  }
}

describe('a job', () => {
  test('visits each of its pages once, and says so', async () => {
    const job = await bench().open(50)
    expect(await addressesOf(job)).toEqual(numbers(50))
    expect(await job.status()).toMatchObject({
      status: 'completed',
      total: 50,
      completed: 50,
      failed: 0,
      cancelled: 0,
      creditsUsed: 50,
    })
  })

  test('has known pages in its total from the first moment', async () => {
    const job = await bench({ page: () => new Promise(() => undefined) }).open(7)
    expect(await job.status()).toMatchObject({ status: 'scraping', total: 7, completed: 0 })
  })

  test('has the same total at every moment', async () => {
    const job = await bench({ concurrency: 3 }).open(30)
    const totals = new Set<number>()
    for (let word = ''; word !== 'completed'; await new Promise(setImmediate)) {
      const { status, total } = await job.status()
      totals.add(total)
      word = status
    }
    expect([...totals]).toEqual([30])
  })

  test('counts a page that fails apart, lists it, and ends all the same', async () => {
    const page = async (...[task, visit]: Parameters<MakePage>) => {
      if (task.number % 2 === 1) throw new EngineError('tls_failed', 'The certificate is old.')
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ page }).open(10)
    expect(await job.end()).toMatchObject({ status: 'completed', total: 10, completed: 5, failed: 5, creditsUsed: 5 })
    const { errors } = await job.errors()
    expect(errors).toHaveLength(5)
    expect(errors[0]).toMatchObject({ code: 'tls_failed', error: 'The certificate is old.' })
    expect(await addressesOf(job)).toHaveLength(5)
  })

  test('tries a page again whose failure may pass, three times in all', { tags: ['long'] }, async () => {
    const tries: number[] = []
    const page = async (...[task, visit]: Parameters<MakePage>) => {
      tries[task.number] = (tries[task.number] ?? 0) + 1
      if (task.number === 0 || tries[task.number] === 1) throw new EngineError('connection_failed', 'Cut off.')
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ page }).open(3)
    expect(await job.end()).toMatchObject({ completed: 2, failed: 1, total: 3 })
    expect(tries).toEqual([3, 2, 2])
  })

  test('that finds out a page is none of its own counts it nowhere', async () => {
    const page = async (...[task, visit]: Parameters<MakePage>) =>
      task.number === 1 ? {} : { document: documentOf(task, visit) }
    const job = await bench({ page }).open(3)
    expect(await job.end()).toMatchObject({ total: 2, completed: 2, failed: 0 })
  })

  test('that brings in a fault of ours keeps the fault to that page', async () => {
    const page = async (...[task, visit]: Parameters<MakePage>) => {
      if (task.number === 1) throw new TypeError('undefined is not a function')
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ page }).open(3)
    expect(await job.end()).toMatchObject({ completed: 2, failed: 1 })
    const { errors } = await job.errors()
    expect(errors[0]).toMatchObject({ code: 'internal' })
    expect(errors[0]?.error).not.toContain('undefined is not')
  })

  test('belongs to its team; to others it is not there', async () => {
    const { jobs, open } = bench()
    const { id } = await open(1)
    expect(await codeOf(jobs.find(id, 'other'))).toBe('not_found')
    expect((await jobs.find(id, team)).kind).toBe('count')
  })

  test('is among the running ones until it ends, for its own team', async () => {
    const { jobs, open } = bench({ page: (_, { signal }) => untilAborted(signal) })
    const job = await open(1)
    expect(await jobs.running(team)).toMatchObject([{ id: job.id }])
    expect(await jobs.running('other')).toEqual([])
    await job.cancel()
    expect(await jobs.running(team)).toEqual([])
  })

  test('lets each of its pages be found by the id of its scrape, by its team only', async () => {
    const { jobs, open } = bench()
    const job = await open(3)
    for await (const { metadata } of job.documents()) {
      expect((await jobs.findPage(metadata.scrapeId, team)).metadata.url).toBe(metadata.url)
      expect(await codeOf(jobs.findPage(metadata.scrapeId, 'other'))).toBe('forbidden')
    }
    expect(await codeOf(jobs.findPage('0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11', team))).toBe('not_found')
  })
})

describe('cancelling', () => {
  test('ends a job at once with one last event, and leaves what was done', async () => {
    const page = async (...[task, visit]: Parameters<MakePage>) => {
      if (task.number >= 3) await untilAborted(visit.signal)
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ page, concurrency: 1 }).open(10)
    while ((await job.status()).completed < 3) await new Promise((go) => setTimeout(go, 5))
    expect(await job.cancel()).toBe(true)
    expect(await job.status()).toMatchObject({ status: 'cancelled', total: 10, completed: 3, failed: 0, cancelled: 7 })
    expect(await addressesOf(job)).toHaveLength(3)
    const types: string[] = []
    for await (const { type } of job.events()) types.push(type)
    expect(types).toEqual(['started', 'page', 'page', 'page', 'cancelled'])
  })

  test('a job that has not begun yet ends before its canceller is answered', async () => {
    const store = storeThrough(memoryStore(), async (work) => {
      await new Promise((go) => setTimeout(go, 2))
      return work()
    })
    const job = await bench({ store, page: (_, { signal }) => untilAborted(signal) }).open(3)
    expect(await job.cancel()).toBe(true)
    expect(await job.status()).toMatchObject({ status: 'cancelled', cancelled: 3, total: 3 })
  })

  test('what has ended changes nothing', async () => {
    const job = await bench().open(2)
    await job.end()
    expect(await job.cancel()).toBe(false)
    expect(await job.status()).toMatchObject({ status: 'completed' })
  })

  test('reaches a job that runs in another engine', async () => {
    const store = sharedStore()
    const job = await bench({ store, page: (_, { signal }) => untilAborted(signal) }).open(5)
    const elsewhere = await bench({ store }).jobs.find(job.id, team)
    await elsewhere.cancel()
    expect(await job.end()).toMatchObject({ status: 'cancelled', cancelled: 5 })
    expect(await elsewhere.end()).toMatchObject({ status: 'cancelled' })
  })
})

describe('what happens', () => {
  test('can be read on from any event, each once', async () => {
    const job = await bench().open(20)
    const all: string[] = []
    for await (const { id, type } of job.events()) all.push(`${id} ${type}`)
    expect(all).toHaveLength(22)
    for (const [index, line] of all.entries()) {
      const rest: string[] = []
      for await (const { id, type } of job.events({ after: line.split(' ')[0] ?? '' })) rest.push(`${id} ${type}`)
      expect(rest).toEqual(all.slice(index + 1))
    }
  })

  test('is not told to who asks with an id of something else', async () => {
    const job = await bench().open(1)
    expect(await codeOf(job.events({ after: 'abc' })[Symbol.asyncIterator]().next())).toBe('invalid_request')
  })

  test('is seen by many readers at once while it happens, each page once', async () => {
    const job = await bench({ concurrency: 2 }).open(60)
    const readers = await Promise.all(Array.from({ length: 20 }, () => addressesOf(job)))
    for (const pages of readers) expect(pages).toEqual(numbers(60))
  })

  test('is seen from another engine as well', async () => {
    const store = sharedStore()
    const job = await bench({ store }).open(30)
    const elsewhere = await bench({ store }).jobs.find(job.id, team)
    expect(await addressesOf(elsewhere)).toEqual(numbers(30))
  })

  test('stops being read when the reader has had enough, or the engine is closed', async () => {
    const made = bench({ page: (_, { signal }) => untilAborted(signal) })
    const job = await made.open(1)
    const stop = new AbortController()
    const reading = codeOf(job.end({ signal: stop.signal }))
    const other = codeOf(job.end())
    stop.abort(new EngineError('aborted', 'Enough.'))
    expect(await reading).toBe('aborted')
    await made.close()
    expect(await other).toBe('closed')
  })
})

describe('pages of results', () => {
  const big = 'x'.repeat(50_000)
  const bigPage: MakePage = async (task, visit) => ({ document: { ...documentOf(task, visit), markdown: big } })

  test('follow one another without a gap or a double, whatever their size', async () => {
    const job = await bench().open(40)
    await job.end()
    for (const limit of [1, 7, 40, 1000]) {
      const seen: string[] = []
      let next: number | undefined = 0
      while (next !== undefined) {
        const page = await job.page({ skip: next, limit, maxBytes: 1e7 })
        const documents = JSON.parse(`[${Buffer.concat(page.documents).toString()}]`) as { metadata: { url: string } }[]
        expect(documents).toHaveLength(page.count)
        seen.push(...documents.map(({ metadata }) => metadata.url))
        next = page.next
      }
      expect(seen.sort()).toEqual(numbers(40))
    }
  })

  test('hold no more bytes than allowed, but always one document', async () => {
    const job = await bench({ page: bigPage }).open(10)
    await job.end()
    const two = await job.page({ skip: 0, limit: 100, maxBytes: 110_000 })
    expect([two.count, two.next]).toEqual([2, 2])
    const one = await job.page({ skip: 9, limit: 100, maxBytes: 10 })
    expect([one.count, one.next]).toEqual([1, undefined])
  })

  test('belong to the caller, and can be freed', async () => {
    const job = await bench({ page: bigPage }).open(3)
    await job.end()
    const ask = () => job.page({ skip: 0, limit: 100, maxBytes: 1e6 })
    const [first, second] = [await ask(), await ask()]
    first.free()
    expect(first.documents.filter((_, index) => index % 2 === 0).map(({ length }) => length)).toEqual([0, 0, 0])
    for (const { documents, count } of [second, await ask()]) {
      expect(JSON.parse(`[${Buffer.concat(documents).toString()}]`)).toHaveLength(count)
    }
    const whole: unknown[] = []
    for await (const { markdown } of job.documents()) whole.push(markdown)
    expect(whole).toEqual([big, big, big])
  })

  test('of a running job say where to read on, and can be waited for', async () => {
    const gates: (() => void)[] = []
    const page = async (...[task, visit]: Parameters<MakePage>) => {
      await new Promise<void>((go) => gates.push(go))
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ page, concurrency: 1 }).open(2)
    const empty = await job.page({ skip: 0, limit: 10, maxBytes: 1e6 })
    expect([empty.count, empty.next]).toEqual([0, 0])
    const waiting = job.page({ skip: 0, limit: 10, maxBytes: 1e6, wait: 20_000 })
    while (gates.length < 1) await new Promise((go) => setTimeout(go, 1))
    gates[0]?.()
    expect(await waiting).toMatchObject({ count: 1, next: 1 })
    while (gates.length < 2) await new Promise((go) => setTimeout(go, 1))
    gates[1]?.()
    await job.end()
    const last = await job.page({ skip: 1, limit: 10, maxBytes: 1e6, wait: 20_000 })
    expect([last.count, last.next]).toEqual([1, undefined])
  })
})

describe('an idempotency key', () => {
  test('makes one job of a hundred requests at once', async () => {
    const { open, jobs } = bench({ page: (_, { signal }) => untilAborted(signal) })
    const all = await Promise.all(Array.from({ length: 100 }, () => open(3, { idempotencyKey: 'key' })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(await jobs.running(team)).toHaveLength(1)
  })

  test('gives the same job after it has ended, and does not start it again', async () => {
    const { open } = bench()
    const first = await open(3, { idempotencyKey: 'key' })
    await first.end()
    const again = await open(3, { idempotencyKey: 'key' })
    expect(again.id).toBe(first.id)
    expect(await again.status()).toMatchObject({ status: 'completed', completed: 3 })
  })

  test('with another request is a conflict; for another team it is another key', async () => {
    const { open } = bench()
    const { id } = await open(3, { idempotencyKey: 'key' })
    expect(await codeOf(open(4, { idempotencyKey: 'key' }))).toBe('conflict')
    expect((await open(4, { idempotencyKey: 'key', team: 'other' })).id).not.toBe(id)
  })
})

describe('more work', () => {
  test('joins a job that runs, and reopens one that is done', async () => {
    const { jobs, open } = bench()
    const job = await open(3)
    await job.end()
    await jobs.sendMore(job.id, { team, kind: 'count' }, [4])
    while ((await job.status()).completed < 7) await new Promise((go) => setTimeout(go, 5))
    expect(await job.end()).toMatchObject({ status: 'completed', total: 7, completed: 7, creditsUsed: 7 })
    expect(await addressesOf(job)).toEqual(numbers(7))
  })

  test('is refused where the job is of another team or kind', async () => {
    const { jobs, open } = bench()
    const { id } = await open(1)
    expect(await codeOf(jobs.sendMore(id, { team: 'other', kind: 'count' }, [1]))).toBe('not_found')
    expect(await codeOf(jobs.sendMore(id, { team, kind: 'crawl' }, [1]))).toBe('not_found')
  })
})

describe('an engine that ends', () => {
  test('leaves its jobs to the next one on the same store, which goes on where they were', async () => {
    const store = sharedStore()
    const first = bench({ store, concurrency: 1 })
    const job = await first.open(100)
    while ((await job.status()).completed < 10) await new Promise((go) => setTimeout(go, 2))
    await first.close()
    const visited: number[] = []
    const page = async (...[task, visit]: Parameters<MakePage>) => {
      visited.push(task.number)
      return { document: documentOf(task, visit) }
    }
    const next = await bench({ store, page }).jobs.find(job.id, team)
    expect(await addressesOf(next)).toEqual(numbers(100))
    expect(visited.length).toBeLessThanOrEqual(90)
    expect(await next.status()).toMatchObject({ status: 'completed', total: 100, completed: 100 })
  })

  test('does not take its own end for failures of pages', async () => {
    const store = sharedStore()
    const first = bench({ store, page: (_, { signal }) => untilAborted(signal) })
    const job = await first.open(5)
    await first.close()
    const next = await bench({ store }).jobs.find(job.id, team)
    expect(await next.end()).toMatchObject({ completed: 5, failed: 0 })
  })
})

test('two engines that work on one job, because one slept too long, keep each page once', async () => {
  const store = sharedStore()
  const gates: (() => void)[] = []
  const slow = async (...[task, visit]: Parameters<MakePage>) => {
    await new Promise<void>((go) => gates.push(go))
    return { document: documentOf(task, visit) }
  }
  // It has the lease once, and is not heard of again.
  let beats = 0
  const silent: Store = {
    ...store,
    update: (key, ...more) =>
      key.endsWith('/lease') && (beats += 1) > 1 ? Promise.reject(new Error('Away.')) : store.update(key, ...more),
  }
  const sleeper = bench({ store: silent, page: slow, leaseTime: 20 })
  const job = await sleeper.open(8)
  while (gates.length < 4) await new Promise((go) => setTimeout(go, 1))
  const other = await bench({ store, leaseTime: 20 }).jobs.find(job.id, team)
  for (const go of gates) go()
  expect(await addressesOf(other)).toEqual(numbers(8))
  expect(await other.status()).toMatchObject({ status: 'completed', total: 8, completed: 8, creditsUsed: 8 })
})

describe('a store that is away', () => {
  test('for a while makes the job wait, and loses nothing', async () => {
    const store = memoryStore()
    let isAway = false
    const warnings: string[] = []
    const job = await bench({
      store: storeThrough(store, (work) => (isAway ? away() : work())),
      concurrency: 2,
      warnings,
    }).open(40)
    while ((await job.status()).completed < 5) await new Promise((go) => setTimeout(go, 1))
    isAway = true
    await new Promise((go) => setTimeout(go, 300))
    isAway = false
    expect(await addressesOf(job)).toEqual(numbers(40))
    expect(await job.status()).toMatchObject({ completed: 40, failed: 0 })
    expect(warnings.join()).toContain('The store rejected')
  })

  test('on every third call costs nothing but time', async () => {
    const faults = Array.from(
      { length: 400 },
      (_, index) => ({ point: 'update', nth: 10 + index * 3, kind: 'reject' }) as const,
    )
    const job = await bench({ store: flaky(memoryStore(), faults) }).open(60)
    expect(await addressesOf(job)).toEqual(numbers(60))
  })
})

// Every write of a job is the last one of an engine once: before it was kept, and after.
describe.each(['before', 'after'] as const)('a crash %s a write', (moment) => {
  test(
    'loses no page, doubles none, and leaves every number right, whichever write it is',
    { tags: ['long'] },
    async () => {
      let writes = 0
      for (let nth = 1; nth <= Math.max(writes, 1); nth += 1) {
        const store = sharedStore()
        const dying = dyingStore(store, nth, moment)
        const first = openBench({ store: dying.store, concurrency: 2, leaseTime: 20 })
        const opened = await first.open(6).catch(() => undefined)
        const ended = opened?.end().then(
          () => 'ended',
          () => 'died',
        )
        await Promise.race([ended, dying.died])
        void first.close().catch(() => undefined)
        if (nth === 1) writes = await countWrites()
        // A caller who never heard of the job asks again.
        const second = bench({ store, leaseTime: 20 })
        const job = opened ? await second.jobs.find(opened.id, team) : await second.open(6)
        expect(await addressesOf(job), `write ${nth}`).toEqual(numbers(6))
        expect(await job.status(), `write ${nth}`).toMatchObject({
          status: 'completed',
          total: 6,
          completed: 6,
          creditsUsed: 6,
        })
        await second.close()
      }
      expect(writes).toBeGreaterThan(5)
    },
  )
})

async function countWrites(): Promise<number> {
  const counting = dyingStore(sharedStore(), Infinity, 'after')
  const made = bench({ store: counting.store, concurrency: 2 })
  await (await made.open(6)).end()
  await made.close()
  return counting.count()
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

function dyingStore(store: Store, nth: number, moment: 'before' | 'after') {
  const death = Promise.withResolvers<void>()
  let [writes, isDead] = [0, false]
  const dead = (): Promise<never> => Promise.reject(new EngineError('store_failed', 'The process is gone.'))
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) return dead()
    writes += 1
    if (writes < nth) return work()
    isDead = true
    if (moment === 'after') await work()
    death.resolve()
    return dead()
  }
  const read = <T>(work: () => Promise<T>): Promise<T> => (isDead ? dead() : work())
  return { store: storeThrough(store, read, write), died: death.promise, count: () => writes }
}
