// @module-tag browser
// @module-tag long
// The table of pages that render late: what a scrape with default options gives. `TABLE=1` prints it.
import { createEngine, type Engine } from '@harvestman/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { puppeteerBrowser } from '../src/index.ts'
import { languagePages, toolPages, wallPages } from './late/consent-pages.ts'
import type { RenderCase } from './late/cases.ts'
import { latePages, quickPages, sockets, tinyPages } from './late/late-pages.ts'
import { serve, type Served } from './servers.ts'

const all = [...latePages, ...toolPages, ...languagePages, ...wallPages, ...tinyPages, ...quickPages]
const rows: string[] = []
let site: Served
let engine: Engine

beforeAll(async () => {
  site = await serve(Object.assign({}, ...all.map(({ pages }) => pages)), { sockets })
  engine = createEngine({ allowPrivate: ['127.0.0.0/8', '::1/128'], browser: puppeteerBrowser({ tabs: 3 }) })
})
afterAll(async () => {
  if (process.env['TABLE']) console.log(rows.join('\n'))
  await engine.close()
  await site.close()
})

/** What an engine learns of a host must not change how the pages of another group are loaded. */
const hostOf = (one: RenderCase): string => (latePages.includes(one) ? '127.0.0.1' : 'localhost')

async function check(one: RenderCase): Promise<void> {
  const { name, path, shows, hides, warns, options = {} } = one
  const start = performance.now()
  const { markdown = '', warning = '' } = await engine.unchecked.scrape({
    url: `http://${hostOf(one)}:${site.port}${path}`,
    formats: ['markdown'],
    ...options,
  })
  const text = String(markdown)
  rows.push(
    `| ${name} | ${text.replaceAll(/\s+/g, ' ').slice(0, 60)} | ${warning} | ${Math.round(performance.now() - start)} |`,
  )
  if (shows !== undefined) expect(text).toContain(shows)
  if (hides) expect(text).not.toMatch(hides)
  if (warns) expect(warning).toMatch(warns)
  else expect(warning.replace('A cookie notice was answered and closed.', '')).toBe('')
}

const groups = {
  'a page that renders late': latePages,
  'a consent tool': toolPages,
  'a notice': languagePages,
  'a wall': wallPages,
  'a tiny page': tinyPages,
  'an ordinary page': quickPages,
}
describe.each(Object.entries(groups))('%s', (_, cases) => {
  test.concurrent.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => check(one))
})
