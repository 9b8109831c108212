import { memoryStore } from '@harvestman/core'
import { movedClock, scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { monitorRecords } from './records/monitor.ts'
import { day, hour, house, nextCheck, pageOf, runNow } from './fixtures/house.ts'

const url = 'https://shop.test/lamp'
const daily = {
  name: 'Lamps',
  schedule: { text: 'daily', jitter: 0 },
  targets: [{ type: 'scrape' as const, urls: [url] }],
}

describe('a monitor', () => {
  test('looks when its schedule says, and tells what has changed since the look before', async () => {
    const bench = house({ pages: { '/lamp': pageOf('The lamp costs 20 euros and is made of oak.') } })
    await using engine = bench.engine
    const { id, nextRunAt } = await engine.monitors.create(daily)
    expect(nextRunAt).toBe('2026-01-02T00:00:00.000Z')
    const look = async () => {
      const next = nextCheck(engine.monitors, id)
      bench.clock.moveOn(day)
      const { id: check, status, trigger } = await next
      const { pages } = await engine.monitors.check(id, check)
      return { status, trigger, pages: pages.map((page) => [page.url, page.status, page.diff?.text ?? null]) }
    }
    expect(await look()).toEqual({ status: 'completed', trigger: 'scheduled', pages: [[url, 'new', null]] })
    expect(await look()).toMatchObject({ pages: [[url, 'same', null]] })
    bench.pages['/lamp'] = pageOf('The lamp costs 25 euros and is made of oak.')
    const [[, status, diff] = []] = (await look()).pages
    expect(status).toBe('changed')
    expect(diff).toMatch(/-The lamp costs 20 euros[^]*\+The lamp costs 25 euros/)
    expect(await look()).toMatchObject({ pages: [[url, 'same', null]] })
    expect(await engine.monitors.get(id)).toMatchObject({
      ...{ lastCheckSummary: { totalPages: 1, same: 1 }, currentCheckId: null, skippedRuns: 0, creditsThisMonth: 4 },
    })
    const checks = await engine.monitors.checks(id)
    expect(checks.map(({ scheduledFor }) => scheduledFor?.slice(0, 10))).toEqual([
      ...['2026-01-05', '2026-01-04', '2026-01-03', '2026-01-02'],
    ])
  })

  test('names pages that went, that came back, and that could not be read', { tags: ['long'] }, async () => {
    const bench = house({ pages: { '/lamp': pageOf('A lamp.') } })
    await using engine = bench.engine
    const { id } = await engine.monitors.create(daily)
    const statuses: string[] = []
    for (const now of [pageOf('A lamp.'), 410, 404, 503, pageOf('A lamp.')]) {
      bench.pages['/lamp'] = now
      const check = await runNow(bench, id)
      const { pages } = await engine.monitors.check(id, check.id)
      statuses.push(`${pages[0]?.status} ${check.status}`)
    }
    expect(statuses).toEqual(['new completed', 'removed completed', 'same completed', 'error partial', 'new completed'])
  })

  test('of a crawl finds new pages, and looks itself at those that nothing leads to any more', async () => {
    const link = (...to: string[]) => pageOf(to.map((one) => `<a href="/${one}">${one} is a page</a>`).join(' '))
    const bench = house({ pages: { '/': link('a', 'b'), '/a': pageOf('Page a.'), '/b': pageOf('Page b.') } })
    await using engine = bench.engine
    const targets = [
      { type: 'crawl' as const, url: 'https://shop.test/', crawlOptions: { limit: 10, sitemap: 'skip' } },
    ]
    const { id } = await engine.monitors.create({ ...daily, targets })
    const look = async () => {
      const { pages } = await engine.monitors.check(id, (await runNow(bench, id)).id)
      return Object.fromEntries(pages.map((page) => [new URL(page.url).pathname, page.status]))
    }
    expect(await look()).toEqual({ '/': 'new', '/a': 'new', '/b': 'new' })
    bench.pages['/'] = link('a', 'c')
    bench.pages['/c'] = pageOf('Page c.')
    expect(await look()).toEqual({ '/': 'changed', '/a': 'same', '/b': 'same', '/c': 'new' })
    bench.pages['/b'] = 404
    expect(await look()).toEqual({ '/': 'same', '/a': 'same', '/b': 'removed', '/c': 'same' })
    expect(await look()).toEqual({ '/': 'same', '/a': 'same', '/c': 'same' })
  })

  test('of a search tells each page once', async () => {
    const web = ['https://a.test/1', 'https://a.test/2'].map((one) => ({ url: one, title: 'One' }))
    const bench = house({ search: scriptedSearch({ web }) })
    await using engine = bench.engine
    const targets = [{ type: 'search' as const, queries: ['lamps'] }]
    await expect(engine.monitors.create({ ...daily, targets })).rejects.toThrow(/needs a goal, or judgeEnabled: false/)
    const { id } = await engine.monitors.create({ ...daily, targets, judgeEnabled: false })
    const first = await runNow(bench, id)
    expect(first.summary).toMatchObject({ new: 2, same: 0 })
    expect((await runNow(bench, id)).summary).toMatchObject({ new: 0, same: 2 })
    expect(first.targetResults).toMatchObject([{ type: 'search', resultCount: 2, matches: 2 }])
  })

  test('compares values field by field, and counts what it was told to count', { tags: ['long'] }, async () => {
    const shelf = (...prices: string[]) =>
      `<main>${prices.map((price, at) => `<i data-p="${price}">lamp ${at}</i>`).join(' ')}</main>`
    const bench = house({ pages: { '/lamp': shelf('10', '20') } })
    await using engine = bench.engine
    const formats = [{ type: 'attributes', selectors: [{ selector: 'i', attribute: 'data-p' }] }]
    const at = 'attributes[].values'
    const { id } = await engine.monitors.create({
      ...daily,
      targets: [{ type: 'scrape', urls: [url], scrapeOptions: { formats } }],
      change: { values: ['attributes'], thresholds: [{ field: at, percent: 10 }] },
    })
    const look = async (...prices: string[]) => {
      bench.pages['/lamp'] = shelf(...prices)
      const { pages } = await engine.monitors.check(id, (await runNow(bench, id)).id)
      return [pages[0]?.status, pages[0]?.diff?.json ?? null]
    }
    expect(await look('10', '20')).toEqual(['new', null])
    expect(await look('10', '21')).toEqual(['same', null])
    // What did not count is still what later looks are compared with: small steps add up.
    expect(await look('10', '22')).toEqual([
      'changed',
      { 'attributes[0].values[1]': { previous: '20', current: '22' } },
    ])
    await engine.monitors.update(id, { change: { values: ['attributes'], items: [{ at }] } })
    expect(await look('22', '10')).toEqual(['same', null])
    expect(await look('22', '10', '5')).toEqual([
      'changed',
      { 'attributes[0].values[5]': { previous: null, current: '5' } },
    ])
  })

  test('does not tell of lines and elements that are ignored, nor of too little', async () => {
    const bench = house({ pages: { '/lamp': pageOf('The lamp is blue.</p><p class="w">Sunny.') } })
    await using engine = bench.engine
    const change = { ignore: { selectors: ['.w'], patterns: ['^Draw'] }, only: ['lamp', 'chair'], leastCharacters: 5 }
    const { id } = await engine.monitors.create({ ...daily, change })
    const look = async (text: string) => {
      bench.pages['/lamp'] = pageOf(text)
      return (await runNow(bench, id)).summary
    }
    await runNow(bench, id)
    expect(await look('The lamp is blue.</p><p class="w">Rainy.')).toMatchObject({ same: 1 })
    expect(await look('The lamp is blue.</p><p>Draw 17')).toMatchObject({ same: 1 })
    expect(await look('The lamp is blue.</p><p>A table came.')).toMatchObject({ same: 1 })
    expect(await look('The lamp is green.')).toMatchObject({ changed: 1 })
  })

  test('has changes judged by its goal, and pays for it', async () => {
    const verdict = { meaningful: false, confidence: 'high', reason: 'Only words.', meaningfulChanges: [] }
    const bench = house({ pages: { '/lamp': pageOf('One.') }, llm: scriptedLLM([{ value: verdict }]) })
    await using engine = bench.engine
    const { id, judgeEnabled } = await engine.monitors.create({ ...daily, goal: 'Prices of lamps' })
    expect(judgeEnabled).toBe(true)
    await runNow(bench, id)
    bench.pages['/lamp'] = pageOf('Two words.')
    const check = await runNow(bench, id)
    expect(check.actualCredits).toBe(2)
    const { pages } = await engine.monitors.check(id, check.id)
    expect(pages[0]).toMatchObject({ status: 'changed', judgment: verdict })
  })

  test.each([{ text: 'hourly' }, { every: hour }])(
    'of one page is estimated at 720 credits a month: %j',
    async (schedule) => {
      await using engine = house().engine
      const { estimatedCreditsPerMonth } = await engine.monitors.create({ ...daily, schedule })
      expect(estimatedCreditsPerMonth).toBe(720)
    },
  )

  test('spends no more in a month than it may', async () => {
    const bench = house({ pages: { '/lamp': pageOf('One.') } })
    await using engine = bench.engine
    const { id } = await engine.monitors.create({ ...daily, maxCreditsPerMonth: 2 })
    const statuses = [await runNow(bench, id), await runNow(bench, id), await runNow(bench, id)].map(
      (one) => one.status,
    )
    expect(statuses).toEqual(['completed', 'completed', 'skipped_no_credits'])
    bench.clock.moveOn(32 * day)
    expect((await runNow(bench, id)).status).toBe('completed')
  })

  test('is paused, resumed, changed and deleted; a check runs alone', async () => {
    const bench = house({ pages: { '/lamp': pageOf('One.') } })
    await using engine = bench.engine
    const { id } = await engine.monitors.create(daily)
    expect(await engine.monitors.update(id, { status: 'paused' })).toMatchObject({ status: 'paused', nextRunAt: null })
    bench.clock.moveOn(3 * day)
    expect(await engine.monitors.checks(id)).toEqual([])
    await expect(engine.monitors.run(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await engine.monitors.update(id, { status: 'active' })).toMatchObject({
      status: 'active',
      nextRunAt: '2026-01-05T00:00:00.000Z',
    })
    const queued = await engine.monitors.run(id)
    expect(queued).toMatchObject({ status: 'queued', trigger: 'manual' })
    await expect(engine.monitors.run(id)).rejects.toMatchObject({ code: 'conflict', details: { checkId: queued.id } })
    expect(await engine.monitors.update(id, { name: 'Others', schedule: { every: 6 * hour } })).toMatchObject({
      ...{ name: 'Others', nextRunAt: expect.stringMatching(/^2026-01-04T06:00:/) as string },
    })
    await expect(engine.monitors.get(id, { team: 'acme' })).rejects.toMatchObject({ code: 'not_found' })
    await engine.monitors.delete(id)
    await expect(engine.monitors.get(id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await engine.monitors.list()).toEqual([])
  })

  test('is held to the scopes of the key that makes, changes or runs it, which may always pause it', async () => {
    await using engine = house().engine
    const scopes = { groups: ['monitor', 'batch'], formats: ['markdown'] }
    const asks = (formats: string[]) => ({ type: 'scrape' as const, urls: [url], scrapeOptions: { formats } })
    const crawl = { type: 'crawl' as const, url }
    const search = { type: 'search' as const, queries: ['lamps'] }
    const made = (target: object) =>
      engine.monitors.create({ ...daily, judgeEnabled: false, targets: [target] } as never, { scopes })
    await expect(made(asks(['html']))).rejects.toThrow(/format html/)
    await expect(made(crawl)).rejects.toThrow(/group crawl/)
    await expect(made(search)).rejects.toThrow(/group search/)
    const { id } = await made(asks(['markdown']))
    await expect(engine.monitors.update(id, { targets: [asks(['html'])] }, { scopes })).rejects.toThrow(/format html/)
    await engine.monitors.update(id, { targets: [asks(['html'])] })
    await expect(engine.monitors.run(id, { scopes })).rejects.toMatchObject({ code: 'scope_missing' })
    await expect(engine.monitors.update(id, { name: 'Mine' }, { scopes })).rejects.toThrow(/format html/)
    expect(await engine.monitors.update(id, { status: 'paused' }, { scopes })).toMatchObject({ status: 'paused' })
    await expect(engine.monitors.update(id, { status: 'active' }, { scopes })).rejects.toThrow(/format html/)
  })

  test.each([
    [{ schedule: { cron: '* * * * *' } }, /more than once in 5 minutes/],
    [{ schedule: { text: 'now and then' } }, /not a schedule/],
    [{ targets: [] }, /targets/],
    [
      { targets: [{ type: 'scrape', urls: [url], scrapeOptions: { formats: ['nonsense'] } }] },
      /^targets\[0\]\.scrapeOptions\.formats\[0\] is "nonsense"/,
    ],
    [
      { targets: [{ type: 'crawl', url, scrapeOptions: { timeout: 1 } }] },
      /^targets\[0\]\.scrapeOptions\.timeout must be/,
    ],
    [
      { targets: [{ type: 'crawl', url, crawlOptions: { limits: 1 } }] },
      /^targets\[0\]\.crawlOptions\.limits is not a known/,
    ],
    [{ webhook: 'https://x.test/', extra: 1 }, /extra/],
  ])('is refused with what is wrong: %j', async (wrong, message) => {
    await using engine = house().engine
    await expect(engine.monitors.create({ ...daily, ...wrong } as never)).rejects.toThrow(message)
  })
})

test('the id of a monitor that is none is named', async () => {
  await using engine = house().engine
  await expect(engine.monitors.get('nope')).rejects.toThrow('id must be a UUID, but is "nope".')
})

describe('missed times', () => {
  test.each([
    ['once', { checks: 1, skippedRuns: 2 }],
    ['skip', { checks: 0, skippedRuns: 3 }],
  ] as const)('are made up for as is said: %s', async (missed, expected) => {
    const clock = movedClock()
    const store = memoryStore({ clock })
    const first = house({ clock, store })
    const { id } = await first.engine.monitors.create({ ...daily, schedule: { text: 'daily', missed, jitter: 0 } })
    await first.engine.close()
    clock.moveOn(3 * day + hour)
    const { engine } = house({ clock, store, pages: { '/lamp': pageOf('One.') } })
    engine.monitors.start()
    while ((await engine.monitors.get(id)).skippedRuns === 0) await clock.sleep(5, AbortSignal.timeout(60_000))
    const checks = await engine.monitors.checks(id)
    const { skippedRuns, nextRunAt } = await engine.monitors.get(id)
    await engine.close()
    expect({ checks: checks.length, skippedRuns }).toEqual(expected)
    expect(nextRunAt).toBe('2026-01-05T00:00:00.000Z')
  })
})

describe('after a clock that was 40 days ahead', () => {
  const ahead = 40 * day
  const open = () => house({ pages: { '/lamp': pageOf('One.') }, given: { pollInterval: 1_000 } })
  const hourly = { ...daily, schedule: { text: 'hourly', jitter: 0 } }

  /** Sets the clock back, and waits until the stored due time is right again. */
  const setBack = async ({ clock, store }: ReturnType<typeof house>, id: string) => {
    clock.jump(-ahead)
    await expect
      .poll(async () => {
        clock.moveOn(1_000)
        return ((await monitorRecords(store).get(id))?.nextRunAt ?? 0) - clock.now()
      })
      .toBeLessThanOrEqual(hour)
  }
  const checksOf = async ({ engine }: ReturnType<typeof house>, id: string) => {
    const checks = await engine.monitors.checks(id)
    return checks.filter(({ status }) => status === 'completed').length
  }

  test.each([
    ['a cron', { text: 'hourly', jitter: 0 }],
    ['an interval', { every: hour, jitter: 0 }],
  ])('a monitor with %s checks at the times of its schedule', async (_, schedule) => {
    const bench = open()
    await using engine = bench.engine
    const { id } = await engine.monitors.create({ ...daily, schedule })
    bench.clock.jump(ahead)
    bench.clock.moveOn(hour)
    await expect.poll(() => checksOf(bench, id)).toBe(1)
    await setBack(bench, id)
    for (const count of [2, 3]) {
      bench.clock.moveOn(hour)
      await expect.poll(() => checksOf(bench, id)).toBe(count)
    }
  })

  test('a monitor shows the next time of its schedule at once', async () => {
    const bench = open()
    await using engine = bench.engine
    bench.clock.jump(ahead)
    const { id } = await engine.monitors.create(hourly)
    bench.clock.jump(-ahead)
    expect((await engine.monitors.get(id)).nextRunAt).toBe('2026-01-01T01:00:00.000Z')
  })

  test('a monitor that was created then checks by its interval', async () => {
    const bench = open()
    await using engine = bench.engine
    bench.clock.jump(ahead)
    const { id } = await engine.monitors.create({ ...daily, schedule: { every: hour, jitter: 0 } })
    await setBack(bench, id)
    bench.clock.moveOn(hour)
    await expect.poll(() => checksOf(bench, id)).toBe(1)
  })

  test('a monitor is found among hundreds of others', { tags: ['long'] }, async () => {
    const bench = open()
    await using engine = bench.engine
    for (let count = 0; count < 220; count += 1)
      await engine.monitors.create({ ...daily, schedule: { every: 300 * day, jitter: 0 } })
    bench.clock.jump(ahead)
    const { id } = await engine.monitors.create(hourly)
    await setBack(bench, id)
  })
})
