// @module-tag browser
// What helps to write a request: examples, its cost, what was run before, fields in place of a JSON Schema.
import type { Page } from 'puppeteer-core'
import { expect, test, vi } from 'vitest'

import { textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 120_000 })

const article = (title: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>A few words.</p></main></html>`
const offers = { '@type': 'Offer', price: '129.00', priceCurrency: 'EUR' }
const data = JSON.stringify({ '@type': 'Product', name: 'A lamp', offers })
const bench = useBench({
  '/': article('The start'),
  '/lamp': article('A lamp'),
  '/priced': `${article('A lamp')}<script type="application/ld+json">${data}</script>`,
})

function tryHash(request: object): string {
  return `#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`
}

const valueOf = (page: Page, selector: string) =>
  page.$eval(selector, (field) => (field as unknown as { value: string }).value)

async function run(page: Page, url: string): Promise<void> {
  await page.waitForSelector('.chip')
  await page.evaluate(`location.hash = ${JSON.stringify(tryHash({ url, values: { headers: { cookie: 'hush' } } }))}`)
  await page.waitForFunction(`document.querySelector('#address')?.value === ${JSON.stringify(url)}`)
  await page.click('button.primary')
  await page.waitForSelector('.footline [class*=sign]')
}

test('An example fills the form, and only those that the server can do are shown', { tags: ['long'] }, async () => {
  await using page = await bench.open()
  await page.waitForSelector('.chip')
  await page.waitForSelector('.examples a')
  const titles = await page.$$eval('.examples a', (links) => links.map((link) => link.textContent))
  expect(titles).toContain('Crawl a site, 20 pages')
  // No plugin of this server reads lists.
  expect(titles).not.toContain('All items of a list')
  await page.locator('::-p-text(Crawl a site, 20 pages)').click()
  await page.waitForSelector('#option-limit')
  expect(await valueOf(page, '#option-limit')).toBe('20')
  expect(await valueOf(page, '#kind')).toBe('crawl')
})

test('The cost of a request is told before it is run, with its reasons', { tags: ['long'] }, async () => {
  await using page = await bench.open(tryHash({ kind: 'crawl', url: `${bench.site}/`, values: { limit: 7 } }))
  await page.waitForSelector('details.cost')
  expect(await textOf(page, 'details.cost summary')).toBe('Costs up to 7 credits')
  await page.click('details.cost summary')
  expect((await textOf(page, 'details.cost li')).length).toBeGreaterThan(5)
})

test(
  'What was run before is found by its words, after the page was loaded again, without secrets',
  { tags: ['long'] },
  async () => {
    await using page = await bench.open()
    await run(page, `${bench.site}/lamp`)
    await run(page, `${bench.site}/`)
    await page.goto(`${bench.url}/#/try`)
    await page.reload()
    await page.waitForSelector('.past a.row')
    expect(await page.$$eval('.past a.row', (rows) => rows.length)).toBe(2)
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('hush')
    await page.type('[aria-label="Search what you ran before"]', 'lamp')
    await page.waitForFunction('document.querySelectorAll(".past a.row").length === 1')
    await page.click('.past a.row')
    await page.waitForFunction(`document.querySelector('#address')?.value.endsWith('/lamp')`)
    await page.evaluate("location.hash = '#/try'")
    await page.locator('::-p-text(Forget all)').click()
    await page.waitForFunction('!document.querySelector(".past")')
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('lamp')
  },
)

test('A JSON Schema is made from the data that a page has of itself', { tags: ['long'] }, async () => {
  await using page = await bench.open(tryHash({ url: `${bench.site}/priced`, formats: ['json'] }))
  await page.locator('::-p-text(Make it from this page)').click()
  await page.waitForFunction(`document.querySelector('#format-json-schema').value.includes('price')`)
  expect(JSON.parse(await valueOf(page, '#format-json-schema'))).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string' },
      offers: { type: 'object', properties: { price: { type: 'number' }, priceCurrency: { type: 'string' } } },
    },
  })
})

test(
  'A JSON Schema is built of fields and shown as it grows, and fields follow the schema',
  { tags: ['long'] },
  async () => {
    await using page = await bench.open(tryHash({ url: `${bench.site}/`, formats: ['json'] }))
    const schema = '#format-json-schema'
    const add = '::-p-xpath(//*[@class="builder stack"]//button[text()="Add a field"])'
    await page.locator(add).click()
    await page.type('[aria-label="Name of the new field"]', 'price')
    await page.select('[aria-label="Type of price"]', 'number')
    await page.click('.built input[type=checkbox]')
    await page.waitForFunction(`document.querySelector('${schema}').value.includes('required')`)
    expect(JSON.parse(await valueOf(page, schema))).toEqual({
      type: 'object',
      properties: { price: { type: 'number' } },
      required: ['price'],
    })
    const written = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } }
    const write = (text: string) =>
      page.$eval(
        schema,
        (field, value) => {
          const area = field as unknown as { value: string; dispatchEvent(event: Event): void }
          area.value = value
          area.dispatchEvent(new Event('change', { bubbles: true }))
        },
        text,
      )
    await write(JSON.stringify(written))
    await page.waitForSelector('[aria-label="Type of tags"]')
    expect(await valueOf(page, '[aria-label="Type of tags"]')).toBe('strings')
    await write('{"type": "object", "oneOf": []}')
    await page.waitForFunction('document.body.innerText.includes("Edit it as JSON")')
  },
)
