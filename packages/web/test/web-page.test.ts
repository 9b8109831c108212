// @module-tag browser
// The page of a server, in a real browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'puppeteer-core'
import { describe, expect, test } from 'vitest'

import { countOf, tab, textOf, useBench } from './bench.ts'

const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
const words = 'This page says a few things, in enough words that they count as the content of the page. '
const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words.repeat(4)}</p>${more}</main></html>`
const links = Array.from({ length: 30 }, (_, index) => `<a href="/page/${index}">Page number ${index}</a>`).join(' ')

const limits = [
  {
    setting: 'limits.concurrency',
    variable: 'HARVESTMAN_LIMITS_CONCURRENCY',
    value: 32,
    description: 'Pages that load.',
  },
  {
    setting: 'keep.plugins',
    variable: 'HARVESTMAN_KEEP_PLUGINS',
    value: 31_536_000_000,
    unit: 'ms',
    description: 'How long.',
  },
]
let looks = 0
const pages = {
  get '/changing'() {
    looks += 1
    return article('Changing', `<p>This line is the ${looks === 1 ? 'first' : 'second'} of its kind here.</p>`)
  },
  '/': article('The start', links),
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `/page/${index}`,
      { status: index === 7 ? 500 : 200, html: article(`Page ${index}`), after: index > 20 ? 1_500 : 0 },
    ]),
  ),
  '/hostile': article(
    hostile.replaceAll('<', '&lt;'),
    `<p>[click](javascript:alert(1)) <a href="javascript:alert(1)">bad link</a></p><pre>${hostile.replaceAll('<', '&lt;')}</pre>`,
  ),
}
const bench = useBench(pages, { page: { limits: () => limits } })

function tryHash(request: object): string {
  return `#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`
}

async function scrape(page: Page, url: string): Promise<void> {
  await page.type('#address', url)
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=tabpanel], [role=alert]')
}

describe('The web page', () => {
  test('shows a scraped page as text, by the keyboard alone', async () => {
    await using page = await bench.open()
    await page.focus('#address')
    await scrape(page, `${bench.site}/`)
    expect(await textOf(page, '.prose')).toContain('The start')
    expect(await textOf(page, '.footline')).toMatch(/200/)
    await page.focus('[role=tab][aria-selected=true]')
    await page.keyboard.press('ArrowRight')
    expect(await textOf(page, '[role=tabpanel]')).toContain('# The start')
  })

  test('says what went wrong in a sentence, with its code', async () => {
    await using page = await bench.open()
    await scrape(page, 'http://10.1.2.3/')
    expect(await textOf(page, '[role=alert]')).toMatch(/10\.1\.2\.3|address/i)
  })

  test('runs nothing that a page of strangers brings, in text, HTML or titles', async () => {
    await using page = await bench.open(
      tryHash({ kind: 'scrape', url: `${bench.site}/hostile`, formats: ['markdown', 'html', 'rawHtml'] }),
    )
    await page.waitForSelector('#address')
    await page.click('button.primary')
    expect(await textOf(page, '.prose')).toContain('onerror')
    expect(await page.$$eval('.prose a', (all) => all.map((one) => one.getAttribute('href')))).not.toContain(
      'javascript:alert(1)',
    )
    await tab(page, 'HTML')
    await page.waitForSelector('iframe.preview')
    expect(await page.title()).toBe('Harvestman')
  })

  test('follows a crawl to its end, and shows its pages, its picture and what every address came to', async () => {
    await using page = await bench.open(tryHash({ kind: 'crawl' }))
    await page.waitForSelector('#address')
    await page.type('#address', `${bench.site}/`)
    await page.click('button.primary')
    await page.waitForFunction('document.body.innerText.includes("completed")', { timeout: 60_000 })
    expect(await textOf(page, '.facts-line')).toMatch(/31 of 31 pages/)
    await countOf(page, '[role=row]:not(.head)', 31)
    await tab(page, 'Picture')
    await page.waitForSelector('svg rect.fill-broken')
    await tab(page, 'All URLs')
    expect(await textOf(page, '.row.address')).toContain(bench.site)
    expect(await textOf(page, '[role=tabpanel]')).toContain('/page/7')
  })

  test('shows what changed on a page from one look to the next, word by word', { tags: ['long'] }, async () => {
    await using page = await bench.open('#/changes')
    await page.type('[aria-label="URL"]', `${bench.site}/changing`)
    await page.click('button.primary')
    await page.waitForFunction('document.body.innerText.includes("the first scrape of this page")')
    await page.click('button.primary')
    await page.waitForFunction('document.body.innerText.includes("The page changed.")')
    expect(await textOf(page, '.diff .del mark')).toBe('first')
    expect(await textOf(page, '.diff .add mark')).toBe('second')
  })

  test('cancels a crawl that runs', { tags: ['long'] }, async () => {
    const crawl = await bench.engine.crawl({ url: `${bench.site}/`, delay: 5 })
    await using page = await bench.open(`#/jobs/crawl/${crawl.id}`)
    await page.locator('::-p-xpath(//button[text()="Cancel"])').click()
    await page.waitForFunction('document.body.innerText.includes("cancelled")')
    expect((await crawl.status()).status).toBe('cancelled')
  })

  for (const [theme, width] of [
    ['light', 320],
    ['light', 1280],
    ['dark', 1280],
    ['dark', 375],
  ] as const)
    test(
      `has no fault in any view that a checker of accessibility finds, and nothing sideways: ${theme}, ${width} px`,
      { tags: ['long'] },
      async () => {
        const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
        const crawl = await bench.engine.crawl({ url: `${bench.site}/`, limit: 9 })
        await crawl.end()
        await using page = await bench.open('#/try', { width, height: 800 })
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
        await page.evaluate(axe)
        const check = async (view: string): Promise<void> => {
          const problems = await page.evaluate(
            `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
          )
          expect({ view, problems }).toEqual({ view, problems: [] })
          expect({
            view,
            isSideways: await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
          }).toEqual({
            view,
            isSideways: false,
          })
        }
        await scrape(page, `${bench.site}/`)
        await page.waitForSelector('.prose')
        await check('try')
        await tab(page, 'Links')
        await check('links')
        await tab(page, 'JSON')
        await check('json')
        await tab(page, 'Why')
        await check('why')
        await page.keyboard.down('Control')
        await page.keyboard.press('k')
        await page.keyboard.up('Control')
        await page.waitForSelector('.palette [role=option]')
        await check('palette')
        await page.keyboard.press('Escape')
        const job = `jobs/crawl/${crawl.id}`
        for (const view of [
          'jobs',
          `${job}/pages`,
          `${job}/picture`,
          `${job}/why`,
          `${job}/compare`,
          'datasets',
          'status',
          'changes',
          'monitors',
          'browsers',
          'scripts',
          'activity',
          'keys',
          'connect',
          'api',
        ]) {
          await page.evaluate(`location.hash = '#/${view}'`)
          await page.waitForFunction('!document.querySelector("main").innerText.includes("Loading…")')
          await page.waitForSelector('h1')
          await check(view)
        }
      },
    )

  test('tells what other programs need to use this server, with its own address', { tags: ['long'] }, async () => {
    await using page = await bench.open('#/connect')
    const texts: string[] = []
    for (const name of await page.$$eval('[role=tab]', (all) => all.map((one) => one.textContent ?? ''))) {
      await tab(page, name)
      texts.push(await textOf(page, '[role=tabpanel] pre'))
    }
    expect(texts.length).toBe(7)
    for (const text of texts) expect(text).toContain(bench.url)
    expect(texts.join('\n')).not.toContain('HARVESTMAN_API_KEY')
  })

  test('asks once what the server offers, packed, and not again for what it has', { tags: ['long'] }, async () => {
    await using page = await bench.open('#/jobs')
    const answers: string[] = []
    page.on('response', (response) => {
      if (!response.url().endsWith('/openapi.json')) return
      answers.push(`${response.status()} ${response.headers()['content-encoding'] ?? ''}`.trim())
    })
    const settled = (): Promise<unknown> => page.waitForSelector('.chip, .endpoint')
    await page.waitForSelector('h1')
    expect(answers).toEqual([])
    for (const view of ['try', 'api', 'try']) {
      await page.evaluate(`location.hash = '#/${view}'`)
      await settled()
    }
    expect(answers).toEqual(['200 br'])
    await page.reload()
    await settled()
    expect(answers).toEqual(['200 br', expect.stringMatching(/^304/)])
  })

  test('counts all that was asked for, also what is not listed yet', { tags: ['long'] }, async () => {
    for (let number = 0; number < 250; number += 1) {
      const id = crypto.randomUUID()
      bench.engine.activity.note({ id, team: 'default', endpoint: 'scrape', refused: 'invalid_request' })
    }
    await using page = await bench.open('#/activity')
    await page.waitForSelector('figure')
    await page.waitForFunction('document.querySelectorAll(".row.act").length >= 250')
    await page.waitForFunction(
      'Number(/Requests an hour[^]*?(\\d+) requests in total/.exec(document.body.innerText)?.[1]) >= 250',
    )
  })

  test('is for browsers: programs get what they got before, and assets are kept for ever', async () => {
    expect(await (await fetch(bench.url)).json()).toMatchObject({ name: 'Harvestman' })
    const html = await (await fetch(bench.url, { headers: { accept: 'text/html' } })).text()
    const script = /src="\.\/(ui\/assets\/[^"]+)"/.exec(html)?.[1] ?? ''
    const answer = await fetch(`${bench.url}/${script}`)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-encoding')).toBeTruthy()
  })
})

describe('A server with keys', () => {
  const locked = useBench(
    { '/': article('Behind a key') },
    { keys: 'secret-key,acme:second-key,acme:third-key', adminKey: 'admin-key' },
  )

  test('asks for one, tells a wrong one, and then works with a cookie that scripts cannot read', async () => {
    await using page = await locked.open()
    await page.type('#key', 'wrong')
    await page.keyboard.press('Enter')
    expect(await textOf(page, '[role=alert]')).toContain('not known')
    await page.$eval('#key', (input) => ((input as unknown as { value: string }).value = ''))
    await page.type('#key', 'secret-key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#address')
    await scrape(page, `${locked.site}/`)
    expect(await textOf(page, '.prose')).toContain('Behind a key')
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain('secret')
    await page.locator('::-p-text(Log out)').click()
    await page.waitForSelector('#key')
  })

  test('tells its operator of the keys in its configuration', async () => {
    await using page = await locked.open('#/keys')
    // What is typed while the view is still being built may be lost.
    const typed = async (): Promise<string> => {
      await page.$eval('#admin', (input) => ((input as unknown as { value: string }).value = ''))
      await page.type('#admin', 'admin-key')
      return page.$eval('#admin', (input) => (input as unknown as { value: string }).value)
    }
    await expect.poll(typed, { interval: 500, timeout: 60_000 }).toBe('admin-key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.row.key')
    const rows = await page.$$eval('.row.key', (all) => all.map((row) => row.textContent))
    expect(rows).toEqual(['default1 key', 'acme2 keys'])
    expect(await textOf(page, 'main')).not.toMatch(/no teams/i)
  })

  test('takes the cookie from its own page only', async () => {
    const logIn = await fetch(`${locked.url}/ui/login`, {
      method: 'POST',
      headers: { origin: locked.url, 'x-harvestman-ui': '1', 'content-type': 'application/json' },
      body: '{"key":"secret-key"}',
    })
    const cookie = logIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${locked.url}/v2/crawl/active`, { headers: { cookie, ...headers } })).status
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toBe(401)
    expect(await ask({})).toBe(401)
    const write = await fetch(`${locked.url}/v2/scrape`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(write.status).toBe(401)
  })
})
