// Extractors that are learned behind the HTTP API, with a language model behind real HTTP.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { chatLLM } from '@harvestman/llm'
import { startChatServer, type ChatReply } from '@harvestman/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const books = [
  { title: 'The Long Winter', illustrator: 'Ida Holm', pages: 312 },
  { title: 'A House of Glass', illustrator: 'Peter Brandt', pages: 188 },
  { title: 'Salt and Smoke', illustrator: 'Mina Okafor', pages: 420 },
  { title: 'North of Nowhere', illustrator: 'Jonas Lindqvist', pages: 96 },
  { title: 'The Second River', illustrator: 'Ida Holm', pages: 264 },
]

const schema = {
  type: 'object',
  properties: { title: { type: 'string' }, illustrator: { type: 'string' }, pages: { type: 'integer' } },
  required: ['title', 'illustrator', 'pages'],
}

const reply: ChatReply = ({ prompt }) => ({ value: books.find(({ title }) => prompt.includes(title)) ?? null })
const web = createServer((request, response) => {
  const book = books[Number(request.url?.split('/').at(-1))]
  response.setHeader('content-type', 'text/html')
  if (book) {
    const { title, illustrator, pages } = book
    response.end(`<title>${title}</title><nav><a href="/">Books</a></nav><main><h1 class="book-title">${title}</h1>
      <p class="credits">Pictures by <a class="book-illustrator" href="/w">${illustrator}</a></p>
      <dl class="facts"><dt>Pages</dt><dd class="book-pages">${pages}</dd></dl><p>Bound in linen.</p></main>`)
  } else response.writeHead(404).end()
})

const key = 'fc-learned'
let model: Awaited<ReturnType<typeof startChatServer>>
let server: Server
let engine: ReturnType<typeof start>
let site: string

function start() {
  const llm = chatLLM({ url: model.url, model: 'm' })
  return createEngine({ allowPrivate: ['127.0.0.0/8'], llm, plugins: [data()] })
}

beforeAll(async () => {
  model = await startChatServer({ replies: [reply] })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}/books/`
})
beforeEach(async () => {
  engine = start()
  server = await serve(createApi(engine, { authenticate: apiKeys(key) }), { port: 0 })
  return async () => {
    await server.close()
    await engine.close()
  }
})
afterAll(async () => {
  await model.close()
  web.closeAllConnections()
  web.close()
})

interface Answered {
  readonly data: {
    readonly json?: unknown
    readonly lesson?: unknown
    readonly metadata: { readonly creditsUsed: number }
  }
}

async function scrape(number: number, format: object): Promise<Answered['data']> {
  const response = await fetch(`${server.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: site + number, formats: [format] }),
  })
  expect(response.status).toBe(200)
  const { data: document } = (await response.json()) as Answered
  return document
}

test('the model is asked for one of many pages, and the others cost what a page costs', async () => {
  const asked = model.requests.length
  for (const [number, book] of books.entries()) {
    const { json, metadata } = await scrape(number, { type: 'json', schema })
    expect(json).toEqual(book)
    expect(metadata.creditsUsed).toBe(number === 0 ? 5 : 1)
  }
  expect(model.requests.length - asked).toBe(1)
})

test('a lesson over HTTP spares the model for all pages', async () => {
  const asked = model.requests.length
  const taught = await scrape(0, { type: 'lesson', schema, answer: books[0] })
  expect(taught).toMatchObject({ lesson: { learned: ['/title', '/illustrator', '/pages'], notLearned: [] } })
  expect((await scrape(2, { type: 'json', schema })).json).toEqual(books[2])
  expect(model.requests.length).toBe(asked)
})

test('extractors are listed, read, edited and deleted by the client, and other teams do not see them', async () => {
  const { extractors } = createClient({ url: server.url, key })
  await scrape(0, { type: 'lesson', schema, answer: books[0] })
  const [learned, ...others] = await extractors.list()
  expect(others).toEqual([])
  const { id, program, revision } = learned!
  expect(await extractors.get(id)).toEqual(learned)
  expect(await extractors.edit(id, { program: { ...program, pages: 7 } })).toMatchObject({
    id,
    revision: 2,
    program: { pages: 7 },
  })
  expect((await extractors.versions(id)).map((version) => version.revision)).toEqual([2, revision])
  await expect(extractors.edit(id, { program: { ...program, path: 7 as never } })).rejects.toMatchObject({
    status: 400,
  })
  await expect(engine.extractors.get(id, { team: 'another' })).rejects.toMatchObject({ code: 'not_found' })
  await extractors.delete(id)
  await expect(extractors.get(id)).rejects.toMatchObject({ status: 404 })
})

test('deterministicJson costs ten credits where the model is asked, and three where it is not', async () => {
  for (const number of [0, 1]) {
    const { json, metadata } = await scrape(number, { type: 'deterministicJson', schema })
    expect(json).toEqual(books[number])
    expect(metadata.creditsUsed).toBe(number === 0 ? 10 : 3)
  }
})
