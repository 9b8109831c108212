import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

const commented = `
/** @license The licence of the module. */

/** Describes the function. */
export function described(): Set<string> {
  // Explains the line.
  return new Set(['value'])
}

const kept = /* @__PURE__ */ described()
export { kept }
`

async function bundled<Result>(
  sources: Readonly<Record<string, string>>,
  use: (dist: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-bundle-'))
  try {
    const exports = { '.': './dist/index.js' }
    const manifest = { name: 'x', version: '1.0.0', type: 'module', publishConfig: { exports } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    for (const [name, source] of Object.entries(sources)) {
      const file = join(folder, 'src', name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, source)
    }
    await bundle(folder)
    return await use(join(folder, 'dist'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('A bundle has the files that are named by URL, finds them, and leaves messages as they are', () =>
  bundled(
    {
      'index.ts': index,
      'deep/beside.ts': beside,
      'deep/parts/thread.ts': 'export const isThread = true\n',
    },
    async (dist) => {
      const thread = join(dist, 'deep/parts/thread.js')
      expect(existsSync(thread)).toBe(true)
      const text = readFileSync(join(dist, 'index.js'), 'utf8')
      expect(text).toContain(`"Give new URL('./x.js', import.meta.url)."`)
      const { file } = (await import(pathToFileURL(join(dist, 'index.js')).href)) as { readonly file: string }
      expect(file).toBe(pathToFileURL(thread).href)
    },
  ))

test('A bundle has no comments on functions and lines, but those on licences, pure calls and the source map', () =>
  bundled({ 'index.ts': commented }, async (dist) => {
    const text = readFileSync(join(dist, 'index.js'), 'utf8')
    expect(text).not.toMatch(/Describes|Explains/)
    expect(text).toContain('@license The licence of the module.')
    expect(text).toContain('/* @__PURE__ */')
    expect(text).toMatch(/\n\/\/# sourceMappingURL=index\.js\.map\s*$/)
    const map = JSON.parse(readFileSync(join(dist, 'index.js.map'), 'utf8')) as { readonly sourcesContent: string[] }
    expect(map.sourcesContent).toEqual([commented])
  }))

test('A bundle is in ASCII, and its values are unchanged', () =>
  bundled({ 'index.ts': "export const texts = ['“é” …', `–${'😀'}`, String.raw`\\d–`]\n" }, async (dist) => {
    expect(readFileSync(join(dist, 'index.js'), 'utf8')).toMatch(/^[\0-\x7F]*$/)
    const { texts } = (await import(pathToFileURL(join(dist, 'index.js')).href)) as { readonly texts: string[] }
    expect(texts).toEqual(['“é” …', '–😀', String.raw`\d–`])
  }))

test('an entry loads one more file at most, however many of its modules are also used by what it imports late', async () => {
  const names = ['one', 'two', 'three']
  const shared = names.map((name) => [`${name}.ts`, `export const ${name} = () => globalThis.Date.now()`])
  const late = names.map((name) => [
    `late-${name}.ts`,
    `import { ${name} } from './${name}.ts'\nexport const late = ${name}`,
  ])
  const imports = names.map((name) => `import { ${name} } from './${name}.ts'`).join('\n')
  const lates = names.map((name) => `() => import('./late-${name}.ts')`).join(', ')
  const index = `${imports}\nexport const all = [${names.join(', ')}]\nexport const lates = [${lates}]`
  await bundled({ 'index.ts': index, ...Object.fromEntries([...shared, ...late]) }, async (dist) => {
    const text = readFileSync(join(dist, 'index.js'), 'utf8')
    expect([...text.matchAll(/^(?:import|export) .*from "\.\/parts\//gm)].length).toBeLessThanOrEqual(1)
    const { lates: load } = (await import(pathToFileURL(join(dist, 'index.js')).href)) as {
      readonly lates: readonly (() => Promise<{ readonly late: () => number }>)[]
    }
    for (const each of load) expect((await each()).late()).toBeGreaterThan(0)
  })
})
