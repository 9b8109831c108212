// @module-tag long
// @module-tag browser
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { answer, answerJson, scriptedLLM, startSite, type Route, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { makeFolder, record, rerun, scrapeAll, type RunEngine } from './bench.ts'

const folder = makeFolder()
let counted = 0

const page = `<!doctype html><title>Shop</title><link rel="stylesheet" href="/shop/style.css">
<h1>Lamps</h1><ul id="list"></ul><button id="more">More</button><p id="luck"></p><p id="day"></p><img src="/shop/lamp.png">
<iframe src="/shop/frame"></iframe>
<script src="/shop/list.js"></script>`
const script = `const add = async (part) => {
  const answer = await fetch('/shop/items?part=' + part, { method: 'POST', body: JSON.stringify({ part }) })
  for (const item of await answer.json()) document.querySelector('#list').innerHTML += '<li>' + item + '</li>'
}
document.querySelector('#more').onclick = () => add(2)
document.querySelector('#luck').textContent = 'Your number is ' + Math.random()
document.querySelector('#day').textContent = new Date().toDateString() + (Date.now() > 1e12 ? ' now' : '')
add(1)`
const route = (path: string, type: string, body: string): Route => ({
  path,
  about: 'a part of the shop',
  handle: (visit) => answer(visit, type, body),
})

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: [
      route('/shop', 'text/html', page),
      route('/shop/style.css', 'text/css', 'li { color: red }'),
      route('/shop/frame', 'text/html', '<p>In a frame.</p>'),
      route('/shop/list.js', 'text/javascript', script),
      route('/shop/file', 'application/pdf', '%PDF-1.4 no pages'),
      {
        path: '/shop/moved',
        about: 'leads to the shop',
        handle: (visit) => answer(visit, 'text/plain', '', { status: 302, headers: { location: '/shop' } }),
      },
      {
        path: '/shop/items',
        about: 'what there is, new with each visit',
        handle: (visit) => answerJson(visit, [`Lamp ${++counted} of part ${visit.url.searchParams.get('part')}`]),
      },
    ],
  })
})
afterAll(async () => {
  await site.close()
  folder.clean()
})

const actions = [
  { type: 'click' as const, selector: '#more' },
  { type: 'wait' as const, selector: 'li + li' },
]
const requestsOf = (origin: string) => [
  { url: `${origin}/shop`, formats: ['rawHtml' as const, 'markdown' as const, 'links' as const], actions },
  { url: `${origin}/shop/moved`, formats: ['markdown' as const], waitFor: 50 },
  { url: `${origin}/shop?again`, formats: ['summary' as const], actions, maxAge: 0 },
]

test('pages in a browser, their actions and what a model made of them are replayed byte for byte, with no connection', async () => {
  const file = folder.file('shop.warc.gz')
  const llm = scriptedLLM([{ value: 'A shop for lamps.' }])
  const run = (engine: RunEngine) => scrapeAll(engine, requestsOf(site.url))
  const recorded = await record({ file }, { browser: puppeteerBrowser(), llm }, run)
  expect(recorded.join()).toMatch(/Lamp 1 of part 1.*Lamp 2 of part 2.*A shop for lamps/s)
  expect(recorded[0]).toMatch(/Your number is 0\.\d+/)
  const before = site.hits()
  const { result, connections } = await rerun(file, run, { engine: { browser: puppeteerBrowser() } })
  expect(result).toEqual(recorded)
  expect(connections).toBe(0)
  expect(site.hits()).toBe(before)
  expect(llm.questions).toHaveLength(1)
})

test('a page that was not recorded fails with its name in a browser, and is added with patch', async () => {
  const file = folder.file('more.warc.gz')
  const browser = puppeteerBrowser()
  const [known, more] = requestsOf(site.url)
  await record({ file }, { browser }, (engine) => scrapeAll(engine, [known!]))
  const strict = await rerun(file, (engine) => scrapeAll(engine, [more!]), { engine: { browser } })
  expect(strict.result[0]).toContain(`Not in the record: GET ${site.url}/shop/moved`)
  const patched = await rerun(file, (engine) => scrapeAll(engine, [more!]), { engine: { browser }, patch: true })
  expect(patched.result[0]).toContain('# Lamps')
  expect(patched.connections).toBeGreaterThan(0)
  const again = await rerun(file, (engine) => scrapeAll(engine, [more!]), { engine: { browser } })
  expect(again.result[0]).toContain('# Lamps')
  expect(again.connections).toBe(0)
})
