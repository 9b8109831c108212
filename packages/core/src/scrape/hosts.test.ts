import { describe, expect, test } from 'vitest'

import type { Clock } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { makeHostMemory, type HostSteps } from './hosts.ts'

const hour = 3_600_000

function bench(longest = 24 * hour) {
  let now = 1_000_000
  const clock: Clock = { now: () => now, sleep: async () => undefined }
  const store = memoryStore({ clock })
  return { memory: makeHostMemory(store, clock, longest), pass: (ms: number) => void (now += ms), store, clock }
}

describe('a host that showed a shell', () => {
  test('is known at once, for an hour, and to that team alone', async () => {
    const { memory, pass } = bench()
    await memory.sawShell('a.example', 'one')
    expect(await memory.find('a.example', 'one')).toEqual({ host: 'a.example', until: 1_000_000 + hour })
    expect(await memory.find('a.example', 'two')).toBeUndefined()
    expect(await memory.find('b.example', 'one')).toBeUndefined()
    pass(hour)
    expect(await memory.find('a.example', 'one')).toBeUndefined()
  })

  test('is known twice as long each time it shows one again, and never longer than the longest', async () => {
    const { memory, pass, clock } = bench(3 * hour)
    for (const rest of [1, 2, 3, 3]) {
      await memory.sawShell('a.example', 'one')
      expect((await memory.find('a.example', 'one'))?.until).toBe(clock.now() + rest * hour)
      pass(rest * hour)
      expect(await memory.find('a.example', 'one')).toBeUndefined()
    }
  })

  test('is not known longer for many pages that were loaded at once', async () => {
    const { memory } = bench()
    await Promise.all(Array.from({ length: 20 }, () => memory.sawShell('a.example', 'one')))
    expect((await memory.find('a.example', 'one'))?.until).toBe(1_000_000 + hour)
  })

  test('is forgotten when its time is over and a page needs no scripts', async () => {
    const { memory, pass, store } = bench()
    await memory.sawShell('a.example', 'one')
    pass(hour)
    expect(await memory.find('a.example', 'one')).toBeUndefined()
    await memory.sawPage('a.example', 'one')
    expect(await store.get('host/["one","a.example"]')).toBeUndefined()
  })

  test('is forgotten on demand', async () => {
    const { memory } = bench()
    await memory.sawShell('a.example', 'one')
    await memory.forget('a.example', 'one')
    expect(await memory.find('a.example', 'one')).toBeUndefined()
  })
})

test('one shell among many pages that need no scripts changes nothing; several do', async () => {
  const { memory } = bench()
  for (let page = 0; page < 100; page += 1) await memory.sawPage('a.example', 'one')
  for (let shell = 0; shell < 5; shell += 1) await memory.sawShell('a.example', 'one')
  expect(await memory.find('a.example', 'one')).toBeUndefined()
  await memory.sawShell('a.example', 'one')
  expect(await memory.find('a.example', 'one')).toBeDefined()
})

describe('a block', () => {
  const step = { loader: 'browser', tier: 'basic' } as const
  const both: HostSteps = { loaders: ['http', 'browser'], tiers: ['basic'] }

  test('is known with the step that got past it, for an hour at first', async () => {
    const { memory, pass } = bench()
    await memory.sawPassage('a.example', 'one', step, 'It said no.')
    expect(await memory.find('a.example', 'one')).toEqual({
      host: 'a.example',
      until: 1_000_000 + hour,
      step,
      reason: 'It said no.',
    })
    expect(await memory.find('a.example', 'two')).toBeUndefined()
    pass(hour)
    expect(await memory.find('a.example', 'one')).toBeUndefined()
    await memory.sawPassage('a.example', 'one', step, 'It said no.')
    expect((await memory.find('a.example', 'one'))?.until).toBe(1_000_000 + 3 * hour)
  })

  test('that needs another step than before is known with the new one at once', async () => {
    const { memory } = bench()
    await memory.sawShell('a.example', 'one')
    await memory.sawPassage('a.example', 'one', { ...step, tier: 'enhanced' }, 'No.')
    expect((await memory.find('a.example', 'one'))?.step).toEqual({ ...step, tier: 'enhanced' })
  })

  test('that no step gets past is known after the second page, beside what is known otherwise', async () => {
    const { memory, pass } = bench()
    await memory.sawShell('a.example', 'one')
    await memory.sawWall('a.example', 'one', 'status', both)
    expect(await memory.findHopeless('a.example', 'one', 'status', both)).toBeUndefined()
    await memory.sawWall('a.example', 'one', 'status', both)
    expect(await memory.findHopeless('a.example', 'one', 'status', both)).toMatchObject({ until: 1_000_000 + hour })
    expect(await memory.find('a.example', 'one')).toMatchObject({ until: 1_000_000 + hour })
    pass(hour)
    expect(await memory.findHopeless('a.example', 'one', 'status', both)).toBeUndefined()
    await memory.sawWall('a.example', 'one', 'status', both)
    expect((await memory.findHopeless('a.example', 'one', 'status', both))?.until).toBe(1_000_000 + 3 * hour)
    await memory.forget('a.example', 'one')
    expect(await memory.findHopeless('a.example', 'one', 'status', both)).toBeUndefined()
  })

  test('that no step gets past is known for its signal and for the steps that were tried', async () => {
    const { memory } = bench()
    for (let page = 0; page < 2; page += 1) await memory.sawWall('a.example', 'one', 'status', both)
    const find = async (signal: 'status' | 'wall', steps: HostSteps) =>
      memory.findHopeless('a.example', 'one', signal, steps)
    expect(await find('wall', both)).toBeUndefined()
    expect(await find('status', { ...both, loaders: ['browser'] })).toBeDefined()
    expect(await find('status', { ...both, loaders: ['http', 'identity'] })).toBeUndefined()
    const wider = { ...both, tiers: ['basic', 'enhanced'] } as const
    expect(await find('status', wider)).toBeUndefined()
    for (let page = 0; page < 2; page += 1) await memory.sawWall('a.example', 'one', 'status', wider)
    expect(await find('status', wider)).toBeDefined()
  })

  test('that no step gets past is not known after two pages with a good page between them', async () => {
    const { memory } = bench()
    await memory.sawWall('a.example', 'one', 'status', both)
    await memory.sawPage('a.example', 'one')
    await memory.sawWall('a.example', 'one', 'status', both)
    expect(await memory.findHopeless('a.example', 'one', 'status', both)).toBeUndefined()
  })
})

test('what is remembered is in the store, so that another engine knows it too', async () => {
  const { memory, store, clock } = bench()
  await memory.sawShell('a.example', 'one')
  expect(await makeHostMemory(store, clock, hour).find('a.example', 'one')).toBeDefined()
})

test('nothing is remembered when that is switched off', async () => {
  const { memory } = bench(0)
  await memory.sawShell('a.example', 'one')
  expect(await memory.find('a.example', 'one')).toBeUndefined()
})
