import { expect, test } from 'vitest'

import { item, page } from '../../test/items.ts'
import { describePages } from './pages.ts'

const cells = (y: number) =>
  [0, 12, 24].flatMap((by) => ['Opilio', '8'].map((text, at) => item(text, 50 + at * 90, y + by)))

test('a caption and the table next to it have the same label', () => {
  const items = [
    item('Table 1.2: Harvestmen', 50, 100),
    ...cells(120),
    item('Some words after the first table, which are not a caption of anything.', 50, 190),
    ...cells(230),
    item('Table 2: More', 50, 290),
  ]
  const [first] = describePages([page(1, items)], [], { bookmarks: [] })
  expect(first?.blocks.map(({ type, label }) => [type, label])).toEqual([
    ['caption', 'Table 1.2'],
    ['table', 'Table 1.2'],
    ['text', undefined],
    ['table', 'Table 2'],
    ['caption', 'Table 2'],
  ])
})
