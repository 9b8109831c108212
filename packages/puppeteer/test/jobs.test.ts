// @module-tag long
// @module-tag browser
import { createEngine, type Engine } from '@harvestman/core'
import type { Clock } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { puppeteerBrowser } from '../src/index.ts'
import { serve, type Served } from './servers.ts'

let site: Served
const brought: string[] = []

beforeAll(async () => {
  site = await serve({
    '/late':
      '<main></main><img src="/one.svg" onload="document.querySelector(\'main\').innerHTML = \'<p id=came>came</p>\'">',
    '/one.svg': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    '*': (request, response) => {
      brought.push(request.headers.cookie ?? 'nothing')
      const headers = { 'set-cookie': 'seen=yes; Path=/; Max-Age=9999', 'content-type': 'text/html' }
      response.writeHead(200, headers).end(`<h1>Page ${request.url}</h1>`)
    },
  })
})

afterAll(() => site.close())

// What is waited for in these tests is not there before its end; a tenth of the time is enough to know.
const hasty: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms / 10)
      signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true })
    }),
}

function open(clock?: Clock) {
  return createEngine({ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser({ tabs: 1 }), clock })
}

/** Has pages scraped by one job, one after the other, and tells what each of them brought to the site. */
async function job(engine: Engine, actions: readonly object[], team = 'one'): Promise<readonly string[]> {
  brought.length = 0
  const urls = ['/a', '/b', '/c'].map((path) => `http://127.0.0.1:${site.port}${path}`)
  const { id } = await engine.unchecked.batch({ urls, actions, maxAge: 0 }, { team })
  const found = await engine.jobs.find(id, { team })
  const { failed } = await found.end()
  expect(failed).toBe(0)
  return [...brought]
}

const shared = ['nothing', 'seen=yes', 'seen=yes']
const apart = ['nothing', 'nothing', 'nothing']

describe('pages of one job', () => {
  const looking: readonly (readonly [string, readonly object[]])[] = [
    ['waited', [{ type: 'wait', milliseconds: 1 }]],
    ['scrolled', [{ type: 'wait', selector: 'h1' }, { type: 'scroll' }]],
    ['looked', [{ type: 'scrape' }, { type: 'screenshot' }, { type: 'pdf' }]],
  ]
  for (const [what, actions] of looking)
    test(
      `share what the browser keeps where they are only ${what}, and share it with no other job and no other team`,
      longIf(what !== 'waited'),
      async () => {
        await using engine = open()
        // A tab that does not answer at once, as on a machine that is starved, is not used again.
        for (const team of ['one', 'one', 'two']) await expect.poll(() => job(engine, actions, team)).toEqual(shared)
      },
    )

  const touching: readonly (readonly [string, readonly object[]])[] = [
    ['clicked', [{ type: 'click', selector: 'h1' }]],
    ['typed on', [{ type: 'press', key: 'Tab' }]],
    [
      'scripted',
      [
        { type: 'wait', milliseconds: 1 },
        { type: 'executeJavascript', script: '1' },
      ],
    ],
  ]
  for (const [what, actions] of touching)
    test(`share nothing where they are ${what}`, longIf(what !== 'clicked'), async () => {
      await using engine = open()
      expect(await job(engine, actions)).toEqual(apart)
    })
})

test('an element that comes with a picture is found, though pictures are left out at first', async () => {
  await using engine = open(hasty)
  const url = `http://127.0.0.1:${site.port}/late`
  const before = site.seen.length
  const { markdown } = await engine.scrape({
    url,
    formats: ['markdown'],
    actions: [{ type: 'wait', selector: '#came' }],
  })
  expect(markdown).toContain('came')
  expect(site.seen.slice(before)).toEqual(['GET /late', 'GET /late', 'GET /one.svg'])
})
