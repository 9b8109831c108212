import type { Browser } from '@harvestman/core/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { serve, type Served } from './servers.ts'
import { inTab, needsChromium, profile, soon, startBrowser } from './setup.ts'

needsChromium()

// Each takes memory that the bound on the heap of scripts does not see.
const hungry: Readonly<Record<string, string>> = {
  'array buffers': 'const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 10)',
  canvases:
    'const all = []; setInterval(() => { const c = document.createElement("canvas"); c.width = c.height = 3000; c.getContext("2d", { willReadFrequently: true }).fillRect(0, 0, 3000, 3000); all.push(c) }, 10)',
  'memory of wasm':
    'const all = []; setInterval(() => { const m = new WebAssembly.Memory({ initial: 800 }); new Uint8Array(m.buffer).fill(1); all.push(m) }, 10)',
  elements:
    'setInterval(() => { for (let i = 0; i < 20000; i++) { const d = document.createElement("div"); d.textContent = "x".repeat(500) + i; document.body.append(d) } }, 10)',
  'a worker':
    'new Worker(URL.createObjectURL(new Blob(["const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 10)"])))',
  'pictures of the page':
    'const all = []; setInterval(() => all.push(new ImageData(new Uint8ClampedArray(4 * 3e6).fill(9), 1500, 2000), new Float64Array(4e6).fill(2)), 10)',
}

const pages = Object.fromEntries(
  Object.entries(hungry).map(([name, script]) => [
    `/${name.replaceAll(' ', '-')}`,
    `<p>Hungry</p><script>${script}</script>`,
  ]),
)

let site: Served
let browser: Browser

beforeAll(async () => {
  site = await serve({
    ...pages,
    '/wide': '<div style="width:1000000px;height:30000px;background:red">',
    '*': '<p>Fine',
  })
  browser = startBrowser({ tabs: 4, pageMemory: 400_000_000 })
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

const at = (path: string): URL => new URL(`http://site.test:${site.port}${path}`)

describe('a page that takes too much memory is ended with its own error, and a tab beside it goes on', () => {
  test.each(Object.keys(pages))('%s', async (path) => {
    const beside = await browser.open(profile, soon())
    await beside.goto(at('/beside'), soon())
    const greedy = inTab(browser, {}, async (tab) => {
      await tab.goto(at(path), soon())
      await tab.waitFor('#never', soon(15_000))
    })
    await expect(greedy).rejects.toMatchObject({ code: 'page_too_complex' })
    expect(await beside.evaluate('document.body.textContent', soon())).toBe('Fine')
    await beside.close()
  })
})

test('a picture of a page of a million by thirty thousand pixels has at most 64 million', async () => {
  const [picture, warnings] = await inTab(browser, {}, async (tab) => {
    await tab.goto(at('/wide'), soon())
    return [Buffer.from(await tab.screenshot({ fullPage: true }, soon())), tab.warnings?.()] as const
  })
  expect(picture.readUInt32BE(16) * picture.readUInt32BE(20)).toBeLessThanOrEqual(64_000_000)
  expect(warnings?.join()).toMatch(/pixels high/)
})
