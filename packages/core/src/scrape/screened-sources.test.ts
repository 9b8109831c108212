import { expect, test } from 'vitest'

import { actionSources, asMarkup, maxScreened } from './screened-sources.ts'

const half = maxScreened / 2

test('the newlines between results of actions count as characters', () => {
  // The key `a`, two results, and a newline before each.
  const fits = actionSources({ scrapes: [{ a: ['x'.repeat(half - 3), 'y'.repeat(half)] }] })
  expect(fits.isCut).toBe(false)
  expect(fits.sources).toEqual([asMarkup(`a\n${'x'.repeat(half - 3)}\n${'y'.repeat(half)}`)])
  expect(fits.sources[0]).toContain('y</div>')
  const long = actionSources({ scrapes: [{ a: ['x'.repeat(half - 2), 'y'.repeat(half)] }] })
  expect(long.isCut).toBe(true)
})

test('a result of the maximum length is complete', () => {
  expect(actionSources({ javascriptReturns: ['x'.repeat(maxScreened)] }).isCut).toBe(false)
  expect(actionSources({ javascriptReturns: ['x'.repeat(maxScreened), ''] }).isCut).toBe(false)
  expect(actionSources({ javascriptReturns: ['x'.repeat(maxScreened), 'y'] }).isCut).toBe(true)
})
