// What the page costs those who load it.
import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { everyday, menuGroups, views } from '../page/src/lib/views.ts'
import { loadAssets } from '../src/assets.ts'

test('The first load is at most 45 KB, and all of the page 150 KB, packed; no style or script stands in its HTML', async () => {
  const loaded = [...(await loadAssets())].map(async ([path, asset]) => [path, await asset()] as const)
  const assets = new Map(await Promise.all(loaded))
  const packed = new Map([...assets].map(([path, { plain }]) => [path, gzipSync(plain, { level: 9 }).byteLength]))
  const html = new TextDecoder().decode(assets.get('index.html')?.plain)
  const first = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(first.length).toBeGreaterThan(1)
  expect(sum(first.map((path) => packed.get(path) ?? Infinity))).toBeLessThan(45_000)
  expect(sum([...packed.values()])).toBeLessThan(150_000)
  expect(html).not.toMatch(/<style|<script(?![^>]* src=)| on[a-z]+=| style=/i)
})

test('The HTML paints the names of the views by itself, asks for one script of the page, and all of it is packed by the build', async () => {
  const assets = await loadAssets()
  const html = new TextDecoder().decode((await assets.get('index.html')?.())?.plain)
  for (const [id, label] of views.filter(([one]) => everyday.includes(one)))
    expect(html).toContain(`<a href="#/${id}">${label}</a>`)
  expect(html.match(/<script type="module"/g)).toHaveLength(1)
  expect(html).not.toContain('modulepreload')
  expect(html.indexOf('rel="stylesheet"')).toBeLessThan(html.indexOf('type="module"'))
  const folder = new URL('../dist/page/', import.meta.url)
  const written = new Set(globSync('**/*.*', { cwd: folder }))
  expect([...assets.keys()].filter((path) => !written.has(`${path}.br`) || !written.has(`${path}.gz`))).toEqual([])
})

test('Every view is in the navigation or in one group of its menu', () => {
  const listed = [...everyday, ...menuGroups.flatMap(([, ids]) => ids)]
  expect(listed.toSorted()).toEqual(views.map(([id]) => id).toSorted())
})

test('The colours, sizes and spaces of the page are in one file', () => {
  for (const file of ['style.css', 'views.css']) {
    const text = readFileSync(new URL(`../page/src/${file}`, import.meta.url), 'utf8')
    expect(text.match(/#(?:[\da-f]{6})\b/gi) ?? []).toEqual([])
  }
})

test('Addresses are read in one file of the page, which can say that there is none', () => {
  const folder = new URL('../page/src/', import.meta.url)
  const readers = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) =>
    /new URL\(|URL\.(can)?[pP]arse\(/.test(readFileSync(new URL(file, folder), 'utf8')),
  )
  expect(readers).toEqual(['lib/address.ts'])
})

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
