// @module-tag long
// @module-tag browser
// The pages of a file in the page: boxes of blocks, and the Markdown that was written from them.
import { defineLoader, defineParser, definePlugin, type ContentPage } from '@harvestman/core/plugin'
import { expect, test, vi } from 'vitest'

import { tab, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 300_000 })

const pages: readonly ContentPage[] = [
  {
    ...{ number: 1, html: '', status: 'ok', width: 1000, height: 1000 },
    blocks: [
      { type: 'title', content: 'Legs of harvestmen', bbox: [0.1, 0.1, 0.6, 0.15] },
      { type: 'text', content: 'They have eight legs.', bbox: [0.1, 0.2, 0.9, 0.3] },
      { type: 'table', content: '<table><tr><td>Opilio &amp; co</td></tr></table>', bbox: [0.1, 0.4, 0.9, 0.6] },
    ],
  },
  {
    ...{ number: 2, html: '', status: 'ok', width: 1000, height: 500 },
    blocks: [{ type: 'text', content: 'And two eyes.', bbox: [0.5, 0.5, 0.9, 0.7] }],
  },
]
const html = '<h1>Legs of harvestmen</h1><p>They have eight legs.</p><p>And two eyes.</p>'
const file = definePlugin({
  name: 'file',
  loaders: [
    defineLoader({
      name: 'file',
      cost: 0,
      load: ({ url }) =>
        Promise.resolve({
          ...{ url: url.href, status: 200, headers: { 'content-type': 'application/pdf' } },
          ...{ body: new Uint8Array([1]), captured: {}, actions: {}, proxyUsed: 'basic', warnings: [] },
        }),
    }),
  ],
  parsers: [
    defineParser({ name: 'pdf', accepts: ['application/pdf'], parse: () => ({ html, isAllContent: true, pages }) }),
  ],
})
const bench = useBench({}, { plugins: [file] })
const request = {
  url: 'http://127.0.0.1/legs.pdf',
  formats: ['markdown'],
  values: { parsers: [{ type: 'pdf', blocks: true }] },
}

test('a box of a page and its Markdown are highlighted together, from either side', { tags: ['long'] }, async () => {
  await using page = await bench.open(`#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`)
  await page.waitForSelector('#address')
  await page.locator('button.primary').click()
  await tab(page, 'Pages')
  await page.waitForSelector('.sheet .box')
  const boxes = await page.$$eval('.sheet .box', (all) => all.map(({ textContent }) => textContent))
  expect(boxes).toEqual(['Legs of harvestmen', 'They have eight legs.', 'Opilio & co'])
  expect(await page.$eval('.source', ({ textContent }) => textContent)).toBe(
    'Legs of harvestmen\n\nThey have eight legs.',
  )

  await page.click('.sheet .box:nth-child(2)')
  expect(await page.$eval('.source .chosen', ({ textContent }) => textContent)).toBe('They have eight legs.')

  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('.source [data-block]'))`)
  await page.waitForSelector('.sheet .box:nth-child(1)[aria-pressed="true"]')
  expect(await page.$$eval('.sheet [aria-pressed="true"]', (all) => all.length)).toBe(1)

  await page.locator('::-p-xpath(//button[text()="Next page"])').click()
  await page.waitForFunction(`document.querySelector('.source')?.textContent === 'And two eyes.'`)
})
