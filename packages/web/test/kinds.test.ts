// @module-tag long
// @module-tag browser
// A kind of job that this page was never told of: its form, its answer, its row in the list and its view.
import { links } from 'dead-links'
import { expect, test, vi } from 'vitest'

import { textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 300_000 })

const bench = useBench(
  {
    '/': '<title>Start</title><p>Welcome to the shop.</p><a href="/lamp">Lamp</a> <a href="/gone">Gone</a>',
    '/lamp': 'A lamp.',
  },
  { plugins: [links] },
)

test(
  'a kind of a plugin has a form of its options, and its answer is read as Markdown',
  { tags: ['long'] },
  async () => {
    await using page = await bench.open()
    await page.waitForSelector('#kind option[value="dead_links"]')
    expect(await page.$eval('#kind option[value="dead_links"]', (option) => option.textContent)).toBe('Dead links')
    await page.select('#kind', 'dead_links')
    await page.type('#address', `${bench.site}/`)
    await page.type('#option-limit', '5')
    expect(await page.$$eval('.fields label', (labels) => labels.map(({ textContent }) => textContent))).toEqual(
      expect.arrayContaining([expect.stringContaining('Links'), expect.stringContaining('Credits')]),
    )
    await page.focus('#address')
    await page.keyboard.press('Enter')
    expect(await textOf(page, '.split .card.pad:has(li) li')).toBe(`${bench.site}/gone (status 404)`)
    await page.locator('::-p-xpath(//main//button[text()="As text"])').click()
    expect(await textOf(page, '.split pre')).toContain('"why": "status 404"')
    const code = await page.$$eval('details pre', (blocks) => blocks.map(({ textContent }) => textContent).join('\n'))
    expect(code).toContain('/v2/dead-links')
  },
)

test('what is not right is said at its field', async () => {
  await using page = await bench.open(`#/try?request=${encodeURIComponent('{"kind":"dead_links"}')}`)
  await page.waitForSelector('#option-limit')
  await page.type('#address', `${bench.site}/`)
  await page.type('#option-limit', '500')
  await page.$eval('form.stack', (form) => form.requestSubmit())
  expect(await textOf(page, '#option-limit-refused')).toMatch(/100/)
})

test('its jobs are in the list under its name, and have a view', async () => {
  const job = await bench.engine.unchecked.start('dead_links', { url: `${bench.site}/` })
  await job.end()
  await using page = await bench.open('#/jobs?kind=dead_links')
  expect(await textOf(page, `a.row[href*="${job.id}"]`)).toMatch(/Dead links/)
  await page.click(`a.row[href*="${job.id}"]`)
  expect(await textOf(page, '.card.pad li')).toBe(`${bench.site}/gone (status 404)`)
  expect(await textOf(page, 'h1')).toBe('Dead links')
  await page.goto(`${bench.url}/#/try?again=${job.id}`)
  await page.waitForFunction(`document.querySelector('#address')?.value === ${JSON.stringify(`${bench.site}/`)}`)
})

test('a job of a kind that the server has no more says so', async () => {
  await using page = await bench.open('#/jobs/none_such/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')
  await page.waitForFunction(`document.body.innerText.includes('This server has no job kind with this name.')`)
})
