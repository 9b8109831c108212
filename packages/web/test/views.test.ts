// @module-tag long
// @module-tag browser
// The views of the page against real things: browsers, keys, credits, downloads, refusals.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Frame, Page } from 'puppeteer-core'
import { describe, expect, test, vi } from 'vitest'

import { countOf, tab, textOf, useBench } from './bench.ts'

// Each goes through several views, in a browser that shares the machine.

const words = 'This page says a few things, in enough words that they count as the content of the page. '
const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/">Home</a> Log in, subscribe</nav><main><h1>${title}</h1><p>${words.repeat(4)}</p>${more}</main><footer>Copyright, cookies</footer></html>`
const product = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tall lamp","offers":{"price":"129.00","priceCurrency":"EUR"}}</script>`

const bench = useBench(
  {
    '/': article('The start', '<a href="/one">One</a> <a href="/two">Two</a> <a href="/slow">Slow</a>'),
    '/one': article('One'),
    '/two': article('Two'),
    '/slow': { status: 200, html: article('Slow'), after: 20_000 },
    '/lamp': article('Tall lamp', product),
    '/button': `<title>Not yet</title><body style="margin:0"><button style="width:100vw;height:100vh" onclick="document.title='Clicked'">x</button>`,
  },
  { hasBrowser: true },
)

function tryHash(request: object): string {
  return `#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`
}

async function run(page: Page): Promise<void> {
  await page.waitForSelector('#address')
  await page.locator('button.primary').click()
}

async function press(page: Page, name: string): Promise<void> {
  await page.locator(`::-p-xpath(//button[normalize-space()="${name}"])`).click()
}

async function frameOf(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe.live')
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('The live view has no frame.')
  return frame
}

describe('Try', () => {
  test(
    'says why a page is as it is: the steps, and each block that was kept or left out',
    { tags: ['long'] },
    async () => {
      await using page = await bench.open(tryHash({ url: `${bench.site}/` }))
      await run(page)
      await tab(page, 'Why')
      const why = await textOf(page, '[role=tabpanel]')
      expect(why).toContain('loader http')
      expect(why).toMatch(/included[\s\S]*The start/)
      expect(await page.$$eval('.blocks > li', (rows) => rows.length)).toBeGreaterThan(1)
      expect(await textOf(page, '.footline')).toContain('http')
    },
  )

  test('shows the words of the page that each value of the data was read from', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' }, colour: { type: 'string' } } }
    const request = { url: `${bench.site}/lamp`, formats: ['json'], formatValues: { json: { schema } } }
    await using page = await bench.open(tryHash(request))
    await run(page)
    await tab(page, 'Data')
    expect(await textOf(page, '.evidence')).toMatch(/name\s+Tall lamp\s+✓ Tall lamp/)
  })

  test('has a field for what a format needs, and says by name what is missing', { tags: ['long'] }, async () => {
    await using page = await bench.open(tryHash({ url: `${bench.site}/`, formats: ['question'] }))
    await page.waitForSelector('#format-question-question')
    await run(page)
    expect(await textOf(page, '[role=alert]')).toMatch(/question/)
    expect(await textOf(page, '[role=alert]')).not.toContain('Bad Request')
    await page.type('#format-question-question', 'What is it about?')
    await run(page)
    await page.waitForFunction(
      'document.querySelector("[role=alert], .card [role=tabpanel]")?.innerText.includes("language model")',
    )
  })

  test('gives the request as code with all that was set', { tags: ['long'] }, async () => {
    await using page = await bench.open(tryHash({ url: 'https://it.test/"\'', values: { waitFor: 250, mobile: true } }))
    await page.locator('::-p-text(The request as code)').click()
    const samples: string[] = []
    for (const name of ['curl', 'TypeScript', 'Python']) {
      await tab(page, name)
      samples.push(await textOf(page, 'details.card pre'))
    }
    await tab(page, 'CLI')
    const command = await textOf(page, 'details.card pre')
    expect(command).toMatch(/^harvestman scrape 'https:\/\/it\.test\/"'\\''' \\\n {2}--server/)
    expect(command).toContain(`--options '{"formats":["markdown","links"],"waitFor":250,"mobile":true}'`)
    for (const sample of samples) expect(sample).toMatch(/waitFor"?: 250/)
    expect(samples[0]).toContain(`'\\''`)
    expect(samples[2]).toContain('"mobile": True')
    await tab(page, 'MCP')
    const call = (await textOf(page, 'details.card pre')).split("-d '")[1]?.slice(0, -1).replaceAll(`'\\''`, "'")
    expect(JSON.parse(call ?? '')).toMatchObject({
      method: 'tools/call',
      params: {
        name: 'scrape',
        arguments: { url: 'https://it.test/"\'', formats: ['markdown', 'links'], waitFor: 250 },
      },
    })
  })

  test('shows a screenshot as wide as there is room, and larger', { tags: ['long'] }, async () => {
    await using page = await bench.open(tryHash({ url: `${bench.site}/`, formats: ['screenshot'] }))
    await run(page)
    await page.waitForSelector('img.shot')
    await press(page, '200 %')
    await page.waitForFunction(`(() => {
      const { width, naturalWidth } = document.querySelector('img.shot.zoomed') ?? {}
      return naturalWidth > 0 && width === 2 * naturalWidth
    })()`)
    await press(page, 'Fit')
    await page.waitForFunction(
      'document.querySelector("img.shot").width < document.querySelector("img.shot").naturalWidth',
    )
  })

  test('reads a file of the machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'page-'))
    const file = join(folder, "a file's name.html")
    writeFileSync(file, article('From a file'))
    await using page = await bench.open(tryHash({ kind: 'parse', formats: ['markdown', 'links'] }))
    await page.waitForSelector('.chip')
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('input[type=file]')])
    await chooser.accept([file])
    await run(page)
    expect(await textOf(page, '.prose')).toContain('From a file')
    await page.locator('::-p-text(The request as code)').click()
    expect(await textOf(page, 'details.card pre')).toContain(`-F 'file=@a file'\\''s name.html'`)
    rmSync(folder, { recursive: true })
  })

  test('says the sentence, the code and the remedy of what the server refuses', { tags: ['long'] }, async () => {
    await using page = await bench.open(tryHash({ url: `${bench.site}/slow`, values: { timeout: 1_000 } }))
    await run(page)
    const said = await textOf(page, '[role=alert]')
    expect(said).toMatch(/1000|1 s|second/)
    expect(said).toMatch(/SCRAPE_TIMEOUT[\s\S]*status 408/)
    expect(said).toContain('Raise the timeout')
    expect(said).toContain('Try again')
  })
})

test('A server that is away is told of, and what was written stays until it is back', { tags: ['long'] }, async () => {
  await using page = await bench.open(tryHash({ url: `${bench.site}/one` }))
  await page.waitForSelector('.chip')
  await page.setOfflineMode(true)
  await run(page)
  expect(await textOf(page, '[role=alert]')).toContain('The server does not respond')
  await page.setOfflineMode(false)
  await press(page, 'Try again')
  expect(await textOf(page, '.prose')).toContain('One')
})

test('The keyboard alone finds the address, runs it, reads the result, and says which keys there are', async () => {
  await using page = await bench.open()
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.id || document.activeElement.tagName')
  await page.waitForSelector('.chip')
  await page.keyboard.press('?')
  expect(await textOf(page, 'dialog[open]')).toContain('next and previous row')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  expect(await focused()).toBe('address')
  await page.keyboard.type(`${bench.site}/`)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.prose')
  for (let steps = 0; steps < 80 && (await page.evaluate('document.activeElement.role')) !== 'tab'; steps += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  expect(await textOf(page, '[role=tab][aria-selected=true]')).toBe('Markdown')
  await page.evaluate("location.hash = '#/jobs'")
  await page.waitForFunction('document.activeElement.tagName === "H1"')
})

test('A job that ended opens to the content of a page, and is downloaded whole', { tags: ['long'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  try {
    const batch = await bench.engine.batch({ urls: [`${bench.site}/one`, `${bench.site}/two`] })
    await batch.end()
    await using page = await bench.open(`#/jobs/batch/${batch.id}`)
    await page.locator('[role=row] a').click()
    expect(await textOf(page, '.prose')).toMatch(/One|Two/)
    const session = await page.createCDPSession()
    await session.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
    await page.select('[aria-label=Download]', 'jsonl')
    const file = await vi.waitFor(() => {
      const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.jsonl'))
      return readFileSync(join(folder, name), 'utf8')
    }, 60_000)
    const titles = file
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { metadata: { title: string } }).metadata.title)
    expect(titles.toSorted()).toEqual(['One', 'Two'])
    const fileOf = (ending: string) =>
      vi.waitFor(() => {
        const [name = ''] = readdirSync(folder).filter((one) => one.endsWith(ending))
        return readFileSync(join(folder, name))
      }, 60_000)
    await page.select('[aria-label=Download]', 'csv')
    const lines = String(await fileOf('.csv')).split('\r\n')
    expect(lines[0]).toBe('url,statusCode,title,language,creditsUsed,markdown')
    expect(String(lines)).toContain(`${bench.site}/one,200,One,en,1,`)
    await page.select('[aria-label=Download]', 'zip')
    const names = String(await fileOf('.zip')).match(/127\.0\.0\.1-\d+_\w+\.md/g)
    expect(new Set(names?.map((name) => name.split('_')[1]))).toEqual(new Set(['one.md', 'two.md']))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('A crawl that was cancelled offers what it did not come to', { tags: ['long'] }, async () => {
  const crawl = await bench.engine.crawl({ url: `${bench.site}/`, delay: 5 })
  await using page = await bench.open(`#/jobs/crawl/${crawl.id}`)
  await press(page, 'Cancel')
  await page.waitForFunction('document.body.innerText.includes("cancelled")')
  await tab(page, 'All URLs')
  await page.locator('::-p-text(Scrape the rest)').click()
  await page.waitForSelector('textarea#address')
  expect(await page.$eval('#address', (field) => (field as unknown as { value: string }).value)).toContain('/slow')
})

test('A crawl that failed before it had a page says why, and which page it was', async () => {
  const crawl = await bench.engine.crawl({ url: 'http://127.0.0.1:1/' })
  await crawl.end()
  await using page = await bench.open(`#/jobs/crawl/${crawl.id}`)
  expect(await textOf(page, '.state')).toBe('failed')
  await tab(page, 'Failed 1')
  await page.waitForFunction('document.querySelector("[role=tabpanel]").innerText.includes("127.0.0.1:1")')
  expect(await textOf(page, '.warning')).toContain('not allowed')
  await page.locator('::-p-text(What is left)').click()
  await page.waitForSelector('.row.address')
})

test('A crawl is the same after the page was closed and opened again', { tags: ['long'] }, async () => {
  const crawl = await bench.engine.crawl({ url: `${bench.site}/`, excludePaths: ['slow'] })
  const first = await bench.open(`#/jobs/crawl/${crawl.id}`)
  await first.close()
  await using page = await bench.open(`#/jobs/crawl/${crawl.id}`)
  await page.waitForFunction('document.body.innerText.includes("completed")')
  await countOf(page, '[role=row]:not(.head)', 3)
  await using list = await bench.open('#/jobs')
  expect(await textOf(list, `a.row[href*="${crawl.id}"]`)).toMatch(/3 pages[\s\S]*completed/)
})

test('A browser is opened, watched, acted in and closed from the page', { tags: ['long'] }, async () => {
  await using page = await bench.open('#/browsers')
  await press(page, 'New session')
  const watched = await frameOf(page)
  await watched.waitForFunction('Number(document.querySelector("canvas").dataset.frames) > 0', { timeout: 60_000 })
  expect(await watched.$eval('#address', (field) => (field as unknown as { readOnly: boolean }).readOnly)).toBe(true)
  await tab(page, 'Control')
  const acted = await frameOf(page)
  await acted.waitForFunction('document.body.className === "act"')
  await acted.type('#address', `${bench.site}/button`)
  await page.keyboard.press('Enter')
  await acted.waitForFunction('document.title.startsWith("Not yet")', { timeout: 60_000 })
  await acted.click('canvas')
  await acted.waitForFunction('document.title.startsWith("Clicked")', { timeout: 60_000 })
  await tab(page, 'Connect')
  expect(await textOf(page, '[role=tabpanel] pre')).toMatch(/^ws:\/\/.*\/cdp\//)
  await press(page, 'Stop')
  await page.waitForFunction('document.body.innerText.includes("It was stopped.")')
})

describe('A server with teams', () => {
  const locked = useBench({ '/': article('The start') }, { adminKey: 'admin-key' })

  test('shows the id of a team beside its name, which another team may have', async () => {
    for (const id of ['shop-1', 'shop-2']) await locked.engine.teams.create({ id, name: 'Shop' })
    await using page = await locked.open('#/keys')
    await page.type('#admin', 'admin-key')
    await page.keyboard.press('Enter')
    await page.waitForFunction('document.querySelectorAll("main h2").length > 1')
    const titles = await page.$$eval('main h2', (headings) => headings.map(({ textContent }) => textContent))
    expect(titles).toEqual(expect.arrayContaining(['Shop shop-1', 'Shop shop-2']))
  })

  test(
    'has keys made and revoked by its operator, and shows the team of a key what it used',
    { tags: ['long'] },
    async () => {
      await using page = await locked.open()
      await page.locator('::-p-text(keys)').click()
      await page.waitForSelector('#admin')
      await page.type('#admin', 'wrong')
      await page.keyboard.press('Enter')
      expect(await textOf(page, '[role=alert]')).toContain('not the admin key')
      await page.$eval('#admin', (field) => ((field as unknown as { value: string }).value = ''))
      await page.type('#admin', 'admin-key')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[aria-label="Name of a new team"]')
      await page.type('[aria-label="Name of a new team"]', 'acme')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[aria-label="Name of a new key of acme"]')
      await page.type('[aria-label="Name of a new key of acme"]', 'laptop')
      await page.keyboard.press('Enter')
      const key = await textOf(page, '.made code')

      await page.locator('::-p-text(Log in)').click()
      await page.waitForSelector('#key')
      await page.type('#key', key)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#address')
      await page.type('#address', `${locked.site}/`)
      await page.keyboard.press('Enter')
      await page.waitForSelector('.prose')
      await page.click('nav .more summary')
      await page.locator('nav ::-p-text(Activity)').click()
      await page.waitForSelector('figure')
      await page.waitForFunction(
        '/1 request in total[^]*1 credit in total/.test(document.querySelector("main").innerText)',
      )

      await page.click('nav .more summary')
      await page.locator('nav ::-p-text(Keys)').click()
      await page.waitForSelector('#admin')
      await page.type('#admin', 'admin-key')
      await page.keyboard.press('Enter')
      await press(page, 'Revoke')
      await page.waitForSelector('.sure input')
      await page.type('.sure input', 'laptop')
      await page.keyboard.press('Enter')
      await page.waitForFunction('document.body.innerText.includes("has no keys")')
      await vi.waitFor(async () => {
        const headers = { authorization: `Bearer ${key}` }
        expect((await fetch(`${locked.url}/v2/team/activity`, { headers })).status).toBe(401)
      }, 60_000)
    },
  )
})
