import fc from 'fast-check'
import { expect, test } from 'vitest'

import { waitingList } from './waiting.ts'

interface Item {
  readonly priority: number
  readonly number: number
}

const isAfter = (one: Item, other: Item) => other.priority - one.priority || one.number - other.number

test('gives the highest priority first, and among equals the one that came first', () => {
  const step = fc.option(fc.integer({ min: -3, max: 3 }), { freq: 3 })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const list = waitingList<Item>()
      const model: Item[] = []
      for (const [number, priority] of steps.entries()) {
        if (priority === null) expect(list.take()).toEqual(model.shift())
        else {
          list.push({ priority, number }, priority, 'a')
          model.push({ priority, number })
          model.sort(isAfter)
        }
        expect(list.size).toBe(model.length)
      }
    }),
  )
})

test('is empty after it was cleared, and can be used again', () => {
  const list = waitingList<string>()
  list.push('a', 1, '')
  list.push('b', 2, '')
  list.clear()
  expect(list.take()).toBeUndefined()
  list.push('c', 1, '')
  expect([list.size, list.take(), list.size]).toEqual([1, 'c', 0])
})

test('among equals comes in turns by team, and those of teams that may not are passed over', () => {
  const list = waitingList<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1']) list.push(item, 0, item[0] ?? '')
  list.push('a4', 5, 'a')
  expect([list.take(), list.take(), list.take()]).toEqual(['a4', 'a1', 'b1'])
  list.push('b2', -1, 'b')
  const isB = (team: string): boolean => team === 'b'
  expect([list.take(isB), list.take(isB), list.has(isB)]).toEqual(['b2', undefined, false])
  expect([list.take(), list.take(), list.size]).toEqual(['a2', 'a3', 0])
})
