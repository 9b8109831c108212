import { expect, test } from 'vitest'

import { nearestOf, suggestChoice, unknownName } from './choices.ts'

test.each([
  ['markdwon', ['html', 'markdown'], 'did you mean markdown? Use one of html, markdown'],
  ['MARKDOWN', ['html', 'markdown'], 'did you mean markdown? Use one of html, markdown'],
  ['agnet', ['extract', 'agent'], 'did you mean agent? Use one of extract, agent'],
  ['pdf', ['html', 'markdown'], 'use one of html, markdown'],
  [7, [1, 2], 'use one of 1, 2'],
  ['x', ['only'], 'the only choice is only'],
  ['x', [], ''],
])('the remedy for %j with the choices %j is: %s', (given, choices, remedy) => {
  expect(suggestChoice(given, choices)).toBe(remedy)
})

test('a long list of choices is cut, and still names the one that is meant', () => {
  const names = Array.from({ length: 500 }, (_, at) => `name${at}`)
  const remedy = suggestChoice('NAME250', names)
  expect(remedy).toContain('did you mean name250?')
  expect(remedy.length).toBeLessThan(500)
})

test('a name that does not exist is named, with the one that is meant', () => {
  expect(unknownName('script', 'sin-up', ['order', 'sign-up'])).toBe(
    'There is no script named "sin-up"; did you mean sign-up? Use one of order, sign-up.',
  )
  expect(unknownName('script', 'sin-up', [])).toBe('There is no script named "sin-up".')
})

test('a name that is too long to compare resembles none', () => {
  expect(nearestOf('a'.repeat(41), ['a'.repeat(40)])).toBeUndefined()
})
