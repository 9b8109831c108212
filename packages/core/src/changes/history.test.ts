import { handClock, memoryStore } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { compareTexts, type CompareTask } from '@harvestman/diff'
import { makeHistory, type History, type PageKey, type Sighting } from './history.ts'

const key: PageKey = { team: 'a', url: 'https://a.test/', tag: null }
const life = 90 * 86_400_000
const comparer = { compare: async (task: CompareTask) => compareTexts(task) }

function bench(versions = 50) {
  const clock = handClock()
  const store = memoryStore({ clock })
  const history = makeHistory({ store, clock, comparer, versions, life })
  return { clock, store, history }
}

const page = (markdown: string): Sighting => ({
  markdown,
  hidden: [],
  isRemoved: false,
  patterns: [],
})
const gone: Sighting = { markdown: 'Not found', hidden: [], isRemoved: true, patterns: [] }
const shown = async (history: History, of = key) =>
  (await history.list(of)).map(({ number, checks, isRemoved }) => `${number}${isRemoved ? ' removed' : ''} x${checks}`)

/** The newest version with its text. */
async function newest(history: History, of: PageKey) {
  const [version] = await history.list(of)
  return version && { version, text: await history.read(of, version) }
}

describe('the history of a page', () => {
  test('has a version for each change, and counts the looks at each', async () => {
    const { history, clock } = bench()
    for (const [index, text] of ['A', 'A', 'B', 'B', 'B', 'A'].entries()) {
      await history.keep(key, page(text), `task ${index}`)
      await clock.pass(1000)
    }
    expect(await shown(history)).toEqual(['3 x1', '2 x3', '1 x2'])
    const [, second] = await history.list(key)
    expect([second!.seen - second!.at, (await history.read(key, second!)).markdown]).toEqual([2000, 'B'])
    expect(await newest(history, key)).toMatchObject({ text: { markdown: 'A' }, version: { number: 3 } })
  })

  test('has a version for each time that the page was gone', async () => {
    const { history } = bench()
    for (const [index, one] of [page('A'), gone, gone, page('A')].entries()) await history.keep(key, one, `${index}`)
    expect(await shown(history)).toEqual(['3 x1', '2 removed x2', '1 x1'])
  })

  test('is its own for each team, address and tag', async () => {
    const { history } = bench()
    const keys = [key, { ...key, team: 'b' }, { ...key, url: 'https://a.test/x' }, { ...key, tag: 'daily' }]
    for (const [index, one] of keys.entries()) await history.keep(one, page(`text ${index}`), 'task')
    for (const [index, one] of keys.entries()) expect((await newest(history, one))?.text.markdown).toBe(`text ${index}`)
  })

  test('counts a task once, however often it is run', async () => {
    const { history } = bench()
    for (const text of ['A', 'A', 'B']) await history.keep(key, page(text), 'one task')
    expect(await shown(history)).toEqual(['1 x1'])
  })

  test('compares a task that runs again with the version before its own', async () => {
    const { history } = bench()
    await history.keep(key, page('A'), 'before')
    await history.keep(key, page('B'), 'one task')
    const look = async (text: string, task: string) => {
      const { before, isSame } = await history.look(key, page(text), [], { task })
      return [before?.number, isSame]
    }
    expect(await look('B', 'one task')).toEqual([1, false])
    expect(await look('B', 'another task')).toEqual([2, true])
    await history.keep(key, page('B'), 'another task')
    expect(await look('B', 'another task')).toEqual([2, true])
  })

  test('keeps as many versions as it may, and forgets the texts of the others', async () => {
    const { history, store } = bench(3)
    const texts = new Set<string>()
    const set = store.set.bind(store)
    store.set = (name, value, options) => {
      texts.add(name)
      return set(name, value, options)
    }
    for (let count = 0; count < 10; count += 1) await history.keep(key, page(`text ${count}`), `${count}`)
    expect(await shown(history)).toEqual(['10 x1', '9 x1', '8 x1'])
    const left = (await Promise.all([...texts].map((name) => store.get(name)))).filter((value) => value !== undefined)
    expect(left).toHaveLength(3)
  })

  test('stays for as long as the page is looked at, and is then gone with all of its texts', async () => {
    const { history, clock } = bench()
    for (let count = 0; count < 10; count += 1) {
      await history.keep(key, page('A'), `${count}`)
      await clock.pass(life * 0.4)
    }
    expect((await newest(history, key))?.text.markdown).toBe('A')
    await clock.pass(life)
    expect(await newest(history, key)).toBeUndefined()
  })
})

describe('looks at the same time', () => {
  test('are all counted, each change once: 1,000 at ten pages', async () => {
    const { history } = bench()
    const keys = Array.from({ length: 10 }, (_, index) => ({ ...key, url: `https://a.test/${index}` }))
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => history.keep(keys[index % 10]!, page(`of ${index % 10}`), `${index}`)),
    )
    for (const one of keys) expect(await shown(history, one)).toEqual(['1 x100'])
  })

  test('of several engines on one store are all counted', async () => {
    const { store, clock } = bench()
    const engines = Array.from({ length: 4 }, () => makeHistory({ store, clock, comparer, versions: 50, life }))
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => engines[index % 4]!.keep(key, page('A'), `task ${index}`)),
    )
    expect(await shown(engines[0]!)).toEqual(['1 x100'])
  })
})

test('what was begun and not finished is no version: a record never names a text that is not there', async () => {
  const clock = handClock()
  const inner = memoryStore({ clock })
  await makeHistory({ store: inner, clock, comparer, versions: 50, life }).keep(key, page('A'), '1')
  const stopped = { ...inner, update: () => Promise.reject(new Error('killed here')) }
  await expect(
    makeHistory({ store: stopped, clock, comparer, versions: 50, life }).keep(key, page('B'), '2'),
  ).rejects.toThrow('killed')
  const history = makeHistory({ store: inner, clock, comparer, versions: 50, life })
  expect(await shown(history)).toEqual(['1 x1'])
  await history.keep(key, page('B'), '2')
  expect(await shown(history)).toEqual(['2 x1', '1 x1'])
})

test('a store that fails fails the keeping, with nothing half done', async () => {
  const clock = handClock()
  const inner = memoryStore({ clock })
  const failing = { ...inner, set: () => Promise.reject(new Error('disk full')) }
  const history = makeHistory({ store: failing, clock, comparer, versions: 50, life })
  await expect(history.keep(key, page('A'), '1')).rejects.toThrow('disk full')
  expect(await history.list(key)).toEqual([])
})

describe('the list of tracked pages', () => {
  test('has each page of a team once, with its newest version, in parts that end', async () => {
    const { history, clock } = bench()
    for (let number = 0; number < 25; number += 1) {
      await history.keep({ ...key, url: `https://a.test/${number}` }, page('A'), `first ${number}`)
    }
    await clock.pass(1_000)
    await history.keep({ ...key, url: 'https://a.test/7' }, page('B'), 'second')
    await history.keep({ ...key, team: 'a/b' }, page('A'), 'of another team')
    const urls: string[] = []
    let cursor: string | undefined
    do {
      const part = await history.tracked('a', 10, cursor)
      urls.push(...part.pages.map(({ url, number }) => `${url} ${number}`))
      cursor = part.cursor
    } while (cursor !== undefined)
    const expected = Array.from({ length: 25 }, (_, number) => `https://a.test/${number} ${number === 7 ? 2 : 1}`)
    expect(urls.toSorted()).toEqual(expected.toSorted())
    expect((await history.tracked('a/b', 10)).pages).toHaveLength(1)
  })

  test('forgets a page with its history', async () => {
    const { history, clock } = bench()
    await history.keep(key, page('A'), 'one')
    await clock.pass(life + 1)
    expect(await history.tracked('a', 10)).toEqual({ pages: [] })
  })
})
