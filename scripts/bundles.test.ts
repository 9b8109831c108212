import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { bundle } from './bundles.ts'

const index = `
import { beside } from './deep/beside.ts'
export const message = "Give new URL('./x.js', import.meta.url)."
export const file: string = beside
`
const beside = `
declare function fileBeside(from: string, name: string): URL
/** Not called: only named. */
export const named = () => fileBeside(import.meta.url, 'parts/thread')
export const beside = new URL('./parts/thread.js', import.meta.url).href
`

test('A bundle has the files that are named by URL, finds them, and leaves messages as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-bundle-'))
  try {
    mkdirSync(join(folder, 'src/deep/parts'), { recursive: true })
    const exports = { '.': './dist/index.js' }
    const manifest = { name: 'x', version: '1.0.0', type: 'module', publishConfig: { exports } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'src/index.ts'), index)
    writeFileSync(join(folder, 'src/deep/beside.ts'), beside)
    writeFileSync(join(folder, 'src/deep/parts/thread.ts'), 'export const isThread = true\n')
    await bundle(folder)
    const thread = join(folder, 'dist/deep/parts/thread.js')
    expect(existsSync(thread)).toBe(true)
    const text = readFileSync(join(folder, 'dist/index.js'), 'utf8')
    expect(text).toContain(`"Give new URL('./x.js', import.meta.url)."`)
    const { file } = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as { readonly file: string }
    expect(file).toBe(pathToFileURL(thread).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
