// @module-tag long
// @module-tag browser
// What a policy forbids is not asked for by a real browser either, whoever leads it there: a redirect, the page's own scripts
// or an action.
import { createEngine, type Engine } from '@harvestman/core'
import { definePlugin, definePolicy } from '@harvestman/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { puppeteerBrowser } from '../src/index.ts'
import { serve, type Served } from './servers.ts'

const page = (content: string): string => `<!doctype html><title>Here</title><h1>Here</h1>${content}`
const script = (code: string): string => page(`<script>${code}</script>`)

/** Ways of a page to go to another by itself. */
const ways = {
  'by location': script("location.href = '/forbidden'"),
  'by location, later': script("setTimeout(() => location.assign('/forbidden'), 300)"),
  'by location.replace in a frame above': page(
    `<iframe srcdoc="<script>top.location.replace('/forbidden')</script>"></iframe>`,
  ),
  'by a meta element': page('<meta http-equiv="refresh" content="0;url=/forbidden">'),
  'by a form': page('<form action="/forbidden" method="post"></form><script>document.forms[0].submit()</script>'),
  'by a link': page('<a href="/forbidden">go</a><script>document.links[0].click()</script>'),
  'by an allowed address that leads on': script("location.href = '/leads'"),
} as const
const paths = new Map(Object.keys(ways).map((way, index) => [way, `/way-${index}`]))

let site: Served
let engine: Engine
const asked: string[] = []
const at = (path: string): string => `http://127.0.0.1:${site.port}${path}`

beforeAll(async () => {
  site = await serve({
    ...Object.fromEntries(Object.entries(ways).map(([way, text]) => [paths.get(way), text])),
    '/leads': (_, response) => response.writeHead(302, { location: '/forbidden' }).end(),
    '/clicked': page('<a href="/forbidden">go</a>'),
    '/opens': script("open('/forbidden'); open('/allowed')"),
    '/with-parts': page('<img src="/forbidden"><iframe src="/forbidden"></iframe>'),
    '*': page('Elsewhere'),
  })
  const rules = definePolicy({
    name: 'house rules',
    may: (question) => {
      if (question.is !== 'url') return true
      asked.push(question.url.pathname)
      return question.url.pathname !== '/forbidden' || 'Not there.'
    },
  })
  engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    plugins: [definePlugin({ name: 'rules', policies: [rules] })],
  })
})
afterAll(async () => {
  await engine.close()
  await site.close()
})
beforeEach(() => void (asked.length = 0))

/** What was asked for since then, but for the little picture of the site. */
function watch(): () => string[] {
  const from = site.seen.length
  return () => site.seen.slice(from).filter((one) => !one.endsWith('/favicon.ico'))
}

const denied = { code: 'policy_denied', details: { policy: 'house rules', reason: 'Not there.' } }
const drawn = { formats: ['rawHtml'], waitFor: 1_000, maxAge: 0 } as const

describe('A browser does not go where a policy forbids it:', () => {
  for (const [way, path] of paths)
    test(way, longIf(!['by location', 'by a link'].includes(way)), async () => {
      const seen = watch()
      const result = await engine.scrape({ url: at(path), ...drawn }).catch((error: unknown) => error)
      expect(seen().filter((one) => one.endsWith('/forbidden'))).toEqual([])
      expect(asked).toContain('/forbidden')
      if (result instanceof Error) expect(result).toMatchObject(denied)
      else expect(result).toMatchObject({ rawHtml: expect.stringContaining('<h1>Here</h1>') as string })
    })

  test('by a redirect of the address that was asked for', async () => {
    const seen = watch()
    await expect(engine.scrape({ url: at('/leads'), ...drawn })).rejects.toMatchObject(denied)
    expect(seen()).toEqual(['GET /leads'])
  })

  test('by an action', { tags: ['long'] }, async () => {
    const seen = watch()
    const actions = [{ type: 'click', selector: 'a' }] as const
    await engine.scrape({ url: at('/clicked'), ...drawn, actions }).catch((error: unknown) => {
      expect(error).toMatchObject(denied)
    })
    expect(seen()).toEqual(['GET /clicked'])
    expect(asked).toContain('/forbidden')
  })

  test('by a window that the page opens', async () => {
    const seen = watch()
    await engine.scrape({ url: at('/opens'), ...drawn })
    expect(seen()).toEqual(['GET /opens', 'GET /allowed'])
    expect(asked).toContain('/forbidden')
  })
})

test('a policy is not asked of frames and pictures, which the address guard alone holds', async () => {
  const seen = watch()
  await engine.scrape({ url: at('/with-parts'), formats: ['screenshot'], waitFor: 500 })
  expect(new Set(asked)).toEqual(new Set(['/with-parts']))
  expect(seen()).toContain('GET /forbidden')
})
