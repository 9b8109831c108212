// @module-tag long
// The docs as a site: every page is built, its links lead somewhere, and it asks no other host for anything.
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

import { beforeAll, expect, test, vi } from 'vitest'

import { errorCodes } from '../../packages/ports/src/errors/codes.ts'
import { buildSite } from '../../scripts/docs-site.ts'
import { bareEnv, startCommand } from '../e2e/command.ts'
import { madeOfTree } from '../made-once.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
let site: string

beforeAll(async () => {
  site = await madeOfTree('docs-site', buildSite)
}, 900_000)

test('has a page for every document, and a way to each from the sidebar', () => {
  const pages = globSync('*.md', { cwd: docs }).map((name) => name.replace('.md', '.html'))
  const built = globSync('*.html', { cwd: site })
  expect(pages.filter((page) => !built.includes(page))).toEqual([])
  const start = readFileSync(join(site, 'index.html'), 'utf8')
  expect(pages.filter((page) => page !== 'index.html' && !start.includes(`href="/${page}"`))).toEqual([])
})

test('tells what each package exports, from its types and their comments', () => {
  const folder = join(docs, '../packages')
  const isPublished = (name: string): boolean =>
    !(JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { readonly private?: boolean }).private
  const packages = globSync('*/src/index.ts', { cwd: folder })
    .map((file) => file.split('/')[0] ?? '')
    .filter(isPublished)
  expect(packages.filter((name) => !existsSync(join(site, `api/${name}.html`)))).toEqual([])
  const core = readFileSync(join(site, 'api/core.html'), 'utf8')
  expect(core).toContain('createEngine')
  expect(core).toContain('Stops running work and closes everything that the engine opened')
})

test('shows no marks of the scripts that write its tables', () => {
  const shown = globSync('*.html', { cwd: site }).filter((page) =>
    readFileSync(join(site, page), 'utf8').includes('&lt;!--'),
  )
  expect(shown).toEqual([])
})

test('shows placeholders in double braces', () => {
  const pages = globSync('*.md', { cwd: docs })
  const shown = pages.flatMap((page) => {
    const text = readFileSync(join(docs, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
    const html = readFileSync(join(site, page.replace('.md', '.html')), 'utf8')
    return [...text.matchAll(/`([^`\n]*\{\{[^`\n]*)`/g)].map(([, code = '']) => ({
      code: `${page}: ${code}`,
      isShown: html.replaceAll('&#39;', "'").includes(`<code>${code}</code>`),
    }))
  })
  expect(shown.length).toBeGreaterThan(3)
  expect(shown.filter(({ isShown }) => !isShown).map(({ code }) => code)).toEqual([])
})

test('loads scripts, styles and fonts from itself alone', () => {
  for (const page of globSync('*.html', { cwd: site })) {
    const html = readFileSync(join(site, page), 'utf8')
    const loaded = [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
    expect(loaded.filter((url) => /^(https?:)?\/\//.test(url))).toEqual([])
  }
})

const packed = (file: string): number => gzipSync(readFileSync(join(site, file)), { level: 9 }).byteLength
const indexFile = (): string => globSync('assets/chunks/@localSearchIndex*.js', { cwd: site })[0] ?? ''

test('has a page for each error, to which its index leads', () => {
  const index = readFileSync(join(site, 'errors.html'), 'utf8')
  const codes = Object.keys(errorCodes)
  expect(codes.filter((code) => !existsSync(join(site, `errors/${code}.html`)))).toEqual([])
  expect(codes.filter((code) => !index.includes(`href="./errors/${code}.html"`))).toEqual([])
  const page = readFileSync(join(site, 'errors/timeout.html'), 'utf8')
  expect(page).toContain('SCRAPE_TIMEOUT')
  expect(page).toContain('href="./map_timeout.html"')
})

interface Search {
  search(query: string): readonly { readonly id: string }[]
}

test('finds the page of each error by its code first', async () => {
  const { default: index } = (await import(pathToFileURL(join(site, indexFile())).href)) as { default: string }
  // The program that searches on the site is a part of what builds it.
  const ofBuilder = createRequire(realpathSync(join(docs, 'node_modules/vitepress/package.json')))
  const builder = ofBuilder('minisearch') as { loadJSON(text: string, options: object): Search }
  const searchOptions = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } }
  const search = builder.loadJSON(index, { fields: ['title', 'titles', 'text'], searchOptions })
  const first = Object.keys(errorCodes).map((code) => search.search(code)[0]?.id.split('#')[0])
  expect(first).toEqual(Object.keys(errorCodes).map((code) => `/errors/${code}.html`))
})

test('loads at most 200 KB at first, and at most 150 KB more when it is searched, packed; pictures when they are seen', () => {
  for (const page of ['index.html', 'page.html', 'errors/timeout.html']) {
    const html = readFileSync(join(site, page), 'utf8')
    const loaded = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file)
    expect(loaded.length).toBeGreaterThan(1)
    const sizes = [page, ...new Set(loaded)].map((file = '') => packed(file))
    expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan(200_000)
    const pictures = [...html.matchAll(/<img[^>]+\.webp[^>]*>/g)].map(([picture]) => picture)
    expect(pictures.filter((picture) => !picture.includes('loading="lazy"'))).toEqual([])
  }
  expect(packed(indexFile())).toBeLessThan(150_000)
})

test('shows the last frame of a recording to those who want no motion', () => {
  for (const page of ['page.html', 'cli.html']) {
    const html = readFileSync(join(site, page), 'utf8')
    const [, still = ''] = /<source media="\(prefers-reduced-motion: reduce\)" srcset="\/([^"]+)"/.exec(html) ?? []
    expect(existsSync(join(site, still)), `${page}: ${still}`).toBe(true)
    expect(still).toContain('-recording-still')
  }
})

test('is served by the command', async () => {
  const serving = startCommand(['docs', '--port', '0', '--folder', site], { env: bareEnv(tmpdir()) })
  await vi.waitFor(() => expect(serving.said.out).toMatch(/^http/), 30_000)
  expect(await (await fetch(`${serving.said.out.trim()}quick-start`)).text()).toContain('Quick start')
  serving.child.kill('SIGINT')
  expect((await serving.ended).code).toBe(0)
})
