// Answers from the web, by the official clients, with a language model behind real HTTP that says what was written for it.
import { createClient } from '@harvestman/client'
import { chatLLM } from '@harvestman/llm'
import { scriptedSearch, startChatServer, type ChatReply } from '@harvestman/testing'
import Client, { FirecrawlAppV1 } from 'firecrawl'
import OldClient from 'firecrawl-js-1'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'

import { openHouse } from './bench.ts'

const pages: Readonly<Record<string, string>> = {
  '/': '<title>Lamps</title><meta name="description" content="All lamps."><main><h1>Lamps</h1><p>We sell lamps.</p><a href="/aurora">Aurora</a></main>',
  '/aurora': '<title>Aurora</title><main><h1>Aurora</h1><p>The Aurora is made of oak and costs EUR 12.</p></main>',
}
const told: { readonly type: string; readonly data: readonly Record<string, unknown>[]; readonly error?: string }[] = []
const shop = createServer((request, response) => {
  if (request.method === 'POST') {
    let body = ''
    request.on('data', (bytes) => (body += String(bytes)))
    request.on('end', () => {
      told.push(JSON.parse(body) as (typeof told)[number])
      response.end()
    })
    return
  }
  const page = pages[request.url ?? '']
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'Not found')
})
shop.listen(0, '127.0.0.1')
await once(shop, 'listening')
const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`

const reply: ChatReply = ({ prompt, body }) => {
  if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps'] } }
  if (prompt.includes('Judge whether')) return { value: { summary: 'One lamp.', gaps: [], isEnough: true } }
  if (prompt.includes('Write a thorough answer')) return { text: 'It is made of oak.' }
  if (prompt.includes('Say in one sentence')) return { text: 'A lamp of oak.' }
  if (!body.tools) return { value: { material: 'oak' } }
  const steps = [
    { name: 'search', input: { words: 'lamp' } },
    { name: 'read', input: { url: `${url}aurora` } },
    { name: 'finish', input: {} },
  ]
  const done = body.messages.filter(({ role }) => role === 'assistant').length
  return { calls: [steps[Math.min(done, 2)]!] }
}

const model = await startChatServer({ replies: [reply], key: 'k' })
const search = scriptedSearch({ web: [{ url: `${url}aurora`, title: 'Aurora', description: 'A lamp' }] })
const house = openHouse('fc-key', { llm: chatLLM({ url: model.url, key: 'k', model: 'm' }), search })
const client = () => new Client({ apiKey: 'fc-key', apiUrl: house.server.url })
const clientV1 = () => new FirecrawlAppV1({ apiKey: 'fc-key', apiUrl: house.server.url })
const oldClient = () => new OldClient({ apiKey: 'fc-key', apiUrl: house.server.url })
const schema = { type: 'object', properties: { material: { type: 'string' } }, required: ['material'] }

afterAll(async () => {
  await model.close()
  shop.closeAllConnections()
  shop.close()
})

async function untilTold(type: string) {
  for (;;) {
    const found = told.find((one) => one.type === type)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('The agent of version 2', () => {
  test('gives data in the shape of the schema, and tells its webhook each step', async () => {
    const { success, status, data, creditsUsed } = await client().agent({
      prompt: 'What is the Aurora made of?',
      schema,
      webhook: { url, metadata: { for: 'test' }, events: ['started', 'action', 'completed'] } as never,
      pollInterval: 1,
    })
    expect({ success, status, data }).toEqual({ success: true, status: 'completed', data: { material: 'oak' } })
    expect(creditsUsed).toBeGreaterThanOrEqual(3)
    const completed = await untilTold('agent.completed')
    expect(completed).toMatchObject({ success: true, data: [{ creditsUsed, data: { material: 'oak' } }] })
    expect(told.map(({ type }) => type)).toEqual(['agent.started', 'agent.action', 'agent.action', 'agent.completed'])
    expect(told[1]?.data).toMatchObject([{ action: 'search', input: { words: 'lamp' } }])
  })

  test('is listed, found under extract too, and can be cancelled', async () => {
    model.script(['silence'])
    const { id } = await client().startAgent({ prompt: 'Wait', urls: [url] })
    const { agents } = await client().listAgents()
    expect((agents ?? []).map((agent) => [agent.id, agent.status]).at(0)).toEqual([id, 'processing'])
    expect(await client().getExtractStatus(id ?? '')).toMatchObject({ success: true, status: 'processing' })
    expect(await client().cancelAgent(id ?? '')).toBe(true)
    expect(await client().getAgentStatus(id ?? '')).toMatchObject({
      status: 'failed',
      error: 'The agent was cancelled.',
      creditsUsed: 0,
    })
    model.script([reply])
    const unknown = client().getAgentStatus('0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')
    await expect(unknown).rejects.toThrow('Agent job not found')
  })
})

describe('The trace of an agent', () => {
  const call = ['tool_call.started', 'tool_call.finished']
  const trace = async (id: string) => {
    const { events = [], ...found } = await client().getAgentTrace(id)
    return { ...found, events: events.map(({ type, ...event }) => ({ type, event })) }
  }

  test('has its actions, its answer and its end, and the answer is read as a snapshot', async () => {
    model.script([reply])
    const { id } = await client().startAgent({ prompt: 'What is the Aurora made of?', urls: [url], schema })
    while ((await client().getAgentStatus(id)).status === 'processing')
      await new Promise((resolve) => setTimeout(resolve, 20))
    const { events, ...found } = await trace(id)
    expect(found).toMatchObject({ success: true, id, creditsUsed: expect.any(Number) as number })
    expect(events.map(({ type }) => type)).toEqual([
      ...['run.started', 'agent.started', ...call, ...call, 'artifact.updated', 'agent.finished', 'run.finished'],
    ])
    expect(events.map(({ event }) => event.producerSequence)).toEqual(events.map((_, index) => index + 1))
    expect(events[4]?.event).toMatchObject({ runId: id, toolName: 'read', parameters: { url: `${url}aurora` } })
    expect(events.at(-1)?.event).toMatchObject({ outcome: 'succeeded', error: null })
    expect(events[6]?.event).toMatchObject({ artifact: { kind: 'json', snapshotId: 'answer' } })
    expect(await client().getAgentSnapshot(id, 'answer')).toEqual({
      ...{ success: true, id, snapshotId: 'answer', snapshot: '{"material":"oak"}' },
    })
    expect(await client().getAgentTrace(id, { liveView: true })).toMatchObject({ activeBrowserSessions: [] })
    await expect(client().getAgentSnapshot(id, 'other')).rejects.toThrow('Snapshot not found')
    await expect(client().getAgentSnapshot(id, 'a b')).rejects.toThrow('Invalid snapshot ID')
  })

  test('of a cancelled one ends with the cancellation', async () => {
    model.script(['silence'])
    const { id } = await client().startAgent({ prompt: 'What?', urls: [url] })
    expect((await trace(id)).events.map(({ type }) => type)).toEqual(['run.started', 'agent.started'])
    await client().cancelAgent(id)
    while ((await client().getAgentStatus(id)).status === 'processing')
      await new Promise((resolve) => setTimeout(resolve, 20))
    await expect(client().cancelAgent(id)).rejects.toThrow('Agent is already cancelled')
    const { events } = await trace(id)
    expect(events.slice(2).map(({ type, event }) => [type, 'outcome' in event ? event.outcome : undefined])).toEqual([
      ...[
        ['run.cancel_requested', undefined],
        ['agent.finished', 'cancelled'],
        ['run.finished', 'cancelled'],
      ],
    ])
    model.script([reply])
    const unknown = '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11'
    await expect(client().getAgentTrace(unknown)).rejects.toThrow('Agent job not found')
  })
})

describe('A thread of agents', () => {
  const post = async (body: object) => {
    const response = await fetch(`${house.server.url}/v2/agent`, {
      method: 'POST',
      headers: { authorization: 'Bearer fc-key', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> }
  }

  test('continues with the schema of its last turn, and is read with its runs', async () => {
    model.script([reply])
    const first = await client().agent({ prompt: 'What is the Aurora made of?', schema, pollInterval: 1 })
    expect(first).toMatchObject({ status: 'completed', threadTurn: 1, mode: 'extract' })
    const threadId = first.threadId ?? ''
    const { status, body } = await post({ prompt: 'And now?', threadId })
    expect({ status, body }).toEqual({
      ...{ status: 200, body: { success: true, id: body['id'], threadId, threadTurn: 2 } },
    })
    const ended = async () => {
      for (;;) {
        const found = await client().getAgentStatus(body['id'] ?? '')
        if (found.status !== 'processing') return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    expect(await ended()).toMatchObject({ status: 'completed', data: { material: 'oak' }, threadId, threadTurn: 2 })
    const { thread } = await client().getAgentThread(threadId, { includeData: true })
    expect(thread).toMatchObject({ id: threadId, status: 'idle' })
    expect(thread?.runs).toMatchObject([
      { turn: 1, status: 'succeeded', schema, data: { material: 'oak' }, message: null },
      { turn: 2, status: 'succeeded', schema, prompt: 'And now?', id: body['id'] },
    ])
    expect((await client().getAgentThread(threadId)).thread?.runs[0]).not.toHaveProperty('data')
    const own = createClient({ url: house.server.url, key: 'fc-key' })
    expect(await own.findThread('agent', threadId, { includeData: true })).toEqual(thread)
  })

  test('answers a chat in words, with the exchange as not enabled', async () => {
    model.script([({ body }) => (body.tools ? { calls: [{ name: 'finish', input: {} }] } : { text: 'Of oak.' })])
    const asked = { prompt: 'What is it made of?', mode: 'chat', exchange: { enabled: true, toolkits: ['shop'] } }
    const { body } = await post(asked)
    const found = async () => {
      const response = await fetch(`${house.server.url}/v2/agent/${body['id']}`, {
        headers: { authorization: 'Bearer fc-key' },
      })
      return (await response.json()) as Readonly<Record<string, unknown>>
    }
    while ((await found())['status'] === 'processing') await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await found()).toMatchObject({
      ...{ success: true, status: 'completed', data: null, message: 'Of oak.', mode: 'chat' },
      exchange: { enabled: false, paidCalls: 0, creditsUsed: null },
    })
    expect((await post({ ...asked, exchange: { maxCalls: 31 } })).status).toBe(400)
    expect((await post({ ...asked, mode: 'talk' })).status).toBe(400)
    model.script([reply])
  })

  test('is refused when it is unknown or busy, with the run that is running', async () => {
    const unknown = '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11'
    const missing = {
      status: 404,
      body: { success: false, code: 'thread_not_found', error: expect.any(String) as string },
    }
    expect(await post({ prompt: 'x', threadId: unknown })).toEqual(missing)
    await expect(client().getAgentThread(unknown)).rejects.toMatchObject({ status: 404 })
    expect((await post({ prompt: 'x', threadId: 'no' })).status).toBe(400)
    model.script(['silence'])
    const { body } = await post({ prompt: 'Wait', urls: [url] })
    expect(await post({ prompt: 'x', threadId: body['threadId'] })).toEqual({
      status: 409,
      body: { success: false, code: 'thread_busy', error: expect.any(String) as string, runId: body['id'] },
    })
    await client().cancelAgent(body['id'] ?? '')
    const { thread } = await client().getAgentThread(body['threadId'] ?? '')
    expect(thread?.runs).toMatchObject([{ turn: 1, status: 'cancelled' }])
    model.script([reply])
  })
})

const deprecationOf = ({ headers }: Response) => [headers.get('deprecation'), headers.get('link')]

test.each([
  ['/v1/extract', '</v2/scrape>; rel="successor-version"'],
  ['/v2/extract', '</v2/scrape>; rel="successor-version"'],
  ['/v1/deep-research', '</v2/search>; rel="successor-version"'],
  ['/v1/llmstxt', null],
])('%s says that the public API has replaced it, also of a job that is not there', async (path, link) => {
  const response = await fetch(`${house.server.url}${path}/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11`, {
    headers: { authorization: 'Bearer fc-key' },
  })
  expect(response.status).toBe(404)
  expect(deprecationOf(response)).toEqual(['true', link])
})

test('an extract tells its webhook the value, and its client that the public API has replaced it', async () => {
  const request = { urls: [`${url}aurora`], schema, prompt: 'What is it made of?', webhook: { url } }
  const response = await fetch(`${house.server.url}/v2/extract`, {
    method: 'POST',
    headers: { authorization: 'Bearer fc-key', 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  expect(deprecationOf(response)).toEqual(['true', '</v2/scrape>; rel="successor-version"'])
  const { id, replacement, urlTrace } = (await response.json()) as Record<string, unknown>
  expect({ replacement, urlTrace }).toEqual({ replacement: '/v2/scrape', urlTrace: [] })
  expect(await untilTold('extract.completed')).toMatchObject({
    success: true,
    data: [{ success: true, extractId: id, data: { material: 'oak' }, totalUrlsScraped: 1 }],
  })
  expect(told.filter(({ type }) => type.startsWith('extract.')).map(({ type }) => type)).toEqual([
    'extract.started',
    'extract.completed',
  ])
})

describe.each([
  ['firecrawl, version 1', clientV1],
  ['@mendable/firecrawl-js 1.x', oldClient],
] as const)('The client %s', (_, open) => {
  test('researches a question', async () => {
    const heard: string[] = []
    const found = await open().deepResearch(
      'What are lamps made of?',
      { maxDepth: 2, maxUrls: 5, timeLimit: 60 },
      (activity) => void heard.push(activity.type),
    )
    expect(found).toMatchObject({
      success: true,
      status: 'completed',
      data: { finalAnalysis: 'It is made of oak.', sources: [{ url: `${url}aurora`, title: 'Aurora' }] },
    })
    expect(heard).toContain('search')
  })

  test('has an llms.txt made', async () => {
    const made = await open().generateLLMsText(url, { maxUrls: 5, showFullText: true })
    expect(made).toMatchObject({
      success: true,
      status: 'completed',
      data: {
        llmstxt: `# ${url} llms.txt\n\n- [Lamps](${url}): All lamps.\n- [Aurora](${url}aurora): A lamp of oak.\n`,
        llmsfulltxt: expect.stringContaining('The Aurora is made of oak') as string,
      },
    })
  })
})

test('research of an older client, by its topic, gives data of a schema', async () => {
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(house.server.url + path, {
      method,
      headers: { authorization: 'Bearer fc-key', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { body } = await send('POST', '/v1/deep-research', {
    topic: 'Lamps',
    formats: ['json'],
    jsonOptions: { schema },
    __experimental_streamSteps: true,
  })
  for (;;) {
    const state = (await send('GET', `/v1/deep-research/${String(body['id'])}`)).body
    if (state['status'] === 'processing') continue
    expect(state).toMatchObject({
      status: 'completed',
      totalUrls: 1,
      data: { json: { material: 'oak' }, finalAnalysis: '' },
    })
    break
  }
  expect((await send('POST', '/v1/deep-research', {})).body['error']).toContain("Either 'query' or 'topic'")
  expect((await send('GET', '/v1/llmstxt/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')).body['error']).toBe(
    'llmsTxt generation job not found',
  )
})
