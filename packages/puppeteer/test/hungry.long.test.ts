// @module-tag long
// @module-tag browser
import type { Browser } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { hungryKinds, hungryPages, hungryPath } from './hungry-pages.ts'
import { serve, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

// What these hold is bounded in other ways, or grows too slowly to be waited for here: test/bench/browser/hungry.ts tells.
const mayGoOn: ReadonlySet<string> = new Set([
  'images as data URLs',
  'many workers',
  'huge style sheets',
  'elements within elements',
  'texts',
  'lines on the console',
  'a database',
  'the cache of requests',
  'messages that no tab reads',
  'requests that wait',
  'a page of a million by thirty thousand pixels',
  'a page of layers',
  'timers without end',
  'a file as the page, without an end',
])

let site: Served
let browser: Browser

beforeAll(async () => {
  site = await serve({
    ...hungryPages,
    '/wide': '<div style="width:1000000px;height:30000px;background:red">',
    '*': '<p>Fine',
  })
  browser = startBrowser({ tabs: 4, pageMemory: 400_000_000 })
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

const at = (path: string): URL => new URL(`http://hungry.localhost:${site.port}${path}`)

describe('a page that takes too much memory is ended with its own error, and a tab beside it goes on', () => {
  test.each(Object.keys(hungryKinds))(
    '%s',
    async (kind) => {
      const beside = await browser.open(profile, soon())
      await beside.goto(at('/beside'), soon())
      const isSure = !mayGoOn.has(kind)
      const greedy = inTab(browser, {}, async (tab) => {
        await tab.goto(at(hungryPath(kind)), soon())
        await tab.evaluate('new Promise(() => undefined)', soon(isSure ? 180_000 : 2_000))
      })
      const error: unknown = await greedy.catch((thrown: unknown) => thrown)
      if (isSure) expect(error).toMatchObject({ code: 'page_too_complex' })
      else expect(error).toBeInstanceOf(Error)
      expect(await beside.evaluate('document.body.textContent', soon())).toBe('Fine')
      await beside.close()
    },
    240_000,
  )
})

test('a picture of a page of a million by thirty thousand pixels has at most 64 million', async () => {
  // With the memory that pages have: such a picture is a quarter of it, and the browser holds it more than once.
  const usual = startBrowser()
  const [picture, warnings] = await inTab(usual, {}, async (tab) => {
    await tab.goto(at('/wide'), soon())
    return [Buffer.from(await tab.screenshot({ fullPage: true }, soon())), tab.warnings?.()] as const
  })
  await usual.close()
  expect(picture.readUInt32BE(16) * picture.readUInt32BE(20)).toBeLessThanOrEqual(64_000_000)
  expect(warnings?.join()).toMatch(/pixels high/)
})
