import { expect, test } from 'vitest'

import { findLooseKeys } from './check-keys.ts'

const file = 'packages/site/src/more.ts'
const found = (text: string, at = file): number => findLooseKeys([{ file: at, text }]).length

test('a key that is made by hand is found, with its line', () => {
  expect(findLooseKeys([{ file, text: '\nconst key = (id: string): string => `more/${id}`' }])).toEqual([
    expect.stringContaining(`${file}:2 makes a key by hand`),
  ])
  expect(found('  return `more/of/${team}`')).toBe(1)
  expect(found("await kit.store.get('more')")).toBe(1)
  expect(found('await store.update(\n  `more/${id}`,\n  change)')).toBe(1)
})

test('a key of a family is none, nor is what stands in the catalogue, in a test, or elsewhere', () => {
  expect(found('const key = storeKeys.robots(origin)\nawait store.get(key)')).toBe(0)
  expect(found('return storeKeys.job(`of/${team}`)')).toBe(0)
  expect(found('await store.get(`${name}/post`)')).toBe(0)
  expect(found('const url = `https://made.up/${id}`')).toBe(0)
  const loose = 'const key = (id: string): string => `more/${id}`'
  expect(found(loose, 'packages/core/src/keys.ts')).toBe(0)
  expect(found(loose, 'packages/site/src/more.test.ts')).toBe(0)
  expect(found(loose, 'packages/http/src/more.ts')).toBe(0)
})
