import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { faultText, guarded } from './guarded.ts'

test('what a handler throws is told, at once and later, and goes no further', async () => {
  const told: unknown[] = []
  const handle = guarded(
    (when: string) => {
      if (when === 'at once') throw new Error(when)
      return when === 'later' ? Promise.reject(new Error(when)) : undefined
    },
    (fault) => told.push(String(fault)),
  )
  for (const when of ['at once', 'never', 'later']) handle(when)
  await new Promise((resolve) => setImmediate(resolve))
  expect(told).toEqual(['Error: at once', 'Error: later'])
})

test('who is told of a fault and makes another one ends nothing', () => {
  const handle = guarded(
    () => Promise.reject(new Error('one')),
    () => {
      throw new Error('two')
    },
  )
  expect(() => handle()).not.toThrow()
})

test('a fault is one line for a log, also when what was thrown cannot be made a text', () => {
  expect(faultText(new TypeError('no'))).toMatch(/^TypeError: no \| at .*$/)
  expect(faultText({ toString: 1 })).toContain('not an error')
})

test('an error that explains itself is logged without a stack, an internal one with it', () => {
  expect(faultText(new EngineError('store_failed', 'The disk is full. Make room.'))).toBe(
    'The disk is full. Make room.',
  )
  expect(faultText(new EngineError('internal', 'It broke.'))).toMatch(/It broke\. \| at /)
})
