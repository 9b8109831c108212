import { execFileSync } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, expect, test } from 'vitest'

import { createEngine } from '@harvestman/core'
import { fakeBrowser, scriptedLLM } from '@harvestman/testing'

import { titlesOf } from '../../docs/examples/crawl.ts'
import { readLamps } from '../../docs/examples/learned-extractor.ts'
import { whatChanged } from '../../docs/examples/monitor-prices.ts'
import { readMarked } from '../../docs/examples/own-markdown.ts'
import { countItems } from '../../docs/examples/plugin-action.ts'
import { writeNote } from '../../docs/examples/plugin-feature.ts'
import { readTeaser } from '../../docs/examples/plugin-format.ts'
import { readSaved } from '../../docs/examples/plugin-loader.ts'
import { readCalendar } from '../../docs/examples/plugin-parser.ts'
import { readSome } from '../../docs/examples/plugin-gate.ts'
import { titleList, titles } from '../../docs/examples/plugin-visits.ts'
import { readAllowed } from '../../docs/examples/plugin-policy.ts'
import { offerOf } from '../../docs/examples/known-kinds.ts'
import { listOf } from '../../docs/examples/lists.ts'
import { cheapest } from '../../docs/examples/datasets.ts'
import { whatIsNew } from '../../docs/examples/recrawl.ts'
import { readAgain, readRecorded } from '../../docs/examples/record-and-replay.ts'
import { signUp } from '../../docs/examples/scripts.ts'
import { report, textOf } from '../../docs/examples/typed-app.ts'
import { shoutTitle } from '../../docs/examples/typed-client.ts'
import { start } from '../../docs/examples/typed-server.ts'

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

async function site(type: string, body: string): Promise<{ readonly url: string; readonly allow: readonly string[] }> {
  const answer: RequestListener = (_, response) => response.setHeader('content-type', type).end(body)
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, allow: [`127.0.0.1/32:${port}`] }
}

const article =
  '<title>Bees</title><main><h1>Bees</h1><p>Bees make <mark>honey</mark> and wax all summer long.</p></main>'

test('a format of a plugin is derived from Markdown and title', async () => {
  const { url, allow } = await site('text/html', article)
  expect(await readTeaser(url, allow)).toBe('Bees Bees make honey and')
})

test('a client that knows its server asks for a format of its plugin', async () => {
  const { url, allow } = await site('text/html', article)
  await using server = await start(0, allow)
  expect(await shoutTitle(server.url, url)).toBe('BEES?')
})

test('a learned extractor reads the pages after the first one', async () => {
  const lamp = (name: string, price: string) =>
    `<h1 class="lamp">${name}</h1><p class="price">€ ${price}</p><p>For every room of the house.</p>`
  const one = await site('text/html', lamp('Aurora', '129.50'))
  const llm = scriptedLLM([{ value: { name: 'Aurora', price: 129.5 } }])
  expect(await readLamps([one.url, `${one.url}again`], llm, one.allow)).toEqual({
    lamps: [1, 2].map(() => ({ name: 'Aurora', price: 129.5 })),
    fields: ['/name', '/price'],
  })
  expect(llm.questions).toHaveLength(1)
})

test('a feature of a plugin is a property of the engine', async () => {
  expect(await writeNote('https://a.test/', 'About bees.', 'acme')).toMatchObject({ text: 'About bees.' })
})

test('a parser of a plugin reads a type that ours do not', async () => {
  const { url, allow } = await site('text/calendar', 'BEGIN:VEVENT\r\nSUMMARY:Dinner\r\nSUMMARY:Lunch\r\n')
  expect(await readCalendar(url, allow)).toBe('- Dinner\n- Lunch')
})

test('a loader of a plugin serves a page before the network is asked', async () => {
  const url = 'https://gone.example.com/'
  expect(await readSaved(url, new Map([[url, article]]))).toContain('# Bees')
})

test('a policy of a plugin keeps an engine from a host', async () => {
  const { url, allow } = await site('text/html', article)
  expect(await readAllowed(url, ['127.0.0.1'], allow)).toContain('# Bees')
  await expect(readAllowed(url, ['bees.example'], allow)).rejects.toMatchObject({
    code: 'policy_denied',
    message: expect.stringContaining('The host is not among those of default.'),
  })
})

test('an action of a plugin adds to the document', async () => {
  const url = 'http://93.184.215.14/'
  const browser = fakeBrowser({
    pages: { [url]: '<li>1<li>2' },
    scripts: { 'document.querySelectorAll("li").length': () => 2 },
  })
  expect(await countItems(url, browser)).toEqual([2])
})

test('a gate refuses the requests of a team beyond those of a day', async () => {
  const { url, allow } = await site('text/html', article)
  expect(await readSome([url, url, url], 2, allow)).toBe(2)
})

test('a page that was recorded is read again when its host is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'bees.warc.gz')
  const { url, allow } = await site('text/html', article)
  const markdown = await readRecorded(url, file, allow)
  closers.splice(1).forEach((close) => close())
  expect(markdown).toContain('# Bees')
  expect(await readAgain(url, file, allow)).toBe(markdown)
})

test('a product is read without a schema', async () => {
  const lamp = '<title>Lamp</title><h1>Lamp</h1><p class="price">24,90 €</p><button>Add to cart</button>'
  const { url, allow } = await site('text/html', lamp)
  expect(await offerOf(url, allow)).toEqual({ title: 'Lamp', price: 24.9, inStock: true, warning: undefined })
})

test('the list of a page is read as rows', async () => {
  const card = (n: number) => `<li class="tea"><a href="/tea/${n}">Tea ${n}</a> <b class="price">€ ${n}.50</b></li>`
  const { url, allow } = await site(
    'text/html',
    `<main><p>3 products</p><ul>${card(1)}${card(2)}${card(3)}</ul></main>`,
  )
  expect(await listOf(url, allow)).toMatchObject({ rows: [{ price: { amount: 1.5 } }, {}, {}], complete: true })
})

test('rows of pages are kept and queried', async () => {
  const pages = [7, 3, 5].map((price) => {
    const product = { '@context': 'https://schema.org', '@type': 'Product', name: `Hat ${price}`, offers: { price } }
    return `<h1>Hat ${price}</h1><script type="application/ld+json">${JSON.stringify(product)}</script><p>${price} €</p>`
  })
  const sites = await Promise.all(pages.map((page) => site('text/html', page)))
  const urls = sites.map(({ url }) => url)
  expect(
    await cheapest(
      urls,
      sites.flatMap(({ allow }) => allow),
    ),
  ).toEqual([
    ['Hat 3', 3],
    ['Hat 5', 5],
  ])
})

test('rules of turndown replace the built-in Markdown', async () => {
  const { url, allow } = await site('text/html', article)
  expect(await readMarked(url, allow)).toContain('==honey==')
})

test('a program without a cast maps, crawls and loads a site', async () => {
  const { url, allow } = await site('text/html', `${article}<a href="/">Home</a>`)
  expect(await report(url, allow)).toEqual({
    addresses: [url],
    headlines: ['BEES'],
    longest: expect.any(Number),
    failures: [],
    links: 1,
  })
  const engine = createEngine({ allowPrivate: allow })
  expect(await textOf(engine, url, ['rawHtml'])).toContain('<mark>honey</mark>')
  await engine.close()
})

test('a crawl gives the pages of a site, each once', async () => {
  const pages: Readonly<Record<string, string>> = {
    '/': '<title>Home</title><main><a href="/one">One</a> <a href="/two">Two</a></main>',
    '/one': '<title>One</title><main><a href="/two#end">Two</a></main>',
    '/two': '<title>Two</title><main><a href="/">Home</a></main>',
  }
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '']
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const titles = await titlesOf(`http://127.0.0.1:${port}/`, [`127.0.0.1/32:${port}`])
  expect([...titles.values()].sort()).toEqual(['Home', 'One', 'Two'])
})

test('the job of a plugin that visits pages gives their titles in the order of the list', async () => {
  const server = createServer((request, response) => {
    const isThere = request.url !== '/gone'
    if (!isThere) return void request.socket.destroy()
    response.setHeader('content-type', 'text/html').end(`<title>Page ${request.url}</title>`)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  await using engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [titles] })
  const urls = ['/two', '/gone', '/one'].map((path) => `http://127.0.0.1:${port}${path}`)
  const job = await engine.start(titleList, { urls })
  expect((await job.end()).data).toEqual({ titles: ['Page /two', 'Page /one'], missing: 1 })
})

test('the test of the whole plugin passes, and runs as it stands there', () => {
  const file = fileURLToPath(new URL('../../docs/examples/plugin-whole-test.ts', import.meta.url))
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const report = execFileSync(process.execPath, ['--test', '--test-reporter=tap', file], { env, encoding: 'utf8' })
  expect(report).toContain('# pass 2')
  expect(report).toContain('# fail 0')
})

test('a monitor says what has changed on a page', async () => {
  let price = '20'
  const answer: RequestListener = (_, response) =>
    response.setHeader('content-type', 'text/html').end(`<main><h1>Lamp</h1><p>It costs ${price} euros.</p></main>`)
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const allow = [`127.0.0.1/32:${port}`]
  const found = await whatChanged(`http://127.0.0.1:${port}/`, () => (price = '25'), allow)
  expect(found).toEqual([{ status: 'changed', diff: expect.stringContaining('+It costs 25 euros.') as string }])
})

test('a crawl since another tells which pages have changed in between', async () => {
  const pages = new Map([
    ['/', '<a href="/a">One</a> <a href="/b">Two</a>'],
    ['/a', 'This page stays as it is.'],
    ['/b', 'The price is 20 euros.'],
  ])
  const server = createServer((request, response) => {
    const body = pages.get(request.url ?? '')
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' })
      .end(`<main><p>${body}</p></main>`)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const allow = [`127.0.0.1/32:${port}`]
  const change = () => pages.set('/b', 'The price is 25 euros.')
  expect(await whatIsNew(`http://127.0.0.1:${port}/`, change, allow)).toEqual({
    '/': 'same',
    '/a': 'same',
    '/b': 'changed',
  })
})

test('a form that was filled in once is filled in again with another name', { tags: ['long'] }, async () => {
  const form = `<form onsubmit="event.preventDefault(); out.textContent = 'Welcome'"><label>Name <input name="name"></label>
    <button>Sign up</button></form><h2 id="out"></h2>`
  const { url, allow } = await site('text/html', form)
  expect(await signUp(url, allow)).toEqual(['fill textbox "Name": done', 'click button "Sign up": done'])
})
