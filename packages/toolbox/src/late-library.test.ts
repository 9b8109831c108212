import { expect, test } from 'vitest'

import { lateLibrary } from './late-library.ts'

test('a library is loaded at the first call, once', () => {
  let loads = 0
  const path = lateLibrary(import.meta.url, (require) => {
    loads += 1
    return require('node:path') as { readonly sep: string }
  })
  expect(loads).toBe(0)
  expect(path()).toBe(path())
  expect([typeof path().sep, loads]).toEqual(['string', 1])
})

test('a library that failed to load is tried again', () => {
  let loads = 0
  const library = lateLibrary(import.meta.url, () => {
    loads += 1
    if (loads === 1) throw new Error('missing')
    return 'loaded'
  })
  expect(library).toThrow('missing')
  expect(library()).toBe('loaded')
})
