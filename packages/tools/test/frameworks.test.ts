// The tools in the AI SDK and in LangChain: the real libraries, the typed client, a model that says what was written down for it,
// over real HTTP on a real engine and a real site.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createClient } from '@harvestman/client'
import { createEngine, type Engine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { startChatServer, type ChatReply, type ChatServer } from '@harvestman/testing'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { generateText, stepCountIs } from 'ai'
import { links } from 'dead-links'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { aiTools } from '../src/ai-sdk.ts'
import { langchainTools } from '../src/langchain.ts'
import { serveSite, type Site } from './site.ts'

let site: Site
let engine: Engine
let server: Server
let chat: ChatServer
const clientOf = (key: string) => createClient({ url: server.url, key })

beforeAll(async () => {
  site = await serveSite()
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [links] })
  server = await serve(createApi(engine, { authenticate: apiKeys('secret') }), { port: 0 })
  chat = await startChatServer({ replies: [] })
})
afterAll(async () => {
  await chat?.close()
  await server?.close()
  await engine?.close()
  await site?.close()
})

/** A page with a picture, as the API gives it. */
const withPicture = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  if (pathname === '/v2/files/abc')
    return new Response(new Uint8Array(10).fill(7), { headers: { 'content-type': 'image/jpeg' } })
  const metadata = { title: 'Lamp', url: 'https://a.test/', statusCode: 200, scrapeId: 's1' }
  return Response.json({ success: true, data: { metadata, screenshot: 'https://public.test/v2/files/abc' } })
}
const picture = Buffer.alloc(10, 7).toString('base64')
const pictureOf = { url: 'https://a.test/', formats: ['screenshot'] }

const told = (requests: ChatServer['requests']) => requests.map(({ body }) => body.messages.at(-1)?.content ?? '')

describe('In the AI SDK', () => {
  const model = () => createOpenAICompatible({ name: 'scripted', baseURL: chat.url })('m')
  const generate = async (replies: readonly ChatReply[], tools: Awaited<ReturnType<typeof aiTools>>) => {
    chat.script(replies)
    const before = chat.requests.length
    const { text, steps } = await generateText({ model: model(), tools, prompt: 'Go.', stopWhen: stepCountIs(20) })
    return { text, steps, requests: chat.requests.slice(before) }
  }

  test('a model is told each tool, calls one, and reads on until there is no more', async () => {
    const parts: string[] = []
    const readOn: ChatReply = ({ prompt }) => {
      const next = [...prompt.matchAll(/Next: read (\{[^}]+\})/g)]
      if (parts.length === next.length) return { text: 'Done.' }
      parts.push(next.at(-1)?.[1] ?? '')
      const input = JSON.parse(parts.at(-1) ?? '') as { id: string; offset: number }
      return { calls: [{ name: 'read', input: { ...input, maxTokens: 1_000 } }] }
    }
    const scrape = { calls: [{ name: 'scrape', input: { url: `${site.url}/long`, maxTokens: 1_000 } }] }
    const { text, requests } = await generate([scrape, readOn], await aiTools(clientOf('secret')))
    expect(text).toBe('Done.')
    expect(parts.length).toBeGreaterThan(1)
    const { tools } = requests[0]!.body as unknown as { tools: readonly { function: Record<string, unknown> }[] }
    expect(tools.map((one) => one.function['name'])).toEqual(
      expect.arrayContaining(['scrape', 'read', 'crawl', 'dead_links', 'answer']),
    )
    expect(tools[0]?.function).toMatchObject({
      description: expect.stringContaining('Loads one web page') as string,
      parameters: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    })
    expect(told(requests).join('\n')).toContain('needle in part 25')
    for (const result of told(requests)) expect(result.length).toBeLessThan(6_000)
  })

  test('an input that is wrong and a refusal of the server are told with their remedy', async () => {
    const call = (input: { readonly url: string }): ChatReply => ({ calls: [{ name: 'scrape', input }] })
    const wrong = await generate([call({ url: 'lamp' }), { text: 'Oh.' }], await aiTools(clientOf('secret')))
    expect(told(wrong.requests)[1]).toMatch(/input of scrape is wrong\. url: .*Call it again/)
    const refused = await generate([call({ url: site.url }), { text: 'Oh.' }], await aiTools(clientOf('wrong')))
    expect(told(refused.requests)[1]).toContain('Unauthorized')
  })

  test('a screenshot is a file beside the text, or left out', async () => {
    const { scrape } = await aiTools(withPicture)
    const run = async (one = scrape) => one?.toModelOutput({ output: await one.execute(pictureOf, {}) })
    expect(await run()).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: expect.stringContaining('Title: Lamp') as string },
        { type: 'file', mediaType: 'image/jpeg', data: { type: 'data', data: picture } },
      ],
    })
    const without = await aiTools(withPicture, { images: false })
    expect(await run(without['scrape'])).toEqual({
      type: 'text',
      value: expect.stringContaining('images are turned off') as string,
    })
  })

  test('an engine in this process needs no server', async () => {
    const tools = await aiTools(createApi(engine), { only: ['scrape'] })
    expect(Object.keys(tools)).toEqual(['scrape'])
    const { steps } = await generate(
      [{ calls: [{ name: 'scrape', input: { url: site.url } }] }, { text: 'Ok.' }],
      tools,
    )
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({ isError: false, text: expect.stringContaining('Start') })
  })
})

describe('In LangChain', () => {
  const call = (name: string, args: Record<string, unknown>) => ({ type: 'tool_call' as const, id: '1', name, args })

  test('a tool that is called answers with a message, of a kind of job too', async () => {
    const tools = await langchainTools(DynamicStructuredTool, clientOf('secret'), { only: ['scrape', 'dead_links'] })
    const [scrape, deadLinks] = tools
    expect(scrape).toMatchObject({ name: 'scrape', description: expect.stringContaining('Loads one web page') })
    const page = await scrape?.invoke(call('scrape', { url: site.url }))
    expect(page).toMatchObject({ tool_call_id: '1', content: expect.stringMatching(/Status: 200[^]*<page-content/) })
    const dead = await deadLinks?.invoke(call('dead_links', { url: site.url }))
    expect(dead).toMatchObject({ content: expect.stringContaining('completed') })
  })

  test('a screenshot is an image, and a refusal is told with its remedy', async () => {
    const [seen] = await langchainTools(DynamicStructuredTool, withPicture, { only: ['scrape'] })
    const shown = await seen?.invoke(call('scrape', pictureOf))
    expect(shown?.content).toEqual([
      { type: 'text', text: expect.stringContaining('Title: Lamp') as string },
      { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${picture}` } },
    ])
    const [refused] = await langchainTools(DynamicStructuredTool, clientOf('wrong'), { only: ['scrape'] })
    expect((await refused?.invoke(call('scrape', { url: site.url })))?.content).toContain('Unauthorized')
  })

  test('a call that is cancelled ends, and the request behind it too', async () => {
    const stopped = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const never = async (request: Request): Promise<Response> => {
      if (request.method === 'GET') return Response.json({ success: true, kinds: [] })
      return new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => {
          stopped.resolve()
          reject(request.signal.reason as Error)
        })
        asked.resolve()
      })
    }
    const [scrape] = await langchainTools(DynamicStructuredTool, never, { only: ['scrape'] })
    const cancel = new AbortController()
    const called = scrape?.invoke(call('scrape', { url: site.url }), { signal: cancel.signal })
    await asked.promise
    cancel.abort(new Error('Enough.'))
    await expect(called).rejects.toThrow(/Enough|abort/i)
    await stopped.promise
  })
})

test('a tool that there is not is named, with those that there are', async () => {
  await expect(aiTools(clientOf('secret'), { only: ['scrape', 'scrap'] })).rejects.toThrow(
    /no tool scrap\. Name some of these: scrape, read/,
  )
})
