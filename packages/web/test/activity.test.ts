// @module-tag browser
// The activity in the page: what each request took and cost, and where the credits of a day went.
import { expect, test, vi } from 'vitest'

import { countOf, textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 240_000 })

const words = 'This page says a few things, in enough words that they count as the content of the page. '
const bench = useBench({
  '/': `<!doctype html><title>Start</title><main><h1>Start</h1><p>${words.repeat(4)}</p></main>`,
})

async function ask(path: string, body: object): Promise<string> {
  const answer = await fetch(bench.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { readonly id?: string }).id ?? ''
}

test('each request has its duration, its cost and a link to what it made; the day has its cost by endpoint', async () => {
  await ask('/v2/scrape', { url: bench.site })
  await ask('/v2/scrape', { url: 'http://127.0.0.1:1/' })
  const crawl = await ask('/v2/crawl', { url: bench.site, limit: 1, sitemap: 'skip' })
  await expect
    .poll(async () => ((await (await fetch(`${bench.url}/v2/crawl/${crawl}`)).json()) as { status: string }).status, {
      timeout: 60_000,
    })
    .toBe('completed')
  await using page = await bench.open('#/activity')
  await countOf(page, '.row.act', 3)
  const texts = await page.$$eval('.row.act', (rows) =>
    rows.map((row) => (row as unknown as { innerText: string }).innerText),
  )
  const [last, failed, first] = texts
  expect(last).toMatch(/^crawl[^]*(\d+ ms|[\d.]+ s|min)[^]*1 credit/)
  expect(failed).toMatch(/^scrape[^]*✕/)
  expect(first).toMatch(/^scrape[^]*(\d+ ms|[\d.]+ s|min)[^]*1 credit/)
  expect(await page.$eval('.row.act a', (link) => link.getAttribute('href'))).toBe(`#/jobs/crawl/${crawl}`)

  const costs = await textOf(page, '[aria-label="Cost, by endpoint"]')
  expect(costs).toMatch(/crawl\s+1 credit · 1 request, /)
  expect(costs).toMatch(/scrape\s+1 credit · 2 requests, [^]* · 1 failed/)
  await page.locator('::-p-xpath(//*[@aria-label="Cost, by endpoint"]//button[.="crawl"])').click()
  await countOf(page, '.row.act', 1)
})
