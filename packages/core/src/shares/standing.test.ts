import { handClock, settle } from '@harvestman/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { makeStanding, type Standing } from './standing.ts'

const silentAfter = 1_000

function bench() {
  const clock = handClock()
  const told: Standing[] = []
  const standing = makeStanding({ clock, silentAfter, changed: () => void told.push(standing.now) })
  const show = (): void => standing.show(clock.elapsed?.() ?? 0)
  return { clock, told, standing, show }
}

test('an engine that is silent for its time is out, and its next sign of life brings it back and tells of that', async () => {
  const { clock, told, standing, show } = bench()
  show()
  standing.list('among')
  await settle()
  await clock.pass(silentAfter)
  expect(standing.now).toBe('out')
  await settle()
  show()
  await settle()
  expect(told).toEqual(['among', 'out', 'among'])
})

test('a sign of life that was under way for longer than an engine may be silent brings nothing back', async () => {
  const { clock, standing, show } = bench()
  show()
  standing.list('among')
  const begun = clock.elapsed?.() ?? 0
  await clock.pass(silentAfter)
  standing.show(begun)
  expect(standing.now).toBe('out')
})

type Step =
  | { readonly does: 'list'; readonly to: Standing }
  | { readonly does: 'show'; readonly ago: number }
  | { readonly does: 'pass' | 'jump'; readonly ms: number }
  | { readonly does: 'ask' }

const times = fc.integer({ min: 0, max: 3 * silentAfter })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('list'), to: fc.constantFrom('out', 'alone', 'waiting', 'among') }),
  fc.record({ does: fc.constant('show'), ago: times }),
  fc.record({ does: fc.constant('pass'), ms: times }),
  fc.record({ does: fc.constant('jump'), ms: fc.integer({ min: -1e9, max: 1e9 }) }),
  fc.record({ does: fc.constant('ask') }),
)

test('whatever comes in whatever order, each change is told once, whether anybody asks or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, told, standing } = bench()
      const now = (): number => clock.elapsed?.() ?? 0
      let [listed, shown, known]: [Standing, number, Standing] = ['out', -Infinity, 'out']
      for (const next of steps) {
        const before = told.length
        if (next.does === 'list') standing.list((listed = next.to))
        if (next.does === 'show') standing.show(now() - next.ago)
        if (next.does === 'show') shown = Math.max(shown, now() - next.ago)
        if (next.does === 'pass') await clock.pass(next.ms)
        if (next.does === 'jump') clock.jump(next.ms)
        const stands = now() - shown < silentAfter ? listed : 'out'
        if (next.does === 'ask') expect(standing.now).toBe(stands)
        await settle(1)
        // Time alone tells nobody: it is known to who asks.
        if (next.does === 'pass' || next.does === 'jump') continue
        if (stands !== known) expect(told.slice(before)).toEqual([stands])
        else expect(told.length).toBe(before)
        known = stands
      }
    }),
  )
})
