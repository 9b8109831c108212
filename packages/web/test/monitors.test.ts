// @module-tag long
// @module-tag browser
import { monitors } from '@harvestman/monitors'
import { expect, test, vi } from 'vitest'

import { textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 240_000 })

const words = 'This page has enough words to count as the content of a page, in a sentence or two. '.repeat(4)
const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words}</p>${more}</main></html>`
let price = 10

const bench = useBench(
  {
    get '/price'() {
      return article('Price', `<p>It costs ${price} euros.</p>`)
    },
    '/other': article('Other'),
  },
  { plugins: [monitors()] },
)

test('monitors are made, checked, paused and deleted, and each check shows what changed', async () => {
  await using page = await bench.open('#/monitors')
  const press = (name: string): Promise<void> =>
    page.locator(`::-p-xpath(//main//button[normalize-space()="${name}"])`).click()
  const shows = (text: string) =>
    page.waitForFunction(`document.querySelector('main').innerText.includes(${JSON.stringify(text)})`)
  await page.waitForSelector('#monitor-urls')
  await page.type('#monitor-urls', `${bench.site}/price\n${bench.site}/other`)
  await page.type('#monitor-name', 'Prices')
  await press('Create monitor')
  await shows('No checks yet.')
  await press('Check now')
  await shows('2 new')
  price = 12
  await press('Check now')
  await shows('1 changed')
  expect(await textOf(page, '.diff .del mark')).toBe('10')
  expect(await textOf(page, '.diff .add mark')).toBe('12')
  expect(await textOf(page, '[aria-label=Pages]')).toMatch(/^changed [^]*\/price[^]*no change [^]*\/other/)
  const [, first] = await page.$$('[aria-label=Checks] a')
  await first?.click()
  await shows('first check')
  await press('Pause')
  await shows('Resume')
  expect(await textOf(page, '[aria-label=Monitors] a')).toMatch(/Prices[^]*paused/)
  await press('Delete')
  await press('Delete the monitor and its checks')
  await page.waitForSelector('#monitor-urls')
  expect(await (await fetch(`${bench.url}/v2/monitor`)).json()).toMatchObject({ data: [] })
})

test('a check that ends before the page reads the monitor again is shown', async () => {
  await using page = await bench.open('#/monitors')
  await page.type('#monitor-urls', `${bench.site}/other`)
  await page.type('#monitor-name', 'Quick')
  await page.locator('::-p-xpath(//button[normalize-space()="Create monitor"])').click()
  await page.waitForFunction(`document.querySelector('main').innerText.includes('No checks yet.')`)
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const isList = request.method() === 'GET' && request.url().includes('/v2/monitor?')
    void (isList ? checked().then(() => request.continue()) : request.continue())
  })
  await page.locator('::-p-xpath(//button[normalize-space()="Check now"])').click()
  expect(await textOf(page, '[aria-label=Checks] .facts')).toBe('1 new')

  /** Resolves once the check is over. */
  async function checked(): Promise<void> {
    await vi.waitFor(
      async () => {
        const { data } = (await (await fetch(`${bench.url}/v2/monitor`)).json()) as { data: { lastRunAt: unknown }[] }
        expect(data[0]?.lastRunAt).toEqual(expect.any(String))
      },
      { timeout: 60_000 },
    )
  }
})
