import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  embeddingsContract,
  engineErrorOf,
  hashedVector,
  startEmbeddingServer,
  type EmbeddingReply,
  type EmbeddingServer,
} from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { aiSdkEmbeddings, endpointEmbeddings, functionEmbeddings, type EmbeddingOptions } from '../src/index.ts'

const open: EmbeddingServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function serve(replies: readonly EmbeddingReply[] = []): Promise<EmbeddingServer> {
  const server = await startEmbeddingServer({ replies, key: 'secret-key' })
  open.push(server)
  return server
}

async function endpoint(replies: readonly EmbeddingReply[] = [], options: EmbeddingOptions & { key?: string } = {}) {
  const server = await serve(replies)
  const silence = replies.includes('silence') ? 300 : 60_000
  const settings = { url: server.url, key: 'secret-key', model: 'm', firstWait: 1, retries: 2, silence }
  return { server, model: endpointEmbeddings({ ...settings, ...options }) }
}

const never = () => new AbortController().signal
const silent = (silence: boolean): readonly EmbeddingReply[] => (silence ? ['silence'] : [])

describe('endpointEmbeddings keeps the contract of the port', () => {
  for (const { name, run } of embeddingsContract)
    test(name, () => run(async ({ silence }) => (await endpoint(silent(silence))).model))
})

describe('aiSdkEmbeddings with a provider of the SDK, over HTTP, keeps the contract of the port', () => {
  for (const { name, run } of embeddingsContract)
    test(name, () =>
      run(async ({ silence }) => {
        const server = await serve(silent(silence))
        const provider = createOpenAICompatible({ name: 'test', baseURL: server.url, apiKey: 'secret-key' })
        return aiSdkEmbeddings(provider.embeddingModel('m'))
      }),
    )
})

describe('functionEmbeddings keeps the contract of the port', () => {
  const forever = new Promise<never>(() => {})
  for (const { name, run } of embeddingsContract)
    test(name, () =>
      run(({ silence }) => functionEmbeddings((texts) => (silence ? forever : texts.map(hashedVector)), { name: 'f' })),
    )
})

describe('embeddings', () => {
  test('send texts in requests that are limited in number and in tokens', async () => {
    const { server, model } = await endpoint([], { batch: 3, batchTokens: 40, concurrency: 1 })
    const long = 'spider '.repeat(15)
    await model.embed(['a', 'b', 'c', 'd', long, long], 'document', never())
    expect(server.requests.map(({ length }) => length)).toEqual([3, 2, 1])
  })

  test('put the prefix of the purpose before each text', async () => {
    const { server, model } = await endpoint([], { prefixes: { query: 'query: ', document: 'passage: ' } })
    await model.embed(['a'], 'query', never())
    await model.embed(['b'], 'document', never())
    expect(server.requests).toEqual([['query: a'], ['passage: b']])
  })

  test('try again when the endpoint is busy, fails or ends the connection', async () => {
    const { server, model } = await endpoint([{ status: 429, headers: { 'retry-after': '0' } }, 'hang up'])
    const { vectors } = await model.embed(['a'], 'query', never())
    expect(vectors).toHaveLength(1)
    expect(server.requests).toHaveLength(3)
  })

  test('order the vectors of an endpoint by their index', async () => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [2, 0] },
    ]
    const { model } = await endpoint([{ raw: JSON.stringify({ data }) }])
    const { vectors } = await model.embed(['a', 'b'], 'query', never())
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ])
  })

  test('reject a text that is too long without a request', async () => {
    const { server, model } = await endpoint([], { contextTokens: 10 })
    const { code, details } = await engineErrorOf(model.embed(['a', 'spider '.repeat(15)], 'query', never()))
    expect({ code, reason: details['reason'] }).toEqual({ code: 'model_failed', reason: 'too_long' })
    expect(server.requests).toEqual([])
  })

  test.each([
    ['no JSON', { raw: 'Hello' }, 'model_failed'],
    ['no vectors', { raw: '{"data":[]}' }, 'model_failed'],
    ['too few numbers', { raw: '{"data":[{"embedding":[]},{"embedding":[1]}]}' }, 'model_failed'],
    ['other dimensions', { raw: '{"data":[{"embedding":[1,2]},{"embedding":[1]}]}' }, 'model_failed'],
    ['no numbers', { raw: '{"data":[{"embedding":["1"]},{"embedding":["2"]}]}' }, 'model_failed'],
    ['no direction', { raw: '{"data":[{"embedding":[0]},{"embedding":[0]}]}' }, 'model_failed'],
    ['a wrong path', { status: 404 }, 'not_configured'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'not_configured'],
    ['a rejection', { status: 400, body: '{"error":"input"}' }, 'model_failed'],
  ] satisfies [string, EmbeddingReply, string][])('fail for %s', async (_, reply, expected) => {
    const { model } = await endpoint([reply])
    const { code } = await engineErrorOf(model.embed(['a', 'b'], 'query', never()))
    expect(code).toBe(expected)
  })

  test('reject vectors with other dimensions than earlier ones', async () => {
    let dimensions = 2
    const model = functionEmbeddings((texts) => texts.map(() => Array.from({ length: dimensions }, () => 1)), {
      name: 'f',
    })
    await model.embed(['a'], 'query', never())
    dimensions = 3
    const { message } = await engineErrorOf(model.embed(['a'], 'query', never()))
    expect(message).toContain('3 dimensions instead of 2')
  })

  test('do not show the key when the endpoint rejects it', async () => {
    const { model } = await endpoint([], { key: 'other-key' })
    const error = await engineErrorOf(model.embed(['a'], 'query', never()))
    expect(error.code).toBe('not_configured')
    expect(error.message + String(error.cause)).not.toContain('other-key')
  })

  test('time out with a model of a provider that ignores the signal', async () => {
    const deaf = { specificationVersion: 'v3', modelId: 'm', doEmbed: () => new Promise<never>(() => {}) }
    const error = await engineErrorOf(aiSdkEmbeddings(deaf, { timeout: 20 }).embed(['a'], 'query', never()))
    expect(error).toMatchObject({ code: 'model_unavailable', details: { reason: 'timeout' } })
  })

  test('abort the other requests of a call after one has failed', async () => {
    const signals: AbortSignal[] = []
    const model = functionEmbeddings(
      (texts, _purpose, signal) => {
        signals.push(signal)
        return texts[0] === 'b' ? Promise.reject(new Error('no b')) : new Promise<never>(() => {})
      },
      { name: 'f', batch: 1 },
    )
    await expect(model.embed(['a', 'b', 'c'], 'document', never())).rejects.toThrow('no b')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
  })

  test.each([Number.NaN, -1, 0.5, '3', null])('estimate the tokens if a provider reports %s', async (tokens) => {
    const doEmbed = () => Promise.resolve({ embeddings: [[1]], usage: { tokens } })
    const model = aiSdkEmbeddings({ specificationVersion: 'v3', modelId: 'm', doEmbed })
    const { usage } = await model.embed(['spider'], 'query', never())
    expect(usage.inputTokens).toBeGreaterThan(0)
    expect(Number.isInteger(usage.inputTokens)).toBe(true)
  })

  test('name the port in errors of the configuration', async () => {
    const { model } = await endpoint([{ status: 404 }])
    const errors = [
      engineErrorOf(model.embed(['a'], 'query', never())),
      engineErrorOf((async () => endpointEmbeddings({ url: 'ftp://a.example', model: 'm' }))()),
    ]
    for (const { details } of await Promise.all(errors)) expect(details).toEqual({ port: 'embeddings' })
  })

  test('need a model object of a supported version', () => {
    const old = { specificationVersion: 'v1', modelId: 'm', doEmbed: () => Promise.resolve() }
    expect(() => aiSdkEmbeddings(old)).toThrow('AI SDK 5')
  })
})
