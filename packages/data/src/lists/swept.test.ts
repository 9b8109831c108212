import { runInNewContext } from 'node:vm'

import type { Tab } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { gather } from './gather.ts'
import { sweepOn } from './swept.ts'

const { signal } = new AbortController()
const shown = 10

/** A page that draws ten rows of a list at a time, a frame after it was scrolled. */
function pageOf(words: readonly string[], after: (first: number) => number = (row) => row) {
  let first = 0
  let wanted = 0
  const row = (at: number) => ({
    textContent: words[at]!,
    getBoundingClientRect: () => ({ bottom: (at - first + 1) * 20, height: 20 }),
    scrollIntoView: () => void (wanted = Math.min(after(at), words.length - shown)),
  })
  const list = {
    localName: 'ul',
    closest: () => null,
    querySelector: () => null,
    get children() {
      return Array.from({ length: shown }, (_, index) => row(first + index))
    },
    get outerHTML() {
      return words.slice(first, first + shown).join()
    },
  }
  const requestAnimationFrame = (work: () => void) => {
    first = wanted
    setTimeout(work)
  }
  const document = { querySelector: (place: string) => (place === '.list' ? list : null) }
  const tab = {
    url: async () => 'https://shop.test/',
    evaluate: async (script: string) =>
      (await runInNewContext(script, { document, requestAnimationFrame, setTimeout, performance })) as unknown,
  } as Partial<Tab> as Tab
  return tab
}

async function swept(tab: Tab, place = '.list', strides = 100) {
  const read: string[] = []
  const kit = {
    gathered: gather(1_000),
    read: async ({ html }: { readonly html: string }) => {
      const rows = html.replace(/<[^>]+>/g, '').split(',')
      read.push(...rows)
      return { columns: [], rows: rows.map((name) => ({ name })), ids: rows }
    },
  }
  const count = await sweepOn(tab, place, strides, kit, signal)
  return { count, read, size: kit.gathered.size }
}

const things = Array.from({ length: 50 }, (_, index) => `Thing ${index}`)

test('a list that draws a few rows at a time is read in one go, each row that was drawn', async () => {
  const { count, read } = await swept(pageOf(things))
  expect([...new Set(read)]).toEqual(things.slice(9))
  expect(count).toBe(5)
})

test('it is scrolled no more often than is asked for', async () => {
  expect(await swept(pageOf(things), '.list', 2)).toMatchObject({ count: 2, size: 19 })
})

test('a stride that would pass rows over, or whose rows still load, is left to a closer look', async () => {
  expect((await swept(pageOf(things, (row) => row + 5))).count).toBe(0)
  const loading = things.map((name, index) => (index < 30 ? name : 'Loading'))
  expect(await swept(pageOf(loading))).toMatchObject({ count: 2, size: 19 })
  expect((await swept(pageOf(things.map((name, index) => (index < 12 ? name : ''))))).count).toBe(0)
})

test('where the list is not found, nothing is read', async () => {
  expect((await swept(pageOf(things), '.other')).count).toBe(0)
})
