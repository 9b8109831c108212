import { expect, test } from 'vitest'

import { Printed, printed, printedPieces } from './printed.ts'

function asPrinted(value: unknown): Printed {
  return new Printed(printed(value) ?? new Uint8Array())
}

test.each([
  ['nothing', {}],
  ['plain values alone', { a: 1, b: 'é "quoted"', c: [undefined], d: undefined, e: null }],
  ['a printed value alone', { a: asPrinted('é "quoted" \u2028 \ud800') }],
  ['printed values first, between and last', { a: asPrinted(['x']), b: 2, 'c"': asPrinted('y'), d: asPrinted(null) }],
  ['what JSON leaves out before a printed value', { a: undefined, b: asPrinted(1), c: () => 1 }],
])('an object with %s gives the same bytes as JSON.stringify', (_, object) => {
  expect(Buffer.concat(printedPieces(object)).toString()).toBe(JSON.stringify(object))
})

test('what JSON leaves out is not printed', () => {
  expect(printed(undefined)).toBeUndefined()
})
