// Pages with the option `person` wait until a service of a plugin lets them go on.
import { EngineError } from '@harvestman/ports'
import { fakeBrowser, type FakeVisit } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { pageWaitsPort, type PageAttempt, type PageWaits } from '../plugin/core-ports.ts'
import { definePlugin, definePolicy } from '../plugin/define.ts'
import { providePort } from '../plugin/port.ts'
import { createEngine } from './engine.ts'

const html = '<title>Page</title><main><p>Some text that is long enough to stay.</p></main>'
const profile = { name: 'mine' }
const person = { timeout: 60 }
const numbers = [1, 2, 3, 4, 5, 6]
const pagesOf = (host: string): string[] => numbers.map((number) => `https://${host}/${number}`)

/** An engine whose host a.test needs a person until `end` is called. Then its pages are loaded, or fail with the error. */
function bench(givenUp = new EngineError('policy_denied', 'Nobody came.')) {
  const visited: string[] = []
  const attempts: PageAttempt[] = []
  const over = Promise.withResolvers<void>()
  let state: 'locked' | 'open' | 'given up' = 'locked'
  over.promise.catch(() => undefined)
  const isOfA = ({ request }: PageAttempt): boolean => request.url.startsWith('https://a.test/')
  let isAsked = false
  let refusals = 0
  const waits: PageWaits = {
    before: async (attempt) => {
      if (!isOfA(attempt) || !isAsked || state === 'open') return undefined
      if (state === 'given up') {
        refusals += 1
        throw givenUp
      }
      return { over: over.promise }
    },
    after: async (attempt, { code }) => {
      if (code !== 'policy_denied') return undefined
      attempts.push(attempt)
      isAsked = true
      return { over: over.promise }
    },
  }
  const locked = definePolicy({
    name: 'lock',
    may: (question) => {
      if (question.is !== 'url') return true
      return question.url.hostname !== 'a.test' || state !== 'locked' || 'Log in.'
    },
  })
  const load = ({ url }: FakeVisit): string => {
    visited.push(url.href)
    return html
  }
  const engine = createEngine({
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    browser: fakeBrowser({ pages: Object.fromEntries(numbers.map((number) => [`/${number}`, load])) }),
    robots: 'never',
    plugins: [definePlugin({ name: 'lock', policies: [locked] })],
    ports: [providePort(pageWaitsPort, waits)],
  })
  const end = (next: 'open' | 'given up'): void => {
    state = next
    if (next === 'open') over.resolve()
    else over.reject(givenUp)
  }
  return { engine, visited, attempts, end, refusals: () => refusals }
}

/** Resolves when as many pages of a job are completed. */
async function completed(job: { status(): Promise<{ readonly completed: number }> }, count: number): Promise<void> {
  await expect.poll(async () => (await job.status()).completed, { timeout: 30_000 }).toBe(count)
}

test('pages of a host that needs a person wait, the other pages of the job go on, and each page is loaded once', async () => {
  const { engine, visited, attempts, end } = bench()
  const job = await engine.batch({
    urls: [...pagesOf('a.test'), ...pagesOf('b.test')],
    profile,
    person,
    maxConcurrency: 1,
  })
  await completed(job, 6)
  expect(visited.toSorted()).toEqual(pagesOf('b.test'))
  // Pages that would fail like the first one are not tried.
  expect(attempts).toHaveLength(1)
  expect(attempts[0]).toMatchObject({ id: job.id, request: { person: { timeout: 60 }, profile: { name: 'mine' } } })
  end('open')
  for await (const _ of job.documents()) continue
  expect(visited.toSorted()).toEqual([...pagesOf('a.test'), ...pagesOf('b.test')])
  expect(await job.status()).toMatchObject({ status: 'completed', completed: 12, failed: 0 })
  await engine.close()
})

test('the waiting pages fail with the error of the wait, and no other page does', async () => {
  const { engine, visited, end } = bench()
  const job = await engine.batch({ urls: [...pagesOf('a.test'), ...pagesOf('b.test')], profile, person })
  await completed(job, 6)
  end('given up')
  for await (const _ of job.documents()) continue
  expect(await job.status()).toMatchObject({ status: 'completed', completed: 6, failed: 6 })
  const { errors } = await job.errors()
  expect(errors.map(({ error }) => error)).toEqual(numbers.map(() => 'Nobody came.'))
  expect(visited.toSorted()).toEqual(pagesOf('b.test'))
  await engine.close()
})

test('the final error of a wait is not tried again, and its host does not count as failing', async () => {
  const error = new EngineError('bad_response', 'Nobody came.', { details: { final: true } })
  const { engine, end, attempts, refusals } = bench(error)
  const urls = Array.from({ length: 60 }, (_, number) => `https://a.test/${number}`)
  const job = await engine.batch({ urls, profile, person })
  await expect.poll(() => attempts.length, { timeout: 30_000 }).toBeGreaterThan(0)
  end('given up')
  for await (const _ of job.documents()) continue
  const { errors } = await job.errors()
  expect(errors.map((one) => one.error)).toEqual(urls.map(() => 'Nobody came.'))
  expect(refusals()).toBe(urls.length)
  await engine.close()
})

test('a scrape waits and then returns the page; the wait does not count against its timeout', async () => {
  const { engine, attempts, end } = bench()
  const page = engine.scrape({ url: 'https://a.test/1', profile, person, timeout: 1_000 })
  await expect.poll(() => attempts.length, { timeout: 30_000 }).toBe(1)
  end('open')
  expect((await page).metadata.title).toBe('Page')
  await engine.close()
})

test('a scrape whose caller disconnects does not wait', async () => {
  const { engine, attempts } = bench()
  const caller = new AbortController()
  const page = engine.scrape({ url: 'https://a.test/1', profile, person }, { signal: caller.signal })
  await expect.poll(() => attempts.length, { timeout: 30_000 }).toBe(1)
  caller.abort(new EngineError('aborted', 'Gone.'))
  await expect(page).rejects.toMatchObject({ code: 'aborted' })
  await engine.close()
})

test('without the option, a page that needs a person fails at once', async () => {
  const { engine, attempts } = bench()
  await expect(engine.scrape({ url: 'https://a.test/1', profile })).rejects.toMatchObject({ code: 'policy_denied' })
  expect(attempts).toEqual([])
  await engine.close()
})

test('the option is refused without a profile, with zeroDataRetention, and in an engine that can ask nobody', async () => {
  const { engine } = bench()
  const refusal = (message: string) => ({ code: 'invalid_request', message: expect.stringContaining(message) })
  const url = 'https://a.test/1'
  await expect(engine.scrape({ url, person })).rejects.toMatchObject(refusal('person requires profile'))
  await expect(engine.scrape({ url, profile, person, zeroDataRetention: true })).rejects.toMatchObject(
    refusal('person cannot be combined with zeroDataRetention'),
  )
  await engine.close()
  await using plain = createEngine({ browser: fakeBrowser({ pages: {} }) })
  await expect(plain.batch({ urls: [url], profile, person })).rejects.toMatchObject({
    code: 'not_configured',
    message: expect.stringContaining('Add people() of @harvestman/live/people'),
  })
})
