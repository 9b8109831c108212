// @module-tag long
// @module-tag browser
// @module-tag bubblewrap
// @module-tag python3
// A live browser in the page: code beside its view, links that end, and what is left of it when it ends.
import { live } from '@harvestman/live'
import { puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import type { Page } from 'puppeteer-core'
import { expect, test, vi } from 'vitest'

import { countOf, tab, textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 240_000 })

const sandbox = localSandbox({ bound: 'watched' })
const bench = useBench(
  { '/': '<!doctype html><title>Lamps</title><body style="background:red;height:100vh;margin:0">' },
  { plugins: [live({ sessions: puppeteerSessions(), sandbox })] },
)

const press = (page: Page, name: string): Promise<void> =>
  page.locator(`::-p-xpath(//main//button[normalize-space()="${name}"])`).click()

async function write(page: Page, code: string): Promise<void> {
  await page.$eval('.editor textarea', (field) => (field as unknown as { select(): void }).select())
  await page.keyboard.press('Backspace')
  await page.type('.editor textarea', code)
  await page.keyboard.down('Control')
  await page.keyboard.press('Enter')
  await page.keyboard.up('Control')
}
const outputs = (page: Page, pattern: RegExp): Promise<unknown> =>
  page.waitForFunction(`${String(pattern)}.test(document.querySelector('[aria-label=Output]')?.innerText ?? '')`)

test('code runs beside the live view with Ctrl and Enter, in each language, and a fault is shown at its line', async () => {
  await using page = await bench.open('#/browsers')
  await press(page, 'New session')
  await page.waitForSelector('iframe.live')
  await write(page, `await page.goto('${bench.site}/')\nconsole.log('printed', 6 * 7)\nawait page.title()`)
  await outputs(page, /Done after[^]*Result\s+Lamps[^]*Printed\s+printed 42/)
  expect(await page.$eval('.editor textarea', (field) => field.getAttribute('aria-invalid'))).toBeNull()

  await write(page, `const a = 1\n\nthrow new Error('not this one')`)
  await outputs(page, /Failed with 1[^]*not this one/)
  expect(await textOf(page, '.editor .fault')).toBe('✕ 3')
  await press(page, 'Show line 3')
  expect(await page.evaluate('getSelection().toString()')).toContain('not this one')

  await page.select('[aria-label=Language]', 'python')
  await countOf(page, '.editor .fault', 0)
  await write(page, `a = 1\nraise ValueError('of python')`)
  await outputs(page, /Failed with 1[^]*of python/)
  expect(await textOf(page, '.editor .fault')).toBe('✕ 2')

  await page.select('[aria-label=Language]', 'bash')
  await write(page, 'echo one\nfi')
  await outputs(page, /Failed with 2[^]*syntax error/)
  expect(await textOf(page, '.editor .fault')).toBe('✕ 2')
  await write(page, 'get title')
  await outputs(page, /Done after[^]*Printed\s+Lamps/)
  await page.select('[aria-label=Language]', 'node')
  expect(await page.$eval('.editor textarea', (field) => (field as unknown as { value: string }).value)).toContain(
    'not this one',
  )
  await press(page, 'Stop')
  await page.waitForFunction(`document.querySelector('main').innerText.includes('It was stopped.')`)
})

test('a link to look on is made with its end, and is ended from the page', async () => {
  await using page = await bench.open('#/browsers')
  await press(page, 'New session')
  await page.waitForSelector('iframe.live')
  await tab(page, 'Share')
  await page.select('[aria-label="How long"]', '300')
  await press(page, 'Make a link')
  await countOf(page, '[aria-label=Links] li', 1)
  expect(await textOf(page, '[aria-label=Links] li')).toMatch(/\/live\/[^]*Ends in \d min/)
  const url = await textOf(page, '[aria-label=Links] pre')
  const [id = ''] = /[0-9a-f-]{36}/.exec(url) ?? []
  const screen = url.replace('?', '/screen?')
  expect((await fetch(screen)).status).toBe(400)
  await press(page, 'End this link')
  await countOf(page, '[aria-label=Links] li', 0)
  expect((await fetch(screen)).status).toBe(403)
  await fetch(`${bench.url}/v2/browser/${id}`, { method: 'DELETE' })
})

test('a session that ends while it is looked at keeps its last picture, with the reason, the time and the bill', async () => {
  await using page = await bench.open('#/browsers')
  await press(page, 'New session')
  await write(page, `await page.goto('${bench.site}/')`)
  await outputs(page, /Done after/)
  const view = await (await page.waitForSelector('iframe.live'))?.contentFrame()
  const isRed = `(() => {
    const [red, green] = document.querySelector('canvas').getContext('2d').getImageData(400, 300, 1, 1).data
    return red > 200 && green < 60
  })()`
  await view?.waitForFunction(isRed)
  const id = await textOf(page, '.footline .id')
  await fetch(`${bench.url}/v2/browser/${id}`, { method: 'DELETE' })
  expect(await textOf(page, '.session-view [role=status]')).toMatch(
    /This session has ended\.\s+It was stopped\.\s+just now · open for [^]* · \d+ credits/,
  )
  expect(await view?.evaluate(isRed)).toBe(true)
  expect(await view?.$eval('#card', (card) => card.textContent)).toContain('It was stopped.')
  expect(await page.$('.session-code')).toBeNull()

  await using later = await bench.open(`#/browsers/${id}`)
  expect(await textOf(later, '.session-view [role=status]')).toMatch(
    /It was stopped\. Its last picture was not stored\./,
  )
})
