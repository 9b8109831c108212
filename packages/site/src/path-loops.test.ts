import { expect, test } from 'vitest'

import { loopFinder } from './path-loops.ts'

const hasLoops = loopFinder()
const times = (count: number, path: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => path(number)).join('')

test.each([
  '/a/a/a',
  '/x/a/a/a/y',
  '/a//a/a/',
  '/a/b/a/b/a/b',
  '/a/b/c/d/a/b/c/d/a/b/c/d',
  '/a/1/a/2/a/3/a/4/a/5',
  times(41, (number) => `/name-${number}`),
  times(500, (number) => `/name-${number}`),
])('%s goes in circles', (path) => {
  expect(hasLoops(path)).toBe(true)
})

test.each([
  '',
  '/',
  '/a/a',
  '/a/b/a/b',
  '/1/1/1/1/1/1',
  '/2026/01/01/2026/01/01',
  '/a/1/a/2/a/3/a/4',
  '/a/b/c/d/e/a/b/c/d/e',
  times(40, (number) => `/name-${number}`),
])('%s does not', (path) => {
  expect(hasLoops(path)).toBe(false)
})
