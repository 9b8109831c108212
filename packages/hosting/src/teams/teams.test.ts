import { endpointGroups, memoryStore } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { admitTeams } from './gate.ts'
import { makeRates } from './rates.ts'
import { makeTeams } from './teams.ts'

function setUp() {
  const clock = { time: 1_800_000_000_000, now: () => clock.time, sleep: () => Promise.resolve() }
  const store = memoryStore({ clock })
  const teams = makeTeams(store, clock, { groups: endpointGroups })
  return { clock, store, teams, admit: admitTeams({ limitsOf: teams.limitsOf, rates: makeRates(store, clock) }) }
}

describe('A key', () => {
  test('opens for its team until it is revoked, and within a second of that no longer', async () => {
    const { teams, clock } = setUp()
    await teams.create({ id: 'acme' })
    const { key, info } = await teams.createKey('acme', { name: 'laptop' })
    expect(await teams.verify(key)).toMatchObject({ team: 'acme', key: info.id })
    expect(await teams.revokeKey('acme', info.id)).toBe(true)
    expect(await teams.revokeKey('acme', info.id)).toBe(false)
    clock.time += 1_000
    expect(await teams.verify(key)).toBeUndefined()
  })

  test('is kept as a hash only, and its text is given once', async () => {
    const { teams, store } = setUp()
    await teams.create({ id: 'acme' })
    const { key } = await teams.createKey('acme')
    const kept: unknown[] = []
    for await (const entries of store.scan?.('') ?? []) kept.push(...entries)
    expect(kept.length).toBeGreaterThan(0)
    expect(JSON.stringify(kept)).not.toContain(key.slice(-40))
    expect(JSON.stringify(await teams.listKeys('acme'))).not.toMatch(/hash/)
  })

  test.each(['', 'hm_', 'secret', `hm_${'a'.repeat(16)}_${'b'.repeat(43)}`])(
    'that was never made opens nothing: %j',
    async (key) => {
      expect(await setUp().teams.verify(key)).toBeUndefined()
    },
  )

  test('with one letter changed opens nothing', async () => {
    const { teams } = setUp()
    await teams.create({ id: 'acme' })
    const { key } = await teams.createKey('acme')
    const last = key.at(-2) === 'a' ? 'b' : 'a'
    expect(await teams.verify(key.slice(0, -2) + last + key.at(-1))).toBeUndefined()
  })

  test('ends when it expires', async () => {
    const { teams, clock } = setUp()
    await teams.create({ id: 'acme' })
    const expiresAt = new Date(clock.time + 500).toISOString()
    const { key } = await teams.createKey('acme', { expiresAt })
    expect(await teams.verify(key)).toBeDefined()
    clock.time += 500
    expect(await teams.verify(key)).toBeUndefined()
  })

  test('has the limits of its team, narrowed by its own', async () => {
    const { teams, admit } = setUp()
    await teams.create({ id: 'acme', limits: { concurrency: 5, requestsPerMinute: { scrape: 100, map: 7 } } })
    const { key } = await teams.createKey('acme', { limits: { concurrency: 3, requestsPerMinute: { scrape: 1 } } })
    const known = await teams.verify(key)
    expect(known?.limits).toEqual({ concurrency: 3, requestsPerMinute: { scrape: 100, map: 7 } })
    const asked = { group: 'scrape' } as const
    expect(known && (await admit(asked, known)).rate?.remaining).toBe(0)
    await expect(known && admit(asked, known)).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await admit(asked, { team: 'acme' })).rate?.remaining).toBe(98)
    expect(known && (await admit({ group: 'crawl' }, known)).rate).toBeUndefined()
  })

  test('tells when it was used last, to a minute', async () => {
    const { teams, clock } = setUp()
    await teams.create({ id: 'acme' })
    const { key } = await teams.createKey('acme')
    await teams.verify(key)
    const [first] = await teams.listKeys('acme')
    clock.time += 61_000
    await teams.verify(key)
    const [second] = await teams.listKeys('acme')
    expect(Date.parse(second?.lastUsedAt ?? '') - Date.parse(first?.lastUsedAt ?? '')).toBe(61_000)
  })

  test('of another team is not revoked', async () => {
    const { teams } = setUp()
    await teams.create({ id: 'acme' })
    await teams.create({ id: 'other' })
    const { info } = await teams.createKey('acme')
    expect(await teams.revokeKey('other', info.id)).toBe(false)
  })
})

describe('Teams', () => {
  test('have ids of their own, and are listed', async () => {
    const { teams } = setUp()
    await teams.create({ id: 'acme', name: 'Acme' })
    await expect(teams.create({ id: 'acme' })).rejects.toMatchObject({ code: 'conflict' })
    const { id } = await teams.create()
    expect((await teams.list()).map((team) => team.id).toSorted()).toEqual(['acme', id].toSorted())
    await expect(teams.get('nobody')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('refuse what is no limit, with the name of the field', async () => {
    await expect(setUp().teams.create({ limits: { concurrency: -1 } })).rejects.toThrow(/concurrency/)
  })
})

describe('The limits of a team', () => {
  test('hold at once where they were set, and within a second in every process', async () => {
    const { teams, store, clock } = setUp()
    const others = makeTeams(store, clock, { groups: endpointGroups })
    const limitsIn = (some: typeof teams) => some.limitsOf('acme')
    expect([await limitsIn(teams), await limitsIn(others)]).toEqual([undefined, undefined])
    await teams.create({ id: 'acme', limits: { concurrency: 5 } })
    expect(await limitsIn(teams)).toEqual({ concurrency: 5 })
    await teams.setLimits('acme', { concurrency: 3 })
    expect(await limitsIn(teams)).toEqual({ concurrency: 3 })
    clock.time += 1_000
    expect(await limitsIn(others)).toEqual({ concurrency: 3 })
  })

  test('cost a busy team one look into the store each second', async () => {
    const { store, clock } = setUp()
    let looks = 0
    const counting = { ...store, get: (key: string) => ((looks += 1), store.get(key)) }
    const teams = makeTeams(counting, clock, { groups: endpointGroups })
    for (let number = 0; number < 10; number += 1) await teams.limitsOf('acme')
    expect(looks).toBe(1)
    // The clock was set back, by a minute.
    clock.time -= 60_000
    await teams.limitsOf('acme')
    expect(looks).toBe(2)
  })

  test('are narrowed by those of the key that come with a call', async () => {
    const { teams, admit } = setUp()
    await teams.create({ id: 'acme', limits: { concurrency: 5, queue: 2 } })
    const call = { team: 'acme', ownLimits: { concurrency: 9, browsers: 1 } }
    expect((await admit({ group: 'map' }, call)).limits).toEqual({ concurrency: 5, queue: 2, browsers: 1 })
  })
})

test('requests are counted by the minute, and those over the limit are told when the next begins', async () => {
  const { store, clock } = setUp()
  clock.time = 60_000 * 1_000
  const rates = makeRates(store, clock)
  const verdicts = await Promise.all([1, 2, 3].map(() => rates.take('acme scrape', 2)))
  expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false])
  expect(verdicts[2]).toMatchObject({ remaining: 0, resetsIn: 60_000 })
  clock.time += 60_000
  expect(await rates.take('acme scrape', 2)).toMatchObject({ isAllowed: true, remaining: 1 })
})

test('The id of a key is no option to a command that it is given to', async () => {
  const { teams } = setUp()
  await teams.create({ id: 'a' })
  const made = await Promise.all(Array.from({ length: 200 }, () => teams.createKey('a')))
  expect(made.filter(({ info }) => !/^[\da-f]{16}$/.test(info.id))).toEqual([])
  expect(await teams.verify(made[0]?.key ?? '')).toMatchObject({ team: 'a', key: made[0]?.info.id })
})
