// What a page leaves behind once it was read.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { readHtml, type ReadingName } from './readings/read.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' | 'major' }) => void
const megabyte = 1_000_000
const pages = 20

/** A page of some 200 KB, most of it elements, with names of its own for so many of them. */
function page(number: number, ownNames: number): string {
  const name = (index: number): string => (index < ownNames ? `card-of-page-${number}-${index}` : 'card card--wide')
  const card = (index: number): string =>
    `<li class="${name(index)}"><h3><a href="/a/${number}/${index}">A title of several words</a></h3><p>And a sentence or two below it, as long as such sentences are.</p></li>`
  return `<title>Page ${number}</title><article><h1>Page</h1><ul>${Array.from({ length: 800 }, (_, index) => card(index)).join('')}</ul></article>`
}

/** Bytes that are still there of so many pages after collections of this kind. */
function leftOf(type: 'minor' | 'major', ownNames: number, read: (html: string) => unknown): number {
  const collectTwice = (): void => {
    // What survives the second small collection stays until the next full one.
    collect({ type })
    collect({ type })
  }
  for (let number = 0; number < 10; number += 1) read(page(number, ownNames))
  collect()
  collectTwice()
  const before = getHeapStatistics().used_heap_size
  for (let number = 0; number < pages; number += 1) {
    read(page(number + 1_000, ownNames))
    // A full one finds the same at the end, and takes long.
    if (type === 'minor') collectTwice()
  }
  collectTwice()
  return getHeapStatistics().used_heap_size - before
}

const names: readonly ReadingName[] = [
  'markdown',
  'html',
  'links',
  'allLinks',
  'images',
  'metadata',
  'fingerprint',
  'signals',
]

for (const onlyMainContent of [true, false])
  test(
    `a page that was read (main content only: ${onlyMainContent}) is gone with the next small collection`,
    { tags: ['long'] },
    () => {
      const scope = { onlyMainContent, includeTags: [], excludeTags: [] }
      const wanted = names.map((name) => ({ name }))
      const read = (html: string): unknown => readHtml({ html, url: 'https://site.test/' }, scope, wanted)
      // Otherwise most of what was made for each would be left, about a megabyte.
      expect(leftOf('minor', 0, read)).toBeLessThan(10 * megabyte)
    },
  )

test('class names that are remembered do not keep the pages they come from', { tags: ['long'] }, () => {
  const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
  const filler = `<!--${'x'.repeat(megabyte)}-->`
  const read = (html: string): unknown =>
    readHtml({ html: filler + html, url: 'https://site.test/' }, scope, [{ name: 'markdown' }])
  expect(leftOf('major', 10, read)).toBeLessThan(10 * megabyte)
})
