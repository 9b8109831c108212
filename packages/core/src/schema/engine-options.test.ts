import { availableParallelism } from 'node:os'

import { describe, expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import type { EngineError } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { readEngineOptions } from './engine-options.ts'

test('settings that are not given have their defaults, and so have those that are undefined', () => {
  const { limits, keep, defaults } = readEngineOptions({ limits: { concurrency: undefined }, defaults: { maxAge: 5 } })
  expect(limits).toMatchObject({ concurrency: 32, bodyBytes: 50_000_000 })
  expect(limits.readers).toBe(Math.max(1, availableParallelism() - 1))
  expect(keep).toMatchObject({ results: 86_400_000, memory: 32_000_000 })
  expect(defaults).toEqual({ maxAge: 5, timeout: 30_000 })
})

describe('what cannot be meant is refused at once, naming the field and the remedy', () => {
  const cases: readonly (readonly [options: object, says: RegExp])[] = [
    [{ limits: { concurrency: -4 } }, /^createEngine: limits\.concurrency must be at least 1, but is -4\.$/],
    [{ limits: { concurrency: 0 } }, /limits\.concurrency must be at least 1/],
    [{ limits: { readers: 1.5 } }, /limits\.readers must be an integer, but is 1\.5/],
    [{ limits: { leaseTime: '5' } }, /limits\.leaseTime must be a number, but is "5"/],
    [{ limits: { concurency: 4 } }, /limits\.concurency is not a known key/],
    [{ limits: 4 }, /limits must be an object/],
    [{ keep: { results: -1 } }, /keep\.results must be at least 0/],
    [{ defaults: { timeout: 1 } }, /defaults\.timeout must be at least 1000/],
    [{ concurrency: 4 }, /concurrency is not a known key/],
    [{ plugins: [() => undefined] }, /plugins\[0\] is a function; call it/],
    [{ plugins: [{ name: 'x' }] }, /plugins\[0\] is not a plugin; make one with definePlugin/],
    [{ plugins: {} }, /plugins must be an array/],
    [{ store: {} }, /store has no get\(\); give a store/],
    [{ store: memoryStore }, /store is a function; give a store/],
    [{ store: null }, /store has no get\(\)/],
    [{ browser: {} }, /browser must be a function; it takes the address guard/],
    [{ observer: 'log' }, /observer must be a function/],
    [{ allowPrivate: '10.0.0.0/8' }, /allowPrivate must be an array/],
    [{ webhookSecret: 7 }, /webhookSecret /],
  ]
  test.each(cases)('%j', (options, says) => {
    try {
      createEngine(options)
      expect.unreachable()
    } catch (error) {
      expect((error as EngineError).code).toBe('invalid_request')
      expect((error as EngineError).message).toMatch(says)
    }
  })
})
