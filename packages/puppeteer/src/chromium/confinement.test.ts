import { expect, test } from 'vitest'

import { environmentFor, waysToConfine } from './confinement.ts'

const shapeOf = (sandbox: boolean | undefined, isRoot: boolean): readonly string[] =>
  waysToConfine(sandbox, isRoot).map((way) =>
    [way.sandbox ? 'sandbox' : 'none', way.user ? 'another user' : 'the same', way.lacks ? 'told' : '']
      .join(' ')
      .trim(),
  )

test('root starts a browser as another user and with its sandbox, and tells of what is less', () => {
  expect(shapeOf(undefined, true)).toEqual(['sandbox another user', 'none another user told', 'none the same told'])
})

test('a sandbox that is asked for is not gone without', () => {
  expect(shapeOf(true, true)).toEqual(['sandbox another user'])
  expect(shapeOf(true, false)).toEqual(['sandbox the same'])
  expect(shapeOf(undefined, false)).toEqual(['sandbox the same'])
})

test('without a sandbox a browser of root is still another user, and that it is not is told', () => {
  expect(shapeOf(false, true)).toEqual(['none another user', 'none the same told'])
  expect(shapeOf(false, false)).toEqual(['none the same'])
})

test('each browser is a user of its own, and none that a system has', () => {
  const numbers = Array.from({ length: 20 }, () => waysToConfine(true, true)[0]?.user?.uid ?? 0)
  expect(new Set(numbers).size).toBeGreaterThan(15)
  expect(Math.min(...numbers)).toBeGreaterThan(61_000)
})

test('another user is not told what this process knows', () => {
  process.env['HARVESTMAN_TEST_KEY'] = 'secret'
  const [way = { sandbox: true, user: undefined }] = waysToConfine(true, true)
  const environment = environmentFor(way, '/home')
  delete process.env['HARVESTMAN_TEST_KEY']
  expect(environment).toMatchObject({ HOME: '/home', PATH: process.env['PATH'] })
  expect(JSON.stringify(environment)).not.toContain('secret')
})
