// The recordings of the docs, made of the real page and the real command while they work. Needs img2webp (Debian: webp).
// Run: node test/pictures/recordings.ts [try] [crawl] [command]
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { launch, type Browser } from 'puppeteer-core'

import { plainBrowser } from '../plain-browser.ts'
import { Recording } from './frames.ts'
import { startServer, type Served } from './served.ts'
import { Screen, transcript } from './terminal.ts'

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const command = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const mostBytes = 150_000
const size = { width: 1_100, height: 700 }
const terminal = { columns: 92, rows: 22 }
/** A host that is not asked for everything at once: its pages arrive one after the other. */
const gentle = { HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8', HARVESTMAN_LIMITS_HOST_CONCURRENCY: '3' }

// Names and places differ: pages that differ in a number alone are a trap to a crawl.
const species: Readonly<Record<string, string>> = {
  'phalangium-opilio': 'Gardens, fields and walls, from Europe to North America',
  'leiobunum-rotundum': 'Shaded walls and tree trunks, where many rest side by side',
  'opilio-canestrinii': 'House walls in towns, far from its Italian home',
  'mitopus-morio': 'Heath and mountains, up to the snow line',
  'rilaena-triangularis': 'Young in winter, grown in spring, under leaves',
  'oligolophus-tridens': 'The floor of moist woods',
  'lacinius-ephippiatus': 'Wet meadows and the banks of streams',
  'dicranopalpus-ramosus': 'Evergreen hedges, with its legs held to the sides',
  'trogulus-tricarinatus': 'Chalky soil, where it hunts snails',
  'nemastoma-lugubre': 'Moss and rotting logs, black with two silver spots',
  'platybunus-pinetorum': 'Spruce woods of the Alps',
  'ischyropsalis-hellwigii': 'Cool ravines, with pincers longer than its body',
  'vonones-sayi': 'Under stones in Texas, where it smells of benzoquinone',
  'leiobunum-vittatum': 'Cliffs and barns around the Great Lakes',
  'hadrobunus-grandis': 'Dry oak woods, with a back full of spines',
  'astrobunus-laevipes': 'Flood plains of the Danube and the Rhine',
}
const names = Object.keys(species)

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function bodyOf(name: string): string {
  const links = names.map((to) => `<li><a href="/${to}">${titleOf(to)}</a></li>`).join('')
  const title = name === '' ? 'Harvestmen of the world' : titleOf(name)
  const place = species[name] ?? `${names.length} species, each with the places in which it is found`
  const text = `<h1>${title}</h1><p>${place}.</p><h2>Legs</h2><p>Eight, long and thin. It feels its way with the second pair.</p>`
  return `<!doctype html><html lang="en"><title>${title}</title><main>${text}</main><nav><ul>${links}</ul></nav></html>`
}

/** A site whose pages take as long as those of the web. */
async function startSite(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    const isThere = name === '' || name in species
    void setTimeout(300 + ((names.indexOf(name) * 137) % 500)).then(() => {
      response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      response.end(isThere ? bodyOf(name) : '')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function openPage(browser: Browser, url: string) {
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  await page.setViewport(size)
  await page.goto(url)
  await page.waitForSelector('h1')
  await page.waitForNetworkIdle({ idleTime: 300, concurrency: 1 }).catch(() => undefined)
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
  return page
}

/** An address is written and run, and the Markdown of its page appears. */
async function recordTry(browser: Browser, server: Served, site: string): Promise<void> {
  const page = await openPage(browser, `${server.url}/#/try`)
  const recording = new Recording()
  await page.$eval('#address', (field) => (field as unknown as { select(): void }).select())
  await recording.follow(page, async () => {
    await page.type('#address', `${site}/phalangium-opilio`, { delay: 30 })
    await setTimeout(600)
    await page.locator('button.primary').click()
    await page.waitForSelector('.prose')
    await page.$eval('.prose', (result) => result.scrollIntoView({ block: 'center' }))
    await setTimeout(600)
  })
  await page.close()
  recording.write(join(folder, 'try-recording'), mostBytes)
}

/** The rows of a crawl fill while it runs. */
async function recordCrawl(browser: Browser, server: Served, site: string): Promise<void> {
  const page = await openPage(browser, `${server.url}/#/jobs`)
  const { id } = await server.ask<{ id: string }>('/v2/crawl', { url: site, limit: names.length + 1 })
  const recording = new Recording()
  await page.evaluate(`location.hash = '#/jobs/crawl/${id}'`)
  await page.waitForSelector('.facts-line')
  await recording.follow(page, async () => {
    for (let status = ''; status !== 'completed'; await setTimeout(300)) {
      ;({ status } = await server.ask<{ status: string }>(`/v2/crawl/${id}?limit=1`))
      if (status === 'failed' || status === 'cancelled') throw new Error(`The crawl is ${status}.`)
    }
    await setTimeout(1_500)
  })
  await page.close()
  recording.write(join(folder, 'crawl-recording'), mostBytes)
}

const style = `html{background:#16181d}body{margin:0}pre{margin:0;padding:16px 18px;color:#dfe2e8;font:14px/1.45 'DejaVu Sans Mono','Liberation Mono',monospace;white-space:pre}
.bold{font-weight:700}.dim{color:#8b919d}.red{color:#ff8080}.green{color:#7fd88f}.yellow{color:#e6c46a}`

/** The command crawls, with a line that tells how far it is. What it wrote is drawn at the times at which it wrote it. */
async function recordCommand(browser: Browser, site: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'harvestman-home-'))
  const page = await browser.newPage()
  await page.setViewport({ width: 820, height: 480 })
  await page.setContent(`<style>${style}</style><pre></pre>`)
  const shown = `harvestman crawl ${site}`
  const pieces = await transcript(`'${process.execPath}' '${command}' crawl ${site}`, terminal, {
    ...gentle,
    HOME: home,
  })
  rmSync(home, { recursive: true })
  const screen = new Screen(terminal)
  const recording = new Recording()
  const show = async (at: number): Promise<void> => {
    await page.$eval('pre', (element, html) => (element.innerHTML = html), screen.html())
    await recording.add(page, at)
  }
  screen.write('$ ')
  // Typed in a second, a few letters a frame.
  for (let typed = 0; typed < shown.length; typed += 4) {
    screen.write(shown.slice(typed, typed + 4))
    await show((typed / shown.length) * 1_000)
  }
  const began = 1_200
  screen.write('\r\n')
  for (const [index, { at, text }] of pieces.entries()) {
    screen.write(text)
    // What is written at the same time is seen at the same time.
    const next = pieces[index + 1]
    if (next === undefined || next.at - at >= 40) await show(began + at)
  }
  await page.close()
  recording.write(join(folder, 'command-recording'), mostBytes)
}

await using site = await startSite()
await using server = await startServer(gentle)
const browser = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
const recordings: Readonly<Record<string, () => Promise<void>>> = {
  try: async () => recordTry(browser, server, site.url),
  crawl: async () => recordCrawl(browser, server, site.url),
  command: async () => recordCommand(browser, site.url),
}
const only = process.argv.slice(2)
for (const [name, record] of Object.entries(recordings)) if (only.length === 0 || only.includes(name)) await record()
await browser.close()
