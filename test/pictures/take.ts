// Pictures of every view of the web page: light and dark, at three widths, with nothing, one, eleven and 100,000 rows, and
// with a server that answers with errors. A view that is wider than its window is told of, and the run ends with 1.
// Run: node test/pictures/take.ts <folder> [--only <states>] [--sheets]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { launch, type Browser, type Page } from 'puppeteer-core'

import { plainBrowser } from '../plain-browser.ts'
import { rowsFrom } from './rows.ts'
import { startServer, type Served } from './served.ts'
import { makeSheet } from './sheet.ts'
import { startPictureSite, type PictureSite } from './site.ts'
import { fillEleven, fillOne, openSession, viewsOfAll, viewsOfLarge, type Views } from './states.ts'

const widths = [1440, 768, 390]
const themes = ['light', 'dark']
const heights: Readonly<Record<number, number>> = { 1440: 900, 768: 1024, 390: 844 }
const largest = 100_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, sheets: { type: 'boolean', default: false } },
})
const only = values.only.split(',').filter(Boolean)
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder to write to: node test/pictures/take.ts <folder>')
mkdirSync(folder, { recursive: true })

type Answer = (url: URL) => object | undefined

interface State {
  readonly prepare: (server: Served, site: PictureSite) => Promise<Views>
  /** Answers requests in place of the server. */
  readonly answer?: Answer
  readonly status?: number
}

const refused = { success: false, error: 'The store does not answer. Try again in a minute.', code: 'STORE_FAILED' }

const states: Readonly<Record<string, State>> = {
  none: { prepare: async () => viewsOfAll },
  one: { prepare: fillOne },
  eleven: {
    prepare: async (server, site) => ({ ...(await fillEleven(server, site)), ...(await openSession(server)) }),
  },
  large: {
    prepare: async () => viewsOfLarge,
    answer: ({ pathname, searchParams }) =>
      pathname.endsWith('/rows') ? rowsFrom(Number(searchParams.get('cursor') ?? 0), largest) : undefined,
  },
  error: {
    prepare: async () => ({ ...viewsOfAll, job: 'jobs/crawl/missing', page: 'page/missing' }),
    answer: ({ pathname }) => (/^\/v2\/(?!kinds)/.test(pathname) ? refused : undefined),
    status: 503,
  },
}

const faults: string[] = []

/** Takes a view in each width, and in each theme without loading it again. */
async function takeView(browser: Browser, address: string, name: string, state: State): Promise<readonly string[]> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  page.on('pageerror', (error) => faults.push(`${name}: ${String(error)}`))
  if (state.answer) await answerFor(page, state.answer, state.status ?? 200)
  const files: string[] = []
  for (const width of widths) {
    await page.setViewport({ width, height: heights[width] ?? 900 })
    await page.goto('about:blank')
    await page.goto(address)
    await page.waitForSelector('h1')
    await page.waitForNetworkIdle({ idleTime: 400, concurrency: 1, timeout: 60_000 }).catch(() => undefined)
    await page.waitForFunction('!document.querySelector("main")?.innerText.includes("Loading…")')
    for (const theme of themes) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const file: `${string}.png` = `${folder}/${name}-${width}-${theme}.png`
      await page.screenshot({ path: file })
      files.push(file)
    }
    const found = await page.evaluate(widerThanWindow)
    if (typeof found === 'string') faults.push(`${name} at ${width}: wider than the window by ${found}`)
  }
  await context.close()
  return files
}

/** The element that makes the page scroll sideways, if there is one. */
const widerThanWindow = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return undefined
  const wide = [...document.querySelectorAll('main *, header *')].findLast((one) => one.getBoundingClientRect().right > clientWidth + 1)
  return (scrollWidth - clientWidth) + 'px: ' + (wide ? wide.tagName + '.' + wide.className : '?')
})()`

async function answerFor(page: Page, answer: Answer, status: number): Promise<void> {
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const made = answer(new URL(request.url()))
    if (!made) return void request.continue()
    void request.respond({ status, contentType: 'application/json', body: JSON.stringify(made) })
  })
}

const browser = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
{
  await using site = await startPictureSite()
  await using server = await startServer({ HARVESTMAN_SANDBOX: 'auto', HARVESTMAN_SANDBOX_BOUND: 'watched' })
  for (const [name, state] of Object.entries(states)) {
    if (only.length > 0 && !only.includes(name)) continue
    const views = await state.prepare(server, site)
    const taken = []
    for (const [view, hash] of Object.entries(views)) {
      taken.push(...(await takeView(browser, `${server.url}/#/${hash}`, `${name}-${view}`, state)))
    }
    console.log(`${name}: ${taken.length} pictures`)
    if (!values.sheets) continue
    for (const width of widths) {
      for (const theme of themes) {
        const ending = `-${width}-${theme}.png`
        const sheet = await makeSheet(
          browser,
          taken.filter((file) => file.endsWith(ending)),
        )
        writeFileSync(join(folder, `sheet-${name}${ending}`), sheet)
      }
    }
  }
}
await browser.close()
for (const fault of faults) console.log(fault)
if (faults.length > 0) process.exitCode = 1
