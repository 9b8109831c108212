import { expect, test } from 'vitest'

import { item } from '../../test/items.ts'
import { usesFailedFont, withoutUndecoded } from './undecoded.ts'

const placed = (text: string) => ({ ...item(text, 10, 10), direction: 0 })

test('text in letters that only its font knows is left out, and said to be', () => {
  const words = placed('What can be read stays.')
  const bullet = placed('\uf0b7')
  const lost = Array.from({ length: 5 }, () => placed('\ue001\ue002\ue003\ue004\ue005'))
  expect(withoutUndecoded([words, ...lost, bullet])).toEqual({ items: [words, bullet], isUndecoded: true })
})

test('a few unknown letters are no page that cannot be read', () => {
  const items = [placed('What can be read stays.'), placed('\ue001\ue002\ue003')]
  expect(withoutUndecoded(items)).toEqual({ items, isUndecoded: false })
})

test('a font that the reading library gave up is seen where it is set', () => {
  const isFailed = (font: string): boolean => font === 'broken'
  const drawing = {
    steps: [7, 9],
    inputs: [
      ['broken', 12],
      ['good', 12],
    ],
  }
  expect(usesFailedFont(drawing, { setFont: 7 }, isFailed)).toBe(true)
  expect(usesFailedFont(drawing, { setFont: 9 }, isFailed)).toBe(false)
})
