import { memoryStore, storeLedger } from '@harvestman/core'
import { EngineError, type Store } from '@harvestman/ports'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { clock, sessionBench, codeOf, minute, opening, acme as team } from '../fixtures/bench.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a session is paid for', () => {
  test.each([
    ['a moment', 1_000, false, 2],
    ['a minute and a half', 90_000, false, 3],
    ['five minutes', 5 * minute, false, 10],
    ['a moment with a task in words', 1_000, true, 7],
    ['three minutes with a task in words', 3 * minute, true, 21],
  ])('by the time that it lived: %s', async (_name, lived, isAsked, price) => {
    const { live, credits } = await sessionBench({ granted: 100 })
    const session = await live.open(opening, team)
    expect(await credits()).toMatchObject({ held: 20 })
    if (isAsked) {
      const asking = session.ask('Is it so?')
      await vi.advanceTimersByTimeAsync(1_000)
      expect(await asking).toMatchObject({ answer: 'Yes.' })
      expect(await credits()).toMatchObject({ held: 70 })
    }
    await vi.advanceTimersByTimeAsync(lived - (isAsked ? 1_000 : 0))
    expect(await session.stop()).toMatchObject({ duration: lived, credits: price })
    expect(await session.stop()).toMatchObject({ credits: price })
    expect(await credits()).toEqual({ left: 100 - price, held: 0 })
  })

  test('not at all when it could not be opened, and then it is no session of the team', async () => {
    const { live, sessions, credits } = await sessionBench({ granted: 100, maxPerTeam: 1 })
    sessions.fail = new EngineError('browser_failed', 'No.')
    for (const _ of [1, 2, 3]) expect(await codeOf(live.open(opening, team))).toBe('browser_failed')
    expect(await credits()).toEqual({ left: 100, held: 0 })
    sessions.fail = undefined
    expect(await codeOf(live.open(opening, team))).toBe('done')
  })

  test('not at all when the engine closes while it opens; its browser is closed, also if that opens late', async () => {
    const { live, sessions, credits } = await sessionBench({ granted: 100 })
    const [asked, mayOpen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const open = sessions.open
    sessions.open = async (...given) => {
      asked.resolve()
      await mayOpen.promise
      return open(...given)
    }
    const opened = codeOf(live.open(opening, team))
    await asked.promise
    const closed = live.close()
    mayOpen.resolve()
    await closed
    expect(await opened).toBe('closed')
    expect(sessions.open_.size).toBe(0)
    expect(await credits()).toEqual({ left: 100, held: 0 })
  })

  test('until it was told to end, though its browser does not close: closing the engine does not wait for that', async () => {
    const { live, sessions } = await sessionBench({ granted: 100 })
    const open = sessions.open
    sessions.open = async (...given) => ({ ...(await open(...given)), close: () => new Promise(() => undefined) })
    await live.open(opening, team)
    const closed = live.close()
    await vi.advanceTimersByTimeAsync(20_000)
    await closed
  })

  test('not at all when its browser does not open although the engine closes; it is closed if it opens later', async () => {
    const { live, sessions, credits } = await sessionBench({ granted: 100 })
    const [asked, mayOpen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const open = sessions.open
    sessions.open = async (...given) => {
      asked.resolve()
      await mayOpen.promise
      return open(...given)
    }
    const opened = codeOf(live.open(opening, team))
    await asked.promise
    const closed = live.close()
    await vi.advanceTimersByTimeAsync(10_000)
    await closed
    expect(await opened).toBe('closed')
    expect(await credits()).toEqual({ left: 100, held: 0 })
    mayOpen.resolve()
    await vi.advanceTimersByTimeAsync(1)
    expect([sessions.opened.length, sessions.open_.size]).toEqual([1, 0])
  })

  test('an engine closes although the store never answers a session that begins', async () => {
    const store = memoryStore({ clock })
    const asked = Promise.withResolvers<void>()
    let isStuck = false
    const stuck: Store = {
      ...store,
      update: (...given) => {
        if (!isStuck) return store.update(...given)
        asked.resolve()
        return new Promise(() => undefined)
      },
    }
    const { live } = await sessionBench({ granted: 100, store: stuck, ledger: storeLedger(store, { clock }) })
    isStuck = true
    const opened = codeOf(live.open(opening, team))
    await asked.promise
    const closed = live.close()
    await vi.advanceTimersByTimeAsync(10_000)
    await closed
    expect(await opened).toBe('closed')
  })

  test('before it begins: without credits for its whole life none is opened', async () => {
    const { live, sessions } = await sessionBench({ granted: 19 })
    expect(await codeOf(live.open(opening, team))).toBe('insufficient_credits')
    expect(sessions.opened.length).toBe(0)
    expect(await codeOf(live.open({ ...opening, ttl: 540 }, team))).toBe('done')
  })
})

describe('sessions at once', () => {
  test('are as many as a team may have, those that open counted', async () => {
    const { live } = await sessionBench({ maxPerTeam: 2 })
    const all = await Promise.all([1, 2, 3].map(() => codeOf(live.open(opening, team))))
    expect(all.filter((code) => code === 'done').length).toBe(2)
    expect(all).toContain('too_many_sessions')
    expect(await codeOf(live.open(opening, 'other'))).toBe('done')
    const [first] = await live.list(team)
    await live.stop(first?.id ?? '', team)
    expect(await codeOf(live.open(opening, team))).toBe('done')
  })

  test('are as many as the engine may have, and as the team itself is allowed', async () => {
    const { live } = await sessionBench({ most: 3 })
    expect(await codeOf(live.open({ ...opening, most: 0 }, team))).toBe('too_many_sessions')
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((one) => codeOf(live.open(opening, one))))
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await all).filter((code) => code === 'too_many_sessions').length).toBe(1)
  })

  test('leave a place for a team that has none, when two teams hold all there are', async () => {
    const { live } = await sessionBench({ most: 4 })
    for (const one of ['a', 'b', 'a', 'b']) expect(await codeOf(live.open(opening, one))).toBe('done')
    const more = codeOf(live.open(opening, 'a'))
    expect(await codeOf(live.open(opening, 'c'))).toBe('done')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await more).toBe('too_many_sessions')
  })

  test('go to the teams in turns when one ends', async () => {
    const { live } = await sessionBench({ most: 4 })
    const held = await Promise.all(['a', 'b', 'a', 'b', 'c'].map((one) => live.open(opening, one)))
    const opened: string[] = []
    for (const one of ['a', 'a', 'd']) void live.open(opening, one).then(() => opened.push(one))
    for (const session of held.slice(0, 3)) await session.stop()
    await vi.advanceTimersByTimeAsync(1)
    expect(opened).toEqual(['d', 'a'])
  })
})

describe('a session ends', () => {
  test('when it was not used for its time; calls, clients and viewers are use', async () => {
    const { live, sessions } = await sessionBench()
    const session = await live.open({ ...opening, ttl: 3_600, activityTtl: 60 }, team)
    const wire = await session.connect()
    const screen = await session.watch({ frame: async () => undefined, tabs: () => undefined })
    const uses: (() => Promise<unknown>)[] = [
      () => session.snapshot(),
      () => session.use(async () => 'used'),
      async () => wire.send('{}'),
      () => screen.input({ type: 'key', key: 'a' }),
      () => session.connect(),
    ]
    for (const use of uses) {
      await vi.advanceTimersByTimeAsync(50_000)
      expect(session.closed.aborted).toBe(false)
      await use()
    }
    await vi.advanceTimersByTimeAsync(59_000)
    expect(session.closed.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(session.closed.reason).toMatchObject({ code: 'session_over' })
    expect(sessions.open_.size).toBe(0)
    expect(await codeOf(live.find(session.id, team))).toBe('session_over')
    expect((await live.list(team))[0]?.end).toMatchObject({ duration: 310_000 })
  })

  test('although its URL is read, which is no use', async () => {
    const { live } = await sessionBench()
    const session = await live.open({ ...opening, activityTtl: 60 }, team)
    await vi.advanceTimersByTimeAsync(50_000)
    expect(await session.url()).toBe('https://a.test/')
    await vi.advanceTimersByTimeAsync(11_000)
    expect(session.closed.aborted).toBe(true)
  })

  test('not while a call runs, however long it takes; and with its whole time up, the call is told so', async () => {
    const { live } = await sessionBench()
    const session = await live.open({ ...opening, ttl: 120, activityTtl: 10 }, team)
    const ends = session.run('60000', { timeout: 100_000 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await ends).toMatchObject({ result: '60000' })
    const cut = codeOf(session.run('90000', { timeout: 100_000 }))
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await cut).toBe('session_over')
    expect(await codeOf(session.run('1'))).toBe('session_over')
  })

  test('when its browser is lost, and is paid for until then', async () => {
    const { live, sessions, credits } = await sessionBench({ granted: 100 })
    const session = await live.open(opening, team)
    await vi.advanceTimersByTimeAsync(2 * minute)
    sessions.lose()
    await vi.advanceTimersByTimeAsync(0)
    expect(await codeOf(session.run('1'))).toBe('session_over')
    expect(await session.stop()).toMatchObject({ credits: 4 })
    expect(await credits()).toEqual({ left: 96, held: 0 })
  })
})

test('Closing the engine waits for all live browsers although one fails to end, and reports that one', async () => {
  const { live, sessions, faults } = await sessionBench()
  const open = sessions.open
  const fault = new Error('It does not close.')
  sessions.open = async (...given) => ({ ...(await open(...given)), close: () => Promise.reject(fault) })
  await live.open(opening, team)
  const [asked, mayClose] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isClosed = false
  const close = async () => {
    asked.resolve()
    await mayClose.promise
    isClosed = true
  }
  sessions.open = async (...given) => ({ ...(await open(...given)), close })
  await live.open(opening, team)
  const closed = live.close()
  await asked.promise
  await vi.advanceTimersByTimeAsync(1)
  mayClose.resolve()
  await closed
  expect([isClosed, faults]).toEqual([true, [fault]])
})

describe('a profile', () => {
  const mine = { name: 'mine', saveChanges: true }

  test('is written by one at a time and read by many; what the writer left, the next one starts with', async () => {
    const { live, sessions, profiles } = await sessionBench()
    const writer = await live.open({ ...opening, profile: mine }, team)
    const second = codeOf(live.open({ ...opening, profile: mine }, team))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await second).toBe('conflict')
    expect(await codeOf(live.open({ ...opening, profile: { ...mine, saveChanges: false } }, team))).toBe('done')
    expect(await codeOf(live.open({ ...opening, profile: mine }, 'other'))).toBe('done')
    const removed = codeOf(profiles.remove(team, 'mine'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await removed).toBe('conflict')
    await writer.stop()
    const saved = { cookies: 3 }
    await live.open({ ...opening, profile: { ...mine, saveChanges: false } }, team)
    expect(sessions.opened.at(-1)?.state).toEqual(saved)
    await live.open({ ...opening, profile: mine }, team)
    expect(sessions.opened.at(-1)?.state).toEqual(saved)
  })

  test('is left as it was when the browser was lost, and is free again', async () => {
    const { live, sessions } = await sessionBench()
    const writer = await live.open({ ...opening, profile: mine }, team)
    sessions.lose()
    await writer.stop()
    await live.open({ ...opening, profile: mine }, team)
    expect(sessions.opened.at(-1)?.state).toBeUndefined()
  })

  test('that cannot be saved is left as it was, and the end of the session tells it', async () => {
    const { live, sessions } = await sessionBench()
    expect(await (await live.open({ ...opening, profile: mine }, team)).stop()).not.toHaveProperty('saved')
    const { open } = sessions
    const save = () => Promise.reject(new Error('It has crashed.'))
    sessions.open = async (...given) => ({ ...(await open(...given)), save })
    const writer = await live.open({ ...opening, profile: mine }, team)
    expect(await writer.stop()).toMatchObject({ reason: 'stopped', saved: false })
    await live.open({ ...opening, profile: mine }, team)
    expect(sessions.opened.at(-1)?.state).toEqual({ cookies: 1 })
  })
})
