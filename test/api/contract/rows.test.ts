// Each difference from the public API that its tests or its clients found, as a request and what the response must have.
import { fakeBrowser, scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { openHouse } from '../bench.ts'
import { apiRows } from './api-rows.ts'
import { clientRows } from './client-rows.ts'
import { optionRows } from './option-rows.ts'
import { misfits, type Bench, type Received, type Row, type Sent } from './row.ts'

const key = 'fc-key'
const search = scriptedSearch({
  web: () => [{ url: house.at('/good/article'), title: 'The article', description: 'It walks on six.' }],
})
const passage = 'but it walks on six'
const model = scriptedLLM([
  ({ schema, prompt, turns }) => {
    // An agent with this word gets no answer, so that it can be cancelled while it runs.
    if ((prompt + JSON.stringify(turns ?? [])).includes('silence')) return 'silence'
    return { value: JSON.stringify(schema)?.includes('"spans"') ? { spans: [passage] } : { legs: 8 } }
  },
])
const browser = fakeBrowser({
  pages: { '/good/article': '<main><p>A harvestman has eight legs, but it walks on six.</p></main>' },
})
const house = openHouse(key, { llm: model, search, browser })

async function send({ method, path, body, form, headers }: Sent): Promise<Received> {
  const response = await fetch(house.server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { body: formOf(form) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

function formOf({ file, options }: NonNullable<Sent['form']>): FormData {
  const form = new FormData()
  if (file) form.set('file', new Blob([file.text], { type: 'text/html' }), file.name)
  if (options !== undefined) form.set('options', options)
  return form
}

const bench: Bench = {
  at: house.at,
  get site() {
    return house.site
  },
  get server() {
    return house.server
  },
  send,
  async poll(request, isDone) {
    for (;;) {
      const received = await send(request)
      if (isDone(received.body) || received.status !== 200) return received
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
}

async function responseTo({ request, until }: Row): Promise<Received> {
  const sent = typeof request === 'function' ? await request(bench) : request
  return until ? bench.poll(sent, until) : send(sent)
}

for (const [number, rows] of Map.groupBy([...apiRows, ...clientRows, ...optionRows], ({ row }) => row))
  describe(`Difference ${number}`, () => {
    test.each(rows.map((row) => [row.client, row.says, row] as const))('%s: %s', async (_, __, row) => {
      expect(misfits(await responseTo(row), row.needs)).toEqual([])
    })
  })
