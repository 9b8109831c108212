import { expect, test } from 'vitest'

import { packageVersion } from './package-version.ts'

const name = '@harvestman/toolbox'
const path = '../package.json'

test('the version of a package is that of its package.json', () => {
  expect(packageVersion(name, path, import.meta.url)).toMatch(/^\d+\.\d+\.\d+/)
})

test.each([
  ['is not there', name, '../no/package.json', import.meta.url],
  ['is that of the application', '@harvestman/other', path, import.meta.url],
  ['is no JSON', name, 'package-version.ts', import.meta.url],
  ['cannot be found, because a module has no address in a bundle', name, path, undefined as unknown as string],
  ['would be on another computer', name, path, 'https://example.com/parts/app.js'],
])('a package.json that %s gives no version', (_, ...given) => {
  expect(packageVersion(...given)).toBeUndefined()
})
