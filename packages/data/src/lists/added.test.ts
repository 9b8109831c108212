import { runInNewContext } from 'node:vm'

import type { Tab } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { reached, readAdded } from './added.ts'
import { gather } from './gather.ts'

const { signal } = new AbortController()

/** A page with one list, as far as scripts look at it. */
function pageOf(name: string, rows: string[]) {
  const empty = `<${name} class="list"></${name}>`
  const list = {
    localName: name,
    cloneNode: () => ({ outerHTML: empty }),
    get children() {
      return rows.map((outerHTML) => ({ outerHTML }))
    },
  }
  const document = { querySelector: (place: string) => (place === '.list' ? list : null) }
  const tab = {
    url: async () => 'https://shop.test/',
    evaluate: async (script: string) => runInNewContext(script, { document }) as unknown,
  } as Partial<Tab> as Tab
  return { rows, tab }
}

const rowsOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `<li>Thing ${from + index}</li>`)

async function addedTo(name: string, change: (rows: string[]) => void): Promise<string | undefined> {
  const { rows, tab } = pageOf(name, rowsOf(0, 40))
  const to = await reached(tab, '.list', signal)
  change(rows)
  let read: string | undefined
  const kit = {
    gathered: gather(100),
    read: async ({ html }: { readonly html: string }) => {
      read = html
      return { columns: [], rows: [], ids: [] }
    },
  }
  const added = await readAdded(tab, to!, kit, signal)
  expect(added?.to.size).toBe(read === undefined ? undefined : rows.length)
  return read
}

test('of a list that has grown, the new rows are read with a few of those before them', async () => {
  const html = await addedTo('ul', (rows) => rows.push(...rowsOf(40, 42)))
  expect(html).toBe(`<!doctype html><body><ul class="list">${rowsOf(30, 42).join('')}</ul></body>`)
})

test('rows of a table are read as such', async () => {
  expect(await addedTo('tbody', (rows) => rows.push('<tr><td>New</td></tr>'))).toMatch(
    /<table><tbody class="list">.*<\/tbody><\/table>/,
  )
})

test('a list that has not grown, or whose last row is another one now, is not read by its end', async () => {
  expect(await addedTo('ul', () => undefined)).toBeUndefined()
  expect(await addedTo('ul', (rows) => rows.splice(0, 40, ...rowsOf(40, 90)))).toBeUndefined()
  expect(await addedTo('ul', (rows) => rows.pop())).toBeUndefined()
})

test('where the list is not found, or a row is too long, nothing is told of it', async () => {
  const { tab } = pageOf('ul', [])
  expect(await reached(tab, '.list', signal)).toBeUndefined()
  expect(await reached(tab, '.other', signal)).toBeUndefined()
  expect(await reached(pageOf('ul', ['<li>' + 'x'.repeat(30_000)]).tab, '.list', signal)).toBeUndefined()
})
