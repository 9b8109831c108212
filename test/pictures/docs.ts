// The pictures of the docs, taken from the real page: small, in few colours, light and dark where both are shown.
// Needs fonts for Arabic, Hebrew and Japanese (Debian: fonts-dejavu-core and fonts-noto-cjk), or their text is boxes.
// Run: node test/pictures/docs.ts [name of a picture]...
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { launch, type Browser, type Page } from 'puppeteer-core'

import { plainBrowser } from '../plain-browser.ts'
import { startInvoiceSite, type InvoiceSite } from './scan.ts'
import { startServer, type Served } from './served.ts'
import { startPictureSite, type PictureSite } from './site.ts'
import { fillEleven, type Views } from './states.ts'

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const size = { width: 1_280, height: 800 }
const mostBytes = 60_000
const qualities = [82, 70, 58, 45]

interface Picture {
  readonly view: (views: Views) => string | undefined
  /** In pixels, instead of that of the other pictures. */
  readonly height?: number
  readonly themes: readonly ('light' | 'dark')[]
  /** Brings the view to what is shown. */
  readonly prepare?: (page: Page, site: PictureSite) => Promise<void>
}

const pictures: Readonly<Record<string, Picture>> = {
  try: { view: ({ filled }) => filled, themes: ['light', 'dark'], prepare: run },
  job: { view: ({ crawl }) => crawl, themes: ['light'] },
  picture: { view: ({ picture }) => picture, themes: ['light', 'dark'] },
  changes: { view: ({ change }) => change, themes: ['light'] },
  dataset: { view: ({ dataset }) => dataset, themes: ['light'] },
  activity: { view: ({ activity }) => activity, themes: ['light', 'dark'] },
  browser: { view: ({ browsers }) => browsers, themes: ['light'], prepare: openBrowser },
  connect: { view: ({ connect }) => connect, themes: ['light'] },
  scan: { view: ({ scan }) => scan, themes: ['light', 'dark'], height: 1_060, prepare: readScan },
}

/** Returns the pictures that the command line names; all if it names none. */
function chosen(): (readonly [name: string, picture: Picture])[] {
  const names = process.argv.slice(2)
  return Object.entries(pictures).filter(([name]) => names.length === 0 || names.includes(name))
}

/** Throws if the host has no font for a language of the pictured site. Hosts without `fc-list` are not checked. */
function requireFonts(): void {
  const missing = ['ar', 'he', 'ja'].filter((language) => {
    const { status, stdout } = spawnSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' })
    return status === 0 && stdout.trim() === ''
  })
  if (missing.length === 0) return
  throw new Error(`No font has the characters of ${missing.join(', ')}. Install fonts-dejavu-core and fonts-noto-cjk.`)
}

async function run(page: Page): Promise<void> {
  await page.locator('button.primary').click()
  await page.waitForSelector('.prose')
}

/** The pages of a scan with a value that is pointed at. */
async function readScan(page: Page): Promise<void> {
  await page.locator('button.primary').click()
  await page.locator('::-p-xpath(//button[@role="tab"][.="Pages"])').click()
  await page.waitForFunction('document.querySelector(".sheet img")?.naturalWidth > 0')
  await page.locator('.box-values li:last-child button').click()
  await page.$eval('.page-boxes', (view) => view.scrollIntoView({ block: 'end' }))
}

/** A live browser in which code has run. */
async function openBrowser(page: Page, site: PictureSite): Promise<void> {
  await page.locator('::-p-xpath(//main//button[.="New session"])').click()
  await page.waitForSelector('.editor textarea')
  const code = `await page.goto('${site.url}/care')\nconsole.log(page.url())\nawait page.title()`
  await page.$eval('.editor textarea', (field) => (field as unknown as { select(): void }).select())
  await page.keyboard.type(code)
  await page.locator('.session-code button.primary').click()
  await page.waitForSelector('[aria-label=Output]')
  const view = await (await page.waitForSelector('iframe.live'))?.contentFrame()
  await view?.waitForFunction('document.title.startsWith("How to care")')
}

/** A picture with as much quality as fits. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const quality of qualities) {
    const bytes = await page.screenshot({ type: 'webp', quality })
    if (bytes.length > mostBytes) continue
    writeFileSync(`${folder}/${name}.webp`, bytes)
    console.log(`${name}.webp: ${Math.round(bytes.length / 1_000)} KB, quality ${quality}`)
    return
  }
  throw new Error(`${name} is larger than ${mostBytes} bytes in the least quality.`)
}

async function take(browser: Browser, server: Served, site: PictureSite, views: Views): Promise<void> {
  for (const [name, { view, themes, prepare, height }] of chosen()) {
    const page = await browser.newPage()
    page.setDefaultTimeout(120_000)
    await page.setViewport({ ...size, ...(height && { height }) })
    await page.goto(`${server.url}/#/${view(views) ?? ''}`)
    await page.waitForSelector('h1')
    await prepare?.(page, site)
    await page.waitForNetworkIdle({ idleTime: 400, concurrency: 1, timeout: 60_000 }).catch(() => undefined)
    await page.waitForFunction(
      '!document.querySelector(".toast") && !document.querySelector("main").innerText.includes("Loading…")',
    )
    for (const theme of themes) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'; document.activeElement?.blur()`)
      await shoot(page, theme === 'light' ? name : `${name}-dark`)
    }
    await page.close()
  }
}

/** Only the views that are taken are filled: that takes minutes. */
async function viewsOf(server: Served, site: PictureSite, invoice: InvoiceSite): Promise<Views> {
  const isFilled = chosen().some(([name]) => name !== 'scan')
  return { ...(isFilled ? await fillEleven(server, site) : {}), scan: invoice.view }
}

requireFonts()
mkdirSync(folder, { recursive: true })
await using site = await startPictureSite()
const browser = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  await using invoice = await startInvoiceSite(browser)
  const sandbox = { HARVESTMAN_SANDBOX: 'auto', HARVESTMAN_SANDBOX_BOUND: 'watched' }
  await using server = await startServer({ ...sandbox, ...invoice.environment })
  await take(browser, server, site, await viewsOf(server, site, invoice))
} finally {
  await browser.close()
}
