import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { diffLines, type Edit } from './line-diff.ts'

/** Carries the steps out: what they make of the old lines, and whether they walk both texts from front to back. */
function apply(old: readonly string[], next: readonly string[], steps: readonly Edit[]): readonly string[] {
  const made: string[] = []
  let [row, column] = [0, 0]
  for (const step of steps) {
    if ('old' in step) {
      expect(step.old).toBe(row)
      row += 1
    }
    if ('new' in step) {
      expect(step.new).toBe(column)
      column += 1
      made.push(next[step.new]!)
    }
    if (step.kind === 'normal') expect(old[step.old]).toBe(next[step.new])
  }
  expect([row, column]).toEqual([old.length, next.length])
  return made
}

const cost = (steps: readonly Edit[]): number => steps.filter(({ kind }) => kind !== 'normal').length

describe('the steps from one text to another', () => {
  test('lead there, whatever the texts', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (old, next) => {
        expect(apply(old, next, diffLines(old, next))).toEqual(next)
      }),
      { numRuns: 500 },
    )
  })

  test('are few', () => {
    const old = Array.from({ length: 2000 }, (_, index) => `line ${index}`)
    const next = old
      .toSpliced(100, 1, 'other')
      .toSpliced(1500, 0, 'new')
      .filter((_, index) => index !== 900)
    expect(cost(diffLines(old, next))).toBe(4)
    expect(cost(diffLines(['a', 'a', 'b', 'a'], ['a', 'b', 'a', 'a']))).toBe(2)
  })

  test('are found also where everything is different, or the same line thousands of times', { tags: ['long'] }, () => {
    const old = Array.from({ length: 20_000 }, (_, index) => `old ${index}`)
    const next = Array.from({ length: 20_000 }, (_, index) => `new ${index}`)
    expect(cost(diffLines(old, next))).toBe(40_000)
    const same = Array.from({ length: 10_000 }, (_, index) => ['x', 'y'][index % 2]!)
    const other = Array.from({ length: 10_000 }, (_, index) => ['y', 'y', 'x'][index % 3]!)
    expect(apply(same, other, diffLines(same, other))).toEqual(other)
  })
})
