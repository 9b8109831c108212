// The programs of docs/mcp.md whose models read the web, with models that say what was written down for them.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createEngine, type Engine } from '@harvestman/core'
import { createApi, serve, type Server } from '@harvestman/http'
import { startChatServer, startSite } from '@harvestman/testing'
import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ask as askAiSdk } from '../../docs/examples/tools-ai-sdk.ts'
import { ask as askLangchain } from '../../docs/examples/tools-langchain.ts'

let site: Awaited<ReturnType<typeof startSite>>
let engine: Engine
let server: Server

beforeAll(async () => {
  site = await startSite()
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
  server = await serve(createApi(engine), { port: 0 })
})
afterAll(async () => {
  await server?.close()
  await engine?.close()
  await site?.close()
})

test('a model of the AI SDK reads a page by the tools of a server', async () => {
  const scrape = { calls: [{ name: 'scrape', input: { url: `${site.url}/good/article` } }] }
  const chat = await startChatServer({ replies: [scrape, { text: 'I have read it.' }] })
  const model = createOpenAICompatible({ name: 'scripted', baseURL: chat.url })('m')
  expect(await askAiSdk(model, server.url, 'Read it.')).toBe('I have read it.')
  expect(chat.requests[1]?.prompt).toMatch(/Status: 200[^]*<page-content/)
  await chat.close()
})

test('a model of LangChain reads a page by the tools of an engine', async () => {
  const scrape = { name: 'scrape', id: '1', args: { url: `${site.url}/good/article` } }
  const model = fakeModel().respondWithTools([scrape]).respond(new AIMessage('I have read it.'))
  expect(await askLangchain(model, engine, 'Read it.')).toBe('I have read it.')
  expect(model.calls[1]?.messages.at(-1)?.text).toMatch(/Status: 200[^]*<page-content/)
})
