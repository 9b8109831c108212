import { expect, test } from 'vitest'

import { allParsers, location, defaultLocation } from './scrape.ts'

test('the location of a request that names none is what an empty one comes to', () => {
  expect(defaultLocation).toEqual(location.parse({}))
})

test('a location of a country that there is not is refused, and one there is brings its language', () => {
  expect(location.safeParse({ country: 'QX' }).success).toBe(false)
  expect(location.parse({ country: 'de' })).toEqual({ country: 'DE', languages: ['de-DE'] })
})

test('a request that names no parsers has what its words alone come to', () => {
  expect(allParsers).toEqual([{ type: 'pdf', mode: 'auto' }, { type: 'image' }])
})
