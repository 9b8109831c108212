// @module-tag long
// The docs as a site: every page is built, its links lead somewhere, and it asks no other host for anything.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { beforeAll, expect, test, vi } from 'vitest'

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
  const packages = globSync('*/src/index.ts', { cwd: join(docs, '../packages') }).map((file) => file.split('/')[0])
  expect(packages.filter((name) => !existsSync(join(site, `api/${name}.html`)))).toEqual([])
  const core = readFileSync(join(site, 'api/core.html'), 'utf8')
  expect(core).toContain('createEngine')
  expect(core).toContain('Stops running work, and closes what the engine opened')
})

test('shows no marks of the scripts that write its tables', () => {
  const shown = globSync('*.html', { cwd: site }).filter((page) =>
    readFileSync(join(site, page), 'utf8').includes('&lt;!--'),
  )
  expect(shown).toEqual([])
})

test('loads scripts, styles and fonts from itself alone', () => {
  for (const page of globSync('*.html', { cwd: site })) {
    const html = readFileSync(join(site, page), 'utf8')
    const loaded = [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
    expect(loaded.filter((url) => /^(https?:)?\/\//.test(url))).toEqual([])
  }
})

test('is served by the command', async () => {
  const serving = startCommand(['docs', '--port', '0', '--folder', site], { env: bareEnv(tmpdir()) })
  await vi.waitFor(() => expect(serving.said.out).toMatch(/^http/), 30_000)
  expect(await (await fetch(`${serving.said.out.trim()}quick-start`)).text()).toContain('Quick start')
  serving.child.kill('SIGINT')
  expect((await serving.ended).code).toBe(0)
})
