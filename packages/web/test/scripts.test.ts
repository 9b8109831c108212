// @module-tag long
// @module-tag browser
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { scripts } from '@harvestman/live/scripts'
import puppeteer from 'puppeteer-core'
import { expect, test, vi } from 'vitest'

import { textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 240_000 })

const form = `<!doctype html><html lang="en"><title>Order</title><main><h1>Order</h1>
  <form><label>Name <input name="who"></label><button>Order now</button></form><output></output>
  <script>addEventListener('submit', (event) => {
    event.preventDefault()
    document.querySelector('output').innerHTML = '<h2>Thanks, ' + event.target.elements.who.value + '</h2>'
  })</script></main></html>`

const bench = useBench({ '/order': form }, { hasBrowser: true, plugins: [scripts()] })

test('a script is recorded in a live browser, shown in words, run with other values, and deleted', async () => {
  await using page = await bench.open('#/browsers')
  const press = (name: string): Promise<void> =>
    page.locator(`::-p-xpath(//main//button[normalize-space()="${name}"])`).click()
  const shows = (text: string) =>
    page.waitForFunction(`document.querySelector('main').innerText.includes(${JSON.stringify(text)})`)
  await press('New session')
  await shows('Record a script')
  await using tab = await tabOfSession()
  // From the empty tab, which the browser leaves for another process.
  await press('Record a script')
  await shows('Recording.')
  await tab.goto(`${bench.site}/order`)
  await tab.type('[name=who]', 'Ann')
  await tab.click('button')
  await tab.waitForSelector('h2')
  await page.type('#script-name', 'order')
  await page.type('#script-values', 'who = Ann')
  await press('Save the script')

  await shows('Fill the textbox "Name" with "{{who}}"')
  await shows('Click the button "Order now"')
  await page.click('.script-steps li:last-child summary')
  await shows('The page shows "Thanks, {{who}}".')
  expect(await textOf(page, '[aria-labelledby=script-past]')).toMatch(/Version 1: recorded/)
  await page.type('#script-value-who', 'Bob')
  await press('Run')
  await shows('All steps went as recorded')
  expect(await textOf(page, '[aria-label=Result]')).toMatch(/click button "Order now": done/)
  await looksGood(page)

  await page.evaluate(`location.hash = '#/scripts'`)
  await shows('takes who')
  await looksGood(page)
  await page.locator('main a.row').click()
  await press('Delete')
  await press('Delete it with its history')
  await shows('No scripts yet.')
})

/** The page of the live browser, as a program has it. */
async function tabOfSession() {
  const addressOf = async (): Promise<string | undefined> => {
    const answer: unknown = await (await fetch(`${bench.url}/v2/browser?status=active`)).json()
    return (answer as { readonly sessions: readonly { readonly cdpUrl: string }[] }).sessions[0]?.cdpUrl
  }
  // The view may be there before its session is.
  await expect.poll(addressOf).toBeTruthy()
  const browser = await puppeteer.connect({ browserWSEndpoint: (await addressOf()) ?? '' })
  const [tab] = await browser.pages()
  if (!tab) throw new Error('The browser has no page.')
  return Object.assign(tab, { [Symbol.asyncDispose]: () => browser.disconnect() })
}

test('a run that stops says at which step, and what it saw', { tags: ['long'] }, async () => {
  const script = {
    ...{ version: 1, start: `${bench.site}/order`, hosts: [new URL(bench.site).host], parameters: {} },
    steps: [{ action: 'click', target: { role: 'button', name: 'Pay' } }],
  }
  const saved = await fetch(`${bench.url}/v2/scripts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'pay', script }),
  })
  expect(saved.status).toBe(200)
  await using page = await bench.open('#/scripts/pay', { width: 390, height: 800 })
  await page.locator('::-p-xpath(//main//button[normalize-space()="Run"])').click()
  await page.waitForSelector('[role=alert]')
  expect(await textOf(page, '[role=alert]')).toMatch(/Step 1 of 1 .*The page has no button "Pay" now/)
  await page.locator('::-p-xpath(//summary[normalize-space()="Steps and outcomes"])').click()
  await page.waitForFunction(`document.querySelector('main').innerText.includes('button "Order now"')`)
  await looksGood(page)
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** In both themes, and as narrow as a phone. */
async function looksGood(page: Awaited<ReturnType<typeof bench.open>>): Promise<void> {
  const { width, height } = page.viewport() ?? { width: 1_280, height: 800 }
  await page.evaluate(axe)
  for (const value of ['dark', 'light']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
    const broken: unknown = await page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    )
    expect(broken).toEqual([])
  }
  await page.setViewport({ width: 390, height })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.setViewport({ width, height })
}
