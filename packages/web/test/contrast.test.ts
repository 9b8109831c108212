// @module-tag long
// @module-tag browser
// WCAG AA: every text of every view has the contrast that it needs, in both themes, letters in plots too.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'puppeteer-core'
import { expect, test, vi } from 'vitest'

import { useBench } from './bench.ts'

vi.setConfig({ testTimeout: 240_000 })

const words = 'This page says a few things, in enough words that they count as the content of the page. '
const article = (title: string, links = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words.repeat(4)}</p>${links}</main>`
let price = 10
const bench = useBench({
  '/': article('Start', ['docs/a', 'docs/b', 'gone', 'broken'].map((to) => `<a href="/${to}">${to}</a>`).join(' ')),
  '/docs/a': article('A'),
  '/docs/b': article('B'),
  '/broken': { status: 500, html: article('Broken') },
  get '/price'() {
    return article(`It costs ${(price += 1)}`)
  },
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Letters of plots, which the checker leaves out: their fill against the shape or the surface that they stand on. */
const plotFaults = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const pixel = (...colours) => {
    canvas.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
    }
    return canvas.getImageData(0, 0, 1, 1).data
  }
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const surfaceOf = (element) => {
    const found = []
    for (let one = element; one; one = one.parentElement) found.unshift(getComputedStyle(one).backgroundColor)
    return found
  }
  const faults = []
  for (const text of document.querySelectorAll('svg text, svg tspan')) {
    const box = text.getBoundingClientRect()
    if (box.width === 0 || text.textContent.trim() === '') continue
    const svg = text.closest('svg')
    const under = [...svg.querySelectorAll('rect, circle, path')].filter((shape) => {
      const place = shape.getBoundingClientRect()
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      return x > place.left && x < place.right && y > place.top && y < place.bottom && shape.compareDocumentPosition(text) & 4
    })
    const fills = under.map((shape) => getComputedStyle(shape)).filter(({ fill, display }) => fill !== 'none' && display !== 'none')
    const surface = surfaceOf(svg.parentElement)
    const background = pixel('white', ...surface, ...fills.map(({ fill }) => fill))
    const letters = pixel('white', ...surface, ...fills.map(({ fill }) => fill), getComputedStyle(text).fill)
    const [light, dark] = [luminance(letters), luminance(background)].toSorted((one, other) => other - one)
    const ratio = (light + 0.05) / (dark + 0.05)
    if (ratio < 4.5) faults.push(ratio.toFixed(2) + ' ' + text.textContent)
  }
  return faults
})()`

const axeFaults = `axe.run({ exclude: ['svg'] }, { runOnly: ['color-contrast', 'link-in-text-block'] }).then(({ violations, incomplete }) =>
  [...violations, ...incomplete].flatMap(({ id, nodes }) => nodes
    // What cannot be seen now has no contrast; what is drawn beside letters is in their place.
    .filter(({ any }) => !any.some(({ data }) => ['bgOverlap', 'outsideViewport', 'elmPartiallyObscured', 'elmPartiallyObscuring', 'shortTextContent'].includes(data?.messageKey)))
    .map(({ html, any }) => id + ' ' + (any[0]?.data?.contrastRatio ?? any[0]?.data?.messageKey ?? JSON.stringify(any[0] ?? '').slice(0, 300)) + ' ' + html.slice(0, 160))))`

const options = {
  ...{ ignoreUnicode: false, ignoreLength: false, ignorePseudo: false, pseudoSizeThreshold: 0.25 },
  ...{ boldValue: 700, boldTextPt: 14, largeTextPt: 18 },
  contrastRatio: { normal: { expected: 4.5 }, large: { expected: 3 } },
}

async function faultsOf(page: Page): Promise<readonly unknown[]> {
  const found: unknown[] = [await page.evaluate(axeFaults), await page.evaluate(plotFaults)]
  return found.flat()
}

async function ask(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(bench.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(status).toBe(200)
}

test.each(['light', 'dark'])('every text can be read, in each view: %s', async (value) => {
  const crawl = await bench.engine.crawl({ url: bench.site, limit: 9, sitemap: 'skip' })
  await crawl.end()
  for (const _ of [1, 2])
    await ask('/v2/scrape', { url: `${bench.site}/price`, formats: ['markdown', 'changeTracking'], maxAge: 0 })
  await using page = await bench.open('#/jobs', { width: 1_280, height: 2_000 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
  await page.evaluate(axe)
  // Signs are letters too.
  await page.evaluate(`axe.configure({ checks: [{ id: 'color-contrast', options: ${JSON.stringify(options)} }] })`)
  const job = `jobs/crawl/${crawl.id}`
  const request = new URLSearchParams({ request: JSON.stringify({ kind: 'scrape', url: bench.site }) }).toString()
  const views = [
    ...['jobs', job, `${job}/picture`, `${job}/errors`, `${job}/why`, `${job}/compare`, 'jobs/crawl/missing'],
    ...[
      `try?${request}`,
      'changes',
      `changes?url=${encodeURIComponent(`${bench.site}/price`)}`,
      'monitors',
      'datasets',
    ],
    ...['browsers', 'scripts', 'activity', 'activity?endpoint=map', 'keys', 'connect', 'status', 'api'],
  ]
  const found: Record<string, readonly unknown[]> = {}
  for (const view of views) {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`)
    await page.waitForNetworkIdle({ idleTime: 200, concurrency: 2 })
    await page.waitForFunction('!document.querySelector("main").innerText.includes("Loading…")')
    await page.waitForSelector('h1')
    if (view.endsWith('/picture') || view === 'activity') await page.waitForSelector('svg text')
    const faults = await faultsOf(page)
    if (faults.length > 0) found[view] = faults
  }
  expect(found).toEqual({})
})
