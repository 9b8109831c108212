import { randomBytes } from 'node:crypto'

import { handClock, until as waitUntil } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { type Clock, EngineError, type Store, systemClock } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { documentOf, openBench, team, type MakePage } from './fixtures/bench.ts'
import { away, bench, numbers, addressesOf, sharedStore, storeThrough } from './fixtures/suite.ts'

/** A store of which every call first asks what is to become of it. */
function troubled(store: Store, before: (call: number) => Promise<unknown>): Store {
  let calls = 0
  return storeThrough(store, async (work) => {
    await before((calls += 1))
    return work()
  })
}

describe('a store that is away', () => {
  test.each([1_000, 30_000, 600_000])('for %i ms makes a job wait, and loses nothing', async (length) => {
    const clock = handClock()
    const store = memoryStore({ clock })
    let backAt = 0
    const flaky = troubled(store, () => (clock.now() < backAt ? away() : Promise.resolve()))
    let made = 0
    const page: MakePage = async (task, visit) => {
      made += 1
      if (made === 5) backAt = clock.now() + length
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ store: flaky, clock, page, concurrency: 2 }).open(20)
    await waitUntil('the store went away', () => backAt > 0, clock, 100)
    let isOver = false
    await waitUntil('the store is back', () => clock.now() >= backAt, clock, length / 10)
    void job.end().then(() => (isOver = true))
    await waitUntil('the job ended', () => isOver, clock, 1000)
    expect(await addressesOf(job)).toEqual(numbers(20))
    expect(await job.status()).toMatchObject({ completed: 20, failed: 0, creditsUsed: 20 })
    // Waiting, it did not go on loading pages that it could not keep.
    expect(made).toBe(20)
  })

  test('and does not answer makes a job wait until it does', async () => {
    const back = Promise.withResolvers<void>()
    const store = troubled(memoryStore(), (call) => (call > 12 ? back.promise : Promise.resolve()))
    const job = await bench({ store }).open(10)
    const reading = addressesOf(job)
    await new Promise((go) => setTimeout(go, 50))
    back.resolve()
    expect(await reading).toEqual(numbers(10))
  })

  test('as a job writes that it has ended, does not keep the engine from closing', { tags: ['long'] }, async () => {
    const store = sharedStore()
    let isGone = false
    const dying: Store = {
      ...troubled(store, () => (isGone ? away() : Promise.resolve())),
      update: (key, ...more) => {
        // The opening, the name of the writer, the pages; and then the end.
        isGone ||= key.endsWith('/log/3')
        return isGone ? away() : store.update(key, ...more)
      },
    }
    const first = openBench({ store: dying, leaseTime: 20 })
    const job = await first.open(3)
    await waitUntil('it ends', () => isGone)
    await first.close()
    const next = await bench({ store, leaseTime: 20 }).jobs.find(job.id, team)
    expect(await addressesOf(next)).toEqual(numbers(3))
  })
})

describe('a document that is too large for the store', () => {
  // It cannot be compressed to less than the store takes.
  const large = randomBytes(8_000_000).toString('hex')
  const page: MakePage = async (task, visit) => ({
    document: { ...documentOf(task, visit), markdown: task.number === 3 ? large : 'x'.repeat(10) },
  })

  test('is a page that failed, with a sentence, and no other page suffers', async () => {
    const store = memoryStore()
    const small: Store = {
      ...store,
      update: (key, change, options) =>
        store.update(
          key,
          (old) => {
            const value = change(old)
            if (!(value instanceof Uint8Array) || value.length < 1_000_000) return value
            throw new EngineError('store_failed', 'It takes a megabyte.', { details: { reason: 'too large' } })
          },
          options,
        ),
    }
    const job = await bench({ store: small, page, concurrency: 8 }).open(10)
    expect(await job.end()).toMatchObject({ status: 'completed', total: 10, completed: 9, failed: 1, creditsUsed: 9 })
    const { errors } = await job.errors()
    expect(errors).toMatchObject([{ code: 'store_failed', url: 'https://made.up/3' }])
    expect(errors[0]?.error).toContain('rejected a document of 16')
    expect(await addressesOf(job)).toEqual(numbers(10).filter((url) => url !== 'https://made.up/3'))
  })

  test('and not for the store is given alone in a page of results, though that is larger than asked for', async () => {
    const job = await bench({ page, concurrency: 1 }).open(5)
    await job.end()
    const sizes: number[] = []
    for (let next: number | undefined = 0; next !== undefined;) {
      const run = await job.page({ skip: next, limit: 100, maxBytes: 10_000_000 })
      sizes.push(run.count)
      next = run.next
    }
    expect(sizes).toEqual([3, 1, 1])
  })
})

describe('a store that is damaged', () => {
  /** A store that from a page on does not take what is written under keys of jobs that end so. */
  const damagedAt = (ending: string, isDamaged: () => boolean): Store => {
    const store = memoryStore()
    const damaged = () => new EngineError('store_failed', 'It is damaged.', { details: { reason: 'damaged' } })
    return {
      ...store,
      update: async (key, ...more) => {
        if (isDamaged() && key.endsWith(ending)) throw damaged()
        return store.update(key, ...more)
      },
    }
  }

  test('is told to whoever waits for a job in it, and what it has of the job can be read', async () => {
    let made = 0
    const page: MakePage = async (task, visit) => {
      made += 1
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ store: damagedAt('/log/5', () => made > 2), page, concurrency: 1 }).open(20)
    await expect(job.end()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'damaged' } })
    const { completed, status } = await job.status()
    expect(status).toBe('scraping')
    expect((await job.page({ skip: 0, limit: 100, maxBytes: 1e6, wait: 60_000 })).count).toBe(completed)
    await expect(addressesOf(job)).rejects.toMatchObject({ code: 'store_failed' })
  })

  test('is told also where a job cannot be taken up at all', async () => {
    const job = await bench({ store: damagedAt('/lease', () => true) }).open(3)
    await expect(job.end()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'damaged' } })
  })

  test('is told where the record of a job is damaged as it ends, at once', async () => {
    let made = 0
    let asked = 0
    const page: MakePage = async (task, visit) => {
      made += 1
      return { document: documentOf(task, visit) }
    }
    const whole = memoryStore()
    const store: Store = {
      ...whole,
      update: async (key, ...more) => {
        if (made === 3 && /^job\/[^/]+$/.test(key)) {
          asked += 1
          throw new EngineError('store_failed', 'It is damaged.', { details: { reason: 'damaged' } })
        }
        return whole.update(key, ...more)
      },
    }
    const job = await bench({ store, page, concurrency: 1 }).open(3)
    await expect(job.end()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'damaged' } })
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(10)
  })

  test('is told where the log of a job is shorter than its record says', async () => {
    const whole = memoryStore()
    const get: Store['get'] = async (key) => (key.endsWith('/log/0') ? undefined : whole.get(key))
    const store: Store = { ...whole, get, getMany: (keys) => Promise.all(keys.map(get)) }
    const job = await bench({ store }).open(3)
    await expect(job.end()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'damaged' } })
  })

  test('is told of a record with a time that cannot be', async () => {
    const store = memoryStore()
    const first = openBench({ store })
    const job = await first.open(3)
    await job.end()
    await first.close()
    await store.update(`job/${job.id}`, (kept) => {
      // Cast: a record of this test, of which one field is made wrong.
      const { opening, ...rest } = kept as { readonly opening: object }
      return { ...rest, opening: { ...opening, createdAt: 9e99 } }
    })
    const found = await bench({ store }).jobs.find(job.id, team)
    await expect(found.status()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'damaged' } })
  })
})

/** The clock of the machine, which people can set. */
function settableClock() {
  let jumped = 0
  const clock: Clock = { ...systemClock, now: () => Date.now() + jumped }
  return { clock, jump: (ms: number) => void (jumped += ms) }
}

describe.each([3_600_000, -3_600_000])('when the time of day jumps by %i ms', (jump) => {
  test('no job changes hands, none stops, and none expires early', async () => {
    const { clock, jump: set } = settableClock()
    const store = sharedStore(clock)
    const visited: number[] = []
    const page: MakePage = async (task, visit) => {
      visited.push(task.number)
      if (task.number === 3) set(jump)
      if (task.number === 12) set(-jump)
      // Longer than a lease.
      if (task.number % 8 === 5) await new Promise((go) => setTimeout(go, 150))
      return { document: documentOf(task, visit) }
    }
    const job = await bench({ store, clock, page, concurrency: 1, leaseTime: 100, life: 86_400_000 }).open(20)
    const other = bench({ store, clock, leaseTime: 100, page: () => Promise.reject(new Error('Stolen.')) })
    expect(await addressesOf(await other.jobs.find(job.id, team))).toEqual(numbers(20))
    expect(visited.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, number) => number))
    expect(await job.status()).toMatchObject({ completed: 20, failed: 0 })
    set(jump)
    expect(await job.status()).toMatchObject({ completed: 20 })
  })
})

test('an engine whose thread is blocked for longer than its lease loses it safely, if at all', async () => {
  const store = sharedStore()
  const page: MakePage = async (task, visit) => {
    if (task.number === 4) for (const end = performance.now() + 400; performance.now() < end;);
    await new Promise((go) => setTimeout(go, 5))
    return { document: documentOf(task, visit) }
  }
  const job = await bench({ store, page, concurrency: 2, leaseTime: 60 }).open(30)
  const other = await bench({ store, concurrency: 2, leaseTime: 60 }).jobs.find(job.id, team)
  expect(await addressesOf(other)).toEqual(numbers(30))
  expect(await other.status()).toMatchObject({ status: 'completed', total: 30, completed: 30, creditsUsed: 30 })
})

describe('the end of a job’s life', () => {
  const life = 3_600_000

  test('leaves nothing of it in the store, and takes nothing before', async () => {
    const clock = handClock()
    const store = memoryStore({ clock })
    const keys = new Set<string>()
    const noting: Store = {
      ...store,
      set: (...given) => (keys.add(given[0]), store.set(...given)),
      update: (...given) => (keys.add(given[0]), store.update(...given)),
    }
    const page: MakePage = async (task, visit) => {
      await clock.sleep(10_000, visit.signal)
      return task.number === 5 ? Promise.reject(new Error('A fault.')) : { document: documentOf(task, visit) }
    }
    const made = bench({ store: noting, clock, page, life })
    const opened = clock.now()
    const job = await made.open(8, { idempotencyKey: 'key' })
    let isOver = false
    void job.end().then(() => (isOver = true))
    await waitUntil('the job ended', () => isOver, clock)
    await made.jobs.sendMore(job.id, { team, kind: 'count' }, [2])
    let completed = 0
    await waitUntil(
      'more pages came',
      () => (void job.status().then((now) => (completed = now.completed)), completed === 9),
      clock,
    )
    const { documents } = await job.page({ skip: 0, limit: 10, maxBytes: 1e6 })
    const scrape = (JSON.parse(Buffer.from(documents[0]!).toString()) as { metadata: { scrapeId: string } }).metadata
    await clock.pass(opened + life - 1 - clock.now())
    expect(await job.status()).toMatchObject({ completed: 9, failed: 1 })
    expect((await addressesOf(job)).length).toBe(9)
    expect((await made.jobs.findPage(scrape.scrapeId, team)).metadata.scrapeId).toBe(scrape.scrapeId)
    await clock.pass(1)
    // The account is the team's, and says nothing of the job.
    const account = `ledger/${team}`
    expect(JSON.stringify(await store.get(account))).not.toContain(job.id)
    keys.delete(account)
    const left = await Promise.all([...keys].map(async (key) => ((await store.get(key)) === undefined ? [] : [key])))
    expect(keys.size).toBeGreaterThan(10)
    expect(left.flat()).toEqual([])
    await expect(job.status()).rejects.toMatchObject({ code: 'not_found' })
    await expect(made.jobs.findPage(scrape.scrapeId, team)).rejects.toMatchObject({ code: 'not_found' })
    expect((await made.open(8, { idempotencyKey: 'key' })).id).not.toBe(job.id)
  })
})

describe('a thousand readers', () => {
  test(
    'that follow `next` while pages arrive miss none and get none twice, and do not spin',
    { tags: ['long'] },
    async () => {
      const gates: (() => void)[] = []
      const page: MakePage = async (task, visit) => {
        await new Promise<void>((go) => gates.push(go))
        return { document: documentOf(task, visit) }
      }
      const job = await bench({ page, concurrency: 1 }).open(6)
      let asked = 0
      const read = async (): Promise<string[]> => {
        const seen: string[] = []
        for (let next: number | undefined = 0; next !== undefined;) {
          asked += 1
          const run = await job.page({ skip: next, limit: 3, maxBytes: 1e6, wait: 20_000 })
          const documents = JSON.parse(`[${Buffer.concat(run.documents).toString()}]`) as {
            metadata: { url: string }
          }[]
          seen.push(...documents.map(({ metadata }) => metadata.url))
          next = run.next
        }
        return seen.toSorted()
      }
      const readers = Promise.all(Array.from({ length: 1000 }, read))
      for (let number = 0; number < 6; number += 1) {
        await waitUntil('a page is being loaded', () => gates.length > number)
        gates[number]?.()
      }
      for (const seen of await readers) expect(seen).toEqual(numbers(6))
      // Each asks once for each page that arrives, and once for the end.
      expect(asked).toBeLessThanOrEqual(8000)
    },
  )
})

test('jobs side by side in one store, and engines with stores of their own, do not read each other', async () => {
  const store = memoryStore()
  const labelled =
    (label: string): MakePage =>
    async (task, visit) => ({
      document: { ...documentOf(task, visit), markdown: label },
    })
  const one = bench({ store, page: labelled('one') })
  const other = bench({ store, page: labelled('one') })
  const apart = bench({ page: labelled('apart') })
  const jobs = await Promise.all([one.open(5), other.open(7), apart.open(9)])
  const contents = await Promise.all(
    jobs.map(async (job) => {
      const all: string[] = []
      for await (const { markdown } of job.documents()) all.push(String(markdown))
      return all
    }),
  )
  expect(contents.map((all) => all.length)).toEqual([5, 7, 9])
  expect(contents.map((all) => [...new Set(all)])).toEqual([['one'], ['one'], ['apart']])
  await expect(apart.jobs.find(jobs[0].id, team)).rejects.toMatchObject({ code: 'not_found' })
})
