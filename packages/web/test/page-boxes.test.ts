// @module-tag long
// @module-tag browser
// The pages of a file in the page: boxes of blocks, and the Markdown that was written from them.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { defineLoader, defineParser, definePlugin, type ContentPage } from '@harvestman/core/plugin'
import { expect, test, vi } from 'vitest'

import { fixture } from '../../ocr/test/scan.ts'
import { tab, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 300_000 })

const pages: readonly ContentPage[] = [
  {
    ...{ number: 1, html: '', status: 'ok', width: 1000, height: 1000 },
    image: { bytes: fixture('letter.png'), rotation: 90 },
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
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const request = {
  url: 'http://127.0.0.1/legs.pdf',
  formats: ['markdown'],
  values: { parsers: [{ type: 'pdf', blocks: true, pageImages: true }] },
}

test('a box of a page and its Markdown are highlighted together, from either side', { tags: ['long'] }, async () => {
  await using page = await bench.open(`#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`)
  await page.waitForSelector('#address')
  await page.locator('button.primary').click()
  await tab(page, 'Pages')
  await page.waitForSelector('.sheet .box')
  const boxes = await page.$$eval('.sheet .box', (all) => all.map((box) => box.getAttribute('aria-label')))
  expect(boxes).toEqual(['title: Legs of harvestmen', 'text: They have eight legs.', 'table: Opilio & co'])
  expect(await page.$eval('.source', ({ textContent }) => textContent)).toBe(
    'Legs of harvestmen\n\nThey have eight legs.',
  )

  await page.click('.sheet [aria-label^="text"]')
  expect(await page.$eval('.source .chosen', ({ textContent }) => textContent)).toBe('They have eight legs.')

  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('.source [data-block]'))`)
  await page.waitForSelector('.sheet [aria-label^="title"][aria-pressed="true"]')
  expect(await page.$$eval('.sheet [aria-pressed="true"]', (all) => all.length)).toBe(1)

  await page.hover('.source [data-block]')
  await page.waitForSelector('.sheet [aria-label^="title"].pointed')
  await page.focus('.sheet [tabindex="0"]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('table: Opilio & co')

  await page.waitForFunction(`document.querySelector('.sheet img').naturalWidth > 0`)
  expect(await page.$eval('.sheet img', (image) => image.getAttribute('style'))).toContain('rotate(90deg)')
  await page.locator('::-p-xpath(//button[text()="Next page"])').click()
  await page.waitForFunction(`document.querySelector('.source')?.textContent === 'And two eyes.'`)
})

test('the view is accessible in both themes, and as narrow as a phone', { tags: ['long'] }, async () => {
  const size = { width: 320, height: 800 }
  const hash = `#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`
  await using page = await bench.open(hash, size)
  await page.waitForSelector('#address')
  await page.locator('button.primary').click()
  await tab(page, 'Pages')
  await page.waitForFunction(`document.querySelector('.sheet img')?.naturalWidth > 0`)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width)
  await page.evaluate(axe)
  await page.click('.sheet [aria-label^="text"]')
  for (const theme of ['light', 'dark']) {
    const found = await page.evaluate(`(async () => {
      document.documentElement.dataset.theme = '${theme}'
      const { violations } = await axe.run('.page-boxes')
      return violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' '))
    })()`)
    expect(found).toEqual([])
  }
})
