// @module-tag long
// @module-tag browser
import type { Browser } from '@harvestman/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { serve, type Served } from './servers.ts'
import { inTab, soon, startBrowser } from './setup.ts'

// Of two units each, and one that no slice of them ends with.
const words = `x${'𝒳'.repeat(1_700_000)}`
const page = (more = ''): string => `<!doctype html><title>Long</title><p id="long"></p>${more}
  <script>document.querySelector('#long').textContent = 'x' + '𝒳'.repeat(1_700_000)</script>`

let site: Served
let browser: Browser
beforeAll(async () => {
  site = await serve({ '/long': page(), '/framed': page(`<iframe src="http://other.localhost/"></iframe>`) })
  browser = startBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

for (const path of ['/long', '/framed'])
  test(
    `a page is read to its end in several answers when it is long: ${path}`,
    longIf(path === '/framed'),
    async () => {
      const html = await inTab(browser, {}, async (tab) => {
        await tab.goto(new URL(`http://long.localhost:${site.port}${path}`), soon())
        return tab.html(soon())
      })
      expect(html.slice(html.indexOf('>x') + 1, html.indexOf('</p>')) === words).toBe(true)
      expect(html).toMatch(/^<!DOCTYPE html>[^]*<\/html>$/)
    },
  )

test('a page that scripts make larger than may be is refused before it is read', async () => {
  await inTab(browser, { maxBytes: 1_000_000 }, async (tab) => {
    await tab.goto(new URL(`http://long.localhost:${site.port}/long`), soon())
    await expect(tab.html(soon())).rejects.toMatchObject({ code: 'response_too_large' })
  })
})
