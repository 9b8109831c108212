import { expect, test } from 'vitest'

import { bold, item, page } from '../../test/items.ts'
import type { Block, PageItems } from '../types.ts'
import { layOut } from './document.ts'

const facts = { bookmarks: [] }
const textsOf = (blocks: readonly Block[]): string[] =>
  blocks.map((block) => ('runs' in block ? block.runs.map(({ text }) => text).join('') : block.kind))

const words = 'some words that fill the line and more'
const linesOf = (x: number, y: number, count: number, step = 12) =>
  Array.from({ length: count }, (_, row) => item(words, x, y + row * step))

test('short lines on both sides of a strip that come between each other are two texts and no table', () => {
  const keys = (name: string, x: number, y: number) =>
    Array.from({ length: 12 }, (_, row) => item(`${name} ${row}`, x, y + row * 14))
  const text = textsOf(layOut([page(1, [...keys('Left', 60, 100), ...keys('Right', 300, 106)])], facts)).join(' ')
  expect(text).toMatch(/Left 0 .*Left 11 Right 0 .*Right 11/)
  const level = layOut([page(1, [...keys('Left', 60, 100), ...keys('Right', 300, 100)])], facts)
  expect(level.map(({ kind }) => kind)).toEqual(['table'])
})

test('a page is cut where the pages before it were, also when a table stands beside its text', () => {
  const column = (x: number) => linesOf(x, 100, 10)
  const values = Array.from({ length: 10 }, (_, row) => [
    item(`a${row}`, 300, 100 + row * 12),
    item('b', 400, 100 + row * 12),
  ])
  const mixed = [...linesOf(50, 100, 10), ...values.flat()]
  const alone = layOut([page(1, mixed)], facts)
  expect(alone.map(({ kind }) => kind)).toEqual(['table'])
  const pages = [1, 2].map((number) => page(number, [...column(50), ...column(300)]))
  const cells = (blocks: readonly Block[]): unknown => {
    const last = blocks.at(-1)
    return last?.kind === 'table' ? last.rows[0]?.cells.length : last?.kind
  }
  expect([cells(alone), cells(layOut([...pages, page(3, mixed)], facts))]).toEqual([3, 2])
})

test('a slide that is shown step by step is there once, and pages that stand upright are all there', () => {
  const steps = (width: number, height: number): PageItems[] =>
    [1, 2, 3].map((step) => {
      const shown = [1, 2, 3].slice(0, step).map((row) => item(`Step number ${row}.`, 60, 200 + row * 60))
      return Object.assign(page(step, shown), { width, height })
    })
  expect(
    textsOf(layOut(steps(800, 450), facts))
      .join(' ')
      .match(/number 1/g),
  ).toHaveLength(1)
  expect(
    textsOf(layOut(steps(450, 800), facts))
      .join(' ')
      .match(/number 1/g),
  ).toHaveLength(3)
})

test('of what bookmarks name the list of the contents is no heading', () => {
  const text = Array.from({ length: 6 }, (_, row) => item(words, 60, 300 + row * 12))
  const items = [
    item('Long legs', 60, 100),
    item('Two eyes', 60, 140),
    ...text,
    item('Long legs', 60, 420, { face: bold }),
  ]
  const bookmarks = [
    { title: 'Long legs', depth: 1 },
    { title: 'Two eyes', depth: 1 },
  ]
  const found = layOut([page(1, items)], { bookmarks }).filter(({ kind }) => kind === 'heading')
  expect(found.map((block) => textsOf([block])[0])).toEqual(['Two eyes', 'Long legs'])
})
