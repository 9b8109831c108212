import { expect, test } from 'vitest'

import { makeRecentUse } from './recent-use.ts'

function usage() {
  let time = 0
  const use = makeRecentUse(() => time)
  /** So many seconds in which each team uses this part of the time. */
  const pass = (seconds: number, parts: Readonly<Record<string, number>>): void => {
    for (let step = 0; step < seconds * 10; step++) {
      time += 100
      for (const [team, part] of Object.entries(parts)) use.add(team, part * 100)
    }
  }
  return { pass, isOver: (team: string) => use.isOverShare(team, 0.25) }
}

test('of two teams the one that uses more is over its share', () => {
  const { pass, isOver } = usage()
  pass(5, { loud: 1.5, other: 0.3 })
  expect([isOver('loud'), isOver('other')]).toEqual([true, false])
})

test('a team that is alone has all as its share, and has it again some seconds after others have ended', () => {
  const { pass, isOver } = usage()
  pass(5, { loud: 2 })
  expect(isOver('loud')).toBe(false)
  pass(1, { loud: 2, other: 0.1 })
  expect(isOver('loud')).toBe(true)
  pass(30, { loud: 2 })
  expect(isOver('loud')).toBe(false)
})

test('a team that uses little is never over its share, however little others use', () => {
  const { pass, isOver } = usage()
  pass(10, { some: 0.2, less: 0.01 })
  expect(isOver('some')).toBe(false)
})

test('a team that was loud is not held to it for long', () => {
  const { pass, isOver } = usage()
  pass(5, { before: 2, other: 0.3 })
  pass(10, { before: 0.1, other: 0.3 })
  expect([isOver('before'), isOver('other')]).toEqual([false, true])
})

test('what a team used before another one came is not held against it', () => {
  const { pass, isOver } = usage()
  pass(5, { first: 0.6 })
  pass(3, { first: 0.5, loud: 1 })
  expect([isOver('first'), isOver('loud')]).toEqual([false, true])
})

test('teams that use nearly the same are not over their shares', () => {
  const { pass, isOver } = usage()
  pass(5, { one: 0.9, two: 0.8, three: 1 })
  expect(['one', 'two', 'three'].filter(isOver)).toEqual([])
})
