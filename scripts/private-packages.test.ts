import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { placeInBundle, privateLeft, writeDeclarations } from './private-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('a package has the declarations that its entries need, those of private packages too, which are named by file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-declarations-'))
  const dist = join(folder, 'dist')
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const read = (file: string): string => readFileSync(join(dist, file), 'utf8')
  try {
    write('live/src/index.d.ts', "export { hosting } from './deep/own.ts'\n")
    write(
      'live/src/deep/own.d.ts',
      "export { hosting } from '@harvestman/hosting'\nexport type { A } from '@harvestman/live/options'\n",
    )
    write('live/src/options.d.ts', "export type { A } from '@harvestman/core'\n")
    write('live/src/scripts.d.ts', "export * from '@harvestman/scripts'\n")
    write('live/src/people/index.d.ts', 'export {}\n')
    write('live/src/session-replay.d.ts', 'export {}\n')
    write('live/src/unneeded.d.ts', 'export {}\n')
    write('hosting/src/index.d.ts', "export { hosting } from './open.ts'\n")
    write('hosting/src/open.d.ts', 'export declare const hosting: import("@harvestman/net/text").C\n')
    write('hosting/src/unneeded.d.ts', 'export {}\n')
    write('net/src/text.d.ts', 'export type C = 1\n')
    write('scripts/src/index.d.ts', "export type { Live } from '@harvestman/live'\n")
    writeDeclarations('packages/live', dist, folder)
    expect(read('deep/own.d.ts')).toBe(
      "export { hosting } from '../private/hosting/index.ts'\nexport type { A } from '../options.ts'\n",
    )
    expect(read('options.d.ts')).toBe("export type { A } from '@harvestman/core'\n")
    expect(read('private/hosting/open.d.ts')).toBe('export declare const hosting: import("../net/text.ts").C\n')
    expect(read('private/net/text.d.ts')).toBe('export type C = 1\n')
    expect(read('private/scripts/index.d.ts')).toBe("export type { Live } from '../../index.ts'\n")
    expect(globSync('**/unneeded.d.ts', { cwd: dist })).toEqual([])
    expect(privateLeft(dist)).toEqual([])
    write('dist/left.js', "import { x } from '@harvestman/net/text'\n")
    expect(privateLeft(dist)).toEqual(['left.js names @harvestman/net/text'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('files of a private package have a folder of their own in the bundle', () => {
  const source = join(root, 'packages/core/src')
  expect(placeInBundle(source, join(source, 'readers/worker.ts'))).toBe('readers/worker.js')
  expect(placeInBundle(source, join(root, 'packages/diff/src/worker.ts'))).toBe('private/diff/worker.js')
})
