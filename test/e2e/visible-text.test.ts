// @module-tag browser
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { seenInBrowser, visibleCases } from '../../packages/html/src/visible/cases.ts'
import { longIf } from '../../scripts/long-tests.ts'
import { browserCases, sheets } from './visible-text/cases.ts'

const paragraph = '<p>Visible text of an ordinary page, long enough that nobody takes the rest for its content.</p>'
const pages = new Map(
  [...visibleCases, ...browserCases].map(({ name, head = '', body }, index) => [
    name,
    {
      path: `/page${index}`,
      html:
        `<!doctype html><html><head><title>Page</title>${head}</head><body><main><h1>Page</h1>` +
        `${paragraph.repeat(4)}${body}${paragraph.repeat(2)}</main></body></html>`,
    },
  ]),
)
const byPath = new Map([...pages.values()].map(({ path, html }) => [path, html]))

const frame = '<p>zebra quartz in a frame</p>'
const engine = createEngine({ allowPrivate: ['127.0.0.1'], browser: puppeteerBrowser() })
let site: Server
beforeAll(async () => {
  site = createServer(({ url = '' }, response) => {
    const sheet = sheets[url]
    if (sheet === undefined)
      response.setHeader('content-type', 'text/html; charset=utf-8').end(byPath.get(url) ?? frame)
    // Later than the page itself, as on the web.
    else setTimeout(() => response.setHeader('content-type', 'text/css').end(sheet), 100)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await engine.close()
  site.closeAllConnections()
  site.close()
})

async function read(name: string, loader: 'http' | 'browser', onlyMainContent: boolean) {
  const { path = '' } = pages.get(name) ?? {}
  return engine.scrape({
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`,
    formats: ['markdown', 'html', 'rawHtml', 'links'],
    onlyMainContent,
    timeout: 120_000,
    ...(loader === 'browser' && { waitFor: 1 }),
  })
}

type Values = Awaited<ReturnType<typeof read>>

function expectHidden({ markdown, html, rawHtml }: Values): void {
  expect(markdown).toContain('Visible text')
  expect(markdown).not.toContain('zebra quartz')
  expect(html).not.toContain('zebra quartz')
  expect(rawHtml).toContain('zebra')
}

function expectSeen({ markdown, html, links }: Values): void {
  expect(markdown).toContain('zebra')
  expect(html).toContain('zebra')
  expect(links.some((link) => link.includes('zebra'))).toBe(true)
}

const inBrowser = (isSeen: boolean) =>
  visibleCases.filter(({ name }) => seenInBrowser.has(name) === isSeen).map(({ name }) => name)
const over = (isSeen: boolean) => visibleCases.filter((each) => each.isSeen === isSeen).map(({ name }) => name)

describe('text that nobody can see is not in the content', () => {
  test.each(over(false))('over HTTP: %s', async (name) => expectHidden(await read(name, 'http', false)))
  test.each(inBrowser(false))('in a browser: %s', async (name) => expectHidden(await read(name, 'browser', false)))
  test.each(inBrowser(false))('in the main content of a browser: %s', longIf(true), async (name) =>
    expectHidden(await read(name, 'browser', true)),
  )
})

describe('text that a visitor sees or can open stays', () => {
  test.each(over(true))('over HTTP: %s', async (name) => expectSeen(await read(name, 'http', false)))
  test.each(inBrowser(true))('in a browser: %s', async (name) => expectSeen(await read(name, 'browser', false)))
})

describe('only a browser knows it', () => {
  test.each(browserCases)('$name', async ({ name, isSeen }) => {
    const values = await read(name, 'browser', false)
    if (isSeen) expect(values.markdown).toContain('zebra quartz')
    else expectHidden(values)
  })
})

test('a page that cannot be examined has a warning if style sheets at other URLs may hide text', async () => {
  const warningOf = async (name: string): Promise<string> => (await read(name, 'browser', false)).warning ?? ''
  const expected = 'The page is too large to examine it in the browser.'
  expect(await warningOf('a page that takes too much work to examine')).toContain(expected)
  expect(await warningOf('an inline style on a page that is too large to examine')).not.toContain(expected)
  expect(await warningOf('opacity 0 by a sheet at its own URL')).not.toContain(expected)
})

test('the HTML of a page in a browser has no marks of what is hidden', async () => {
  const { rawHtml } = await read('display none in a style attribute', 'browser', false)
  expect(rawHtml).toContain('<div style="display:none"><a href="/zebra">')
  expect(rawHtml).not.toMatch(/data-[\da-f]{16}/)
})
