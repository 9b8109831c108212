import { expect, test } from 'vitest'

import { readJson, readText } from './requests.ts'

const post = (body: string): Request => new Request('http://localhost/', { method: 'POST', body })

test('a body up to the limit is read as it is', async () => {
  expect(await readText(post('äöü€'), 4)).toBe('äöü€')
  expect(await readJson(post('{"a":1}'), 7)).toEqual({ a: 1 })
})

test('a longer body is not read in part', async () => {
  expect(await readText(post('äöü€x'), 4)).toBeUndefined()
  expect(await readJson(post('{"a":1} '), 7)).toEqual({})
})
