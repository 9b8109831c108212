import { describe, expect, test } from 'vitest'

import { item, page } from '../../test/items.ts'
import { faceOf } from './faces.ts'
import { dateOf, metadataOf } from './facts.ts'
import { withLinks } from './links.ts'
import { repairTruncated } from './repair.ts'
import { findRules } from './rules.ts'
import { rotateText } from './rotate-text.ts'

test('a typeface is known by its name', () => {
  expect(faceOf('ABCDEF+LiberationSans-BoldItalic')).toMatchObject({ bold: true, italic: true, mono: false })
  expect(faceOf('XYZABC+CMBX12')).toMatchObject({ bold: true })
  expect(faceOf('CMTT10')).toMatchObject({ mono: true })
  expect(faceOf('CMMI10')).toMatchObject({ italic: false })
  expect(faceOf(undefined)).toEqual({ name: '', bold: false, italic: false, mono: false })
})

describe('what a file says of itself', () => {
  test('is taken in our words, without the names that programs leave', () => {
    expect(metadataOf({ Title: 'Microsoft Word - draft.doc', Author: ' A\0B ' })).toEqual({ author: 'A B' })
  })

  test('has dates of many lengths', () => {
    expect(dateOf("D:20230204115901-05'30'")).toBe('2023-02-04T17:29:01.000Z')
    expect(dateOf('2023')).toBe('2023-01-01T00:00:00.000Z')
    expect(dateOf('D:20239999')).toBeUndefined()
  })
})

test('a link cuts the run it lies over at the edges of words', () => {
  const link = { url: 'https://example.com/', left: 48, right: 92, top: 10, bottom: 24 }
  const { items } = withLinks({ ...page(1, [item('read this page now', 20, 20)]), links: [link] })
  expect(items.map(({ text, link: url }) => [text.trim(), url])).toEqual([
    ['read', undefined],
    ['this page', 'https://example.com/'],
    ['now', undefined],
  ])
})

test('text that is written upwards is turned, and what most of a page does is level', () => {
  const up = { ...item('mostly upwards', 100, 500), direction: -Math.PI / 2 }
  const { items } = rotateText([up, { ...item('x', 10, 10), direction: 0 }], [])
  expect(items.map(({ angle }) => angle)).toEqual([0, 90])
})

test('lines and the sides of boxes are rules; curves and slanted lines are not', () => {
  const names = {
    save: 1,
    restore: 2,
    transform: 3,
    constructPath: 4,
    paintFormXObjectBegin: 5,
    paintFormXObjectEnd: 6,
    ...{ fill: 7, eoFill: 8, endPath: 9 },
  }
  const path = (...numbers: number[]): unknown => [0, [Float32Array.from(numbers)], null]
  const rules = findRules(
    {
      steps: [1, 3, 4, 2, 4, 4],
      inputs: [
        null,
        [1, 0, 0, 1, 100, 0],
        path(0, 0, 5, 1, 50, 5),
        null,
        path(0, 0, 0, 1, 50, 50),
        path(0, 0, 0, 2, 1, 1, 2, 2, 50, 0),
      ],
    },
    names,
    [1, 0, 0, 1, 0, 0],
  )
  expect(rules).toEqual([{ left: 100, right: 150, top: 5, bottom: 5 }])
})

test('a coloured row has no lines at its sides, and a path that only clips has none at all', () => {
  const names = {
    ...{ save: 1, restore: 2, transform: 3, constructPath: 4, paintFormXObjectBegin: 5, paintFormXObjectEnd: 6 },
    ...{ fill: 7, eoFill: 8, endPath: 9 },
  }
  const box = Float32Array.from([0, 10, 10, 1, 60, 10, 1, 60, 30, 1, 10, 30, 4])
  const rulesOf = (way: number) => findRules({ steps: [4], inputs: [[way, [box], null]] }, names, [1, 0, 0, 1, 0, 0])
  expect(rulesOf(7)).toEqual([10, 30].map((y) => ({ left: 10, right: 60, top: y, bottom: y })))
  expect(rulesOf(9)).toEqual([])
  expect(rulesOf(0)).toHaveLength(4)
})

test('a file that lost its end is given one that names its first object', () => {
  const lost = new TextEncoder().encode('%PDF-1.7\n7 0 obj\n<</Type /Catalog/Pages 2 0 R>>\nendobj\n2 0 obj <</Ty')
  expect(Buffer.from(repairTruncated(lost) ?? []).toString()).toContain('trailer\n<</Root 7 0 R>>')
  expect(repairTruncated(new TextEncoder().encode('%PDF-1.7'))).toBeUndefined()
})
