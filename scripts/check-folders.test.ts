import { expect, test } from 'vitest'

import { findRecursiveFolders } from './check-folders.ts'

const found = (text: string): number => findRecursiveFolders([{ file: 'packages/net/src/a.ts', text }]).length

test('folders that Node creates with their parents are found', () => {
  expect(found('mkdirSync(folder, { recursive: true })')).toBe(1)
  expect(found('await mkdir(\n  dirname(file),\n  { mode: 0o700, recursive: true },\n)')).toBe(1)
})

test('other calls are not', () => {
  expect(found('mkdirSync(folder)\nawait rm(folder, { recursive: true })')).toBe(0)
  expect(found('mkdirSync(path, mode)')).toBe(0)
  expect(found('rmSync(folder, { recursive: true })')).toBe(0)
})
