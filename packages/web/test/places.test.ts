// @module-tag long
// @module-tag browser
// Where the page is and what has the focus: refusals at their fields, buttons that come and go, answers that lack something.
import type { Page } from 'puppeteer-core'
import { describe, expect, test, vi } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { answerFor, textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 120_000 })

const article = (title: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>A few words.</p></main></html>`
const bench = useBench({
  '/': article('The start'),
  '/slow': { status: 200, html: article('Slow'), after: 30_000 },
})

function tryHash(request: object): string {
  return `#/try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`
}

/** What has the focus, and whether it is in sight. */
async function focused(page: Page): Promise<{ readonly name: string; readonly isInSight: boolean }> {
  return (await page.evaluate(`(() => {
    const element = document.activeElement
    const { top, bottom } = element.getBoundingClientRect()
    return { name: element.id || element.className || element.tagName, isInSight: top >= 0 && bottom <= innerHeight }
  })()`)) as { name: string; isInSight: boolean }
}

const isFocused = (page: Page, selector: string) =>
  page.waitForFunction(`document.activeElement?.matches(${JSON.stringify(selector)})`)

async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(
    `::-p-xpath(//main//*[self::button or self::a][normalize-space()="${name}"])`,
  )
  await button?.focus()
  await page.keyboard.press('Enter')
}

describe('A request that is refused', () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ['an option', { values: { timeout: 1 } }, 'option-timeout'],
    ['an option in another', { values: { location: { country: 'nowhere' } } }, 'option-location-country'],
    ['a format', { formats: ['markdown', 'question'] }, 'format-question'],
    [
      'an option of a format',
      { formats: ['question'], formatValues: { question: { question: 5 } } },
      'format-question-question',
    ],
    ['the address', { url: 'http://no host/' }, 'address'],
  ]
  for (const [what, request, id] of refused)
    test(`says at ${what} what is not right, and leads there`, longIf(what !== 'a format'), async () => {
      await using page = await bench.open(tryHash({ url: `${bench.site}/`, ...request }), { width: 390, height: 700 })
      await page.waitForSelector('.chip')
      await press(page, 'Run')
      await isFocused(page, `#${id}[aria-invalid="true"]`)
      expect(await focused(page)).toEqual({ name: id, isInSight: true })
      const described = await page.$eval(`#${id}`, (field) => field.getAttribute('aria-describedby'))
      expect((await textOf(page, `#${described}`)).length).toBeGreaterThan(10)
      expect(await textOf(page, '[role=alert]')).toContain(await textOf(page, `#${described}`))
    })

  test('for another reason is told in sight', async () => {
    await using page = await bench.open(tryHash({ url: 'http://10.1.2.3/' }), { width: 390, height: 500 })
    await page.waitForSelector('.chip')
    await press(page, 'Run')
    await isFocused(page, '.notice')
    expect((await focused(page)).isInSight).toBe(true)
  })
})

describe('The focus', () => {
  test('stays on the button that runs a request and cancels it', { tags: ['long'] }, async () => {
    await using page = await bench.open(tryHash({ url: `${bench.site}/slow` }))
    await page.waitForSelector('.chip')
    await press(page, 'Run')
    await page.waitForSelector('::-p-xpath(//button[text()="Cancel"])')
    expect((await focused(page)).name).not.toBe('BODY')
    await page.keyboard.press('Enter')
    await page.waitForSelector('::-p-xpath(//button[text()="Run"])')
    await isFocused(page, 'button.primary')
  })

  test(
    'goes to the heading when what had it is gone: a row that was opened, a way back, a button that has done its work',
    { tags: ['long'] },
    async () => {
      const crawl = await bench.engine.crawl({ url: `${bench.site}/` })
      await crawl.end()
      const running = await bench.engine.crawl({ url: `${bench.site}/slow` })
      await using page = await bench.open('#/jobs')
      await page.waitForSelector(`a.row[href*="${crawl.id}"]`)
      await page.focus(`a.row[href*="${crawl.id}"]`)
      await page.keyboard.press('Enter')
      await isFocused(page, 'h1')
      await page.waitForSelector('[role=row] a')
      await page.focus('[role=row] a')
      await page.keyboard.press('Enter')
      await isFocused(page, 'h1')
      await press(page, '← All pages')
      await isFocused(page, 'h1')
      await page.evaluate(`location.hash = '#/jobs/crawl/${running.id}'`)
      await press(page, 'Cancel')
      await page.waitForFunction('document.querySelector(".state")?.innerText === "cancelled"')
      await isFocused(page, 'h1')
    },
  )

  test('is left alone when a person clicks beside everything', async () => {
    await using page = await bench.open('#/try')
    await page.waitForSelector('.chip')
    await page.click('#address')
    await page.mouse.click(5, 790)
    await page.waitForFunction('document.activeElement === document.body')
    await page.evaluate("document.querySelector('main').append(document.createElement('span'))")
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))')
    expect((await focused(page)).name).toBe('BODY')
  })
})

for (const [what, urls] of [
  ['empty', { cdpUrl: '', liveViewUrl: '', interactiveLiveViewUrl: '' }],
  ['null', { cdpUrl: null, liveViewUrl: null, interactiveLiveViewUrl: null }],
  ['absent', {}],
  ['no addresses', { cdpUrl: 'x', liveViewUrl: '//', interactiveLiveViewUrl: 'not yet' }],
] as const)
  test(
    `A browser whose addresses are ${what} is shown without a view, and the others stay in reach`,
    longIf(what !== 'no addresses'),
    async () => {
      await using page = await bench.open('#/jobs')
      const createdAt = new Date().toISOString()
      await answerFor(page, '/v2/browser', () => ({
        sessions: ['one', 'two'].map((id) => ({ id, status: 'active', createdAt, ...urls })),
      }))
      await page.evaluate("location.hash = '#/browsers'")
      expect(await textOf(page, '[role=tabpanel]')).toContain('no live view')
      for (const name of ['Control', 'Connect']) {
        await page.locator(`::-p-xpath(//button[text()="${name}"])`).click()
        expect(await textOf(page, '[role=tabpanel]')).toMatch(/^This session/)
      }
      await page.locator('a[href="#/browsers/two"]').click()
      await page.waitForSelector('a[href="#/browsers/two"][aria-current=true]')
    },
  )

test('A request that is followed from a result takes the place of the one before', { tags: ['long'] }, async () => {
  await using page = await bench.open(tryHash({ url: 'https://one.test/', values: { timeout: 5_000 } }))
  await page.waitForSelector('.chip')
  await page.evaluate(`location.hash = ${JSON.stringify(tryHash({ url: 'https://two.test/' }))}`)
  await page.waitForFunction('document.querySelector("#address")?.value === "https://two.test/"')
  expect(await page.$eval('#option-timeout', (field) => (field as unknown as { value: string }).value)).toBe('')
})

for (const hash of ['#/try?request=%7B', '#/%E0%A4%A', '#/jobs/crawl/%', '#/nothing/like/this'])
  test(`The page opens at the address ${hash}, though it means nothing`, longIf(!hash.includes('?')), async () => {
    await using page = await bench.open(hash)
    expect((await textOf(page, 'h1')).length).toBeGreaterThan(2)
  })
