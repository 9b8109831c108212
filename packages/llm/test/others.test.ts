import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { EngineError } from '@harvestman/core'
import { hostileSchema, llmContract, startChatServer, type ChatReply, type ChatServer } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { aiSdkLLM, functionLLM, type FunctionAnswer } from '../src/index.ts'

const open: ChatServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const never = () => new AbortController().signal
const forever = new Promise<never>(() => {})

describe('functionLLM keeps the contract of the port', () => {
  for (const { name, run } of llmContract)
    test(name, () =>
      run(({ replies }) => {
        let asked = 0
        const answer = (): FunctionAnswer | Promise<FunctionAnswer> => {
          const reply = replies[Math.min(asked, replies.length - 1)]
          asked += 1
          if (reply === undefined || reply === 'silence') return forever
          if ('calls' in reply) return { calls: reply.calls.map((call) => ({ id: '', ...call })) }
          return reply.value
        }
        return functionLLM(answer, { repairs: 0 })
      }),
    )
})

describe('functionLLM', () => {
  test('tells the shape in words, and reads what the function says as that of any model', async () => {
    const seen: string[] = []
    const llm = functionLLM(({ system = '', turns = [] }) => {
      seen.push(system)
      return turns.length === 0 ? 'A lamp!' : '```json\n{"title":"Lamp","price":1}\n```'
    })
    const { value } = await llm.ask({ prompt: 'What?', schema: hostileSchema }, never())
    expect(value).toEqual({ title: 'Lamp', price: 1 })
    expect(seen[0]).toContain('JSON Schema')
  })

  test('gives usage when the function does', async () => {
    const usage = { inputTokens: 7, outputTokens: 3 }
    const llm = functionLLM(() => ({ value: 'x', usage }))
    expect(await llm.ask({ prompt: 'x' }, never())).toEqual({ value: 'x', calls: [], usage })
  })

  test('takes a value for a value, also one that has the names of an answer', async () => {
    const llm = functionLLM(() => ({ value: 1, usage: 'daily' }))
    const schema = { type: 'object', required: ['value', 'usage'] }
    expect((await llm.ask({ prompt: 'x', schema }, never())).value).toEqual({ value: 1, usage: 'daily' })
  })
})

async function sdk(replies: readonly ChatReply[], key = 'k') {
  const server = await startChatServer({ replies, key: 'k' })
  open.push(server)
  const provider = createOpenAICompatible({
    name: 'test',
    baseURL: server.url,
    apiKey: key,
    supportsStructuredOutputs: true,
  })
  return { server, llm: aiSdkLLM(provider('m'), { repairs: 0 }) }
}

describe('aiSdkLLM with a provider of the SDK, over HTTP, keeps the contract of the port', () => {
  for (const { name, run } of llmContract)
    test(name, () =>
      run(async ({ replies }) => {
        const script = replies.map((reply): ChatReply => {
          if (reply === 'silence' || 'calls' in reply) return reply
          return typeof reply.value === 'string' ? { text: reply.value } : { value: reply.value }
        })
        return (await sdk(script)).llm
      }),
    )
})

describe('aiSdkLLM', () => {
  test('sends the schema, and gives what was used', async () => {
    const { server, llm } = await sdk([{ value: { title: 'Lamp', price: 1 } }])
    expect(llm.name).toBe('m')
    const { usage } = await llm.ask({ prompt: 'What?', schema: hostileSchema }, never())
    expect(usage).toEqual({ inputTokens: 10, outputTokens: 5 })
    expect(server.requests[0]?.body.response_format?.json_schema?.schema).toMatchObject({
      required: ['title', 'price'],
    })
  })

  test.each<[string, readonly ChatReply[], string | undefined, object]>([
    ['a wrong key', [{ text: 'x' }], 'wrong', { code: 'not_configured' }],
    ['a refused request', [{ status: 400 }], undefined, { code: 'model_failed' }],
    ['a server error', [{ status: 500 }], undefined, { code: 'model_unavailable' }],
  ])('turns what a provider throws into our failures: %s', async (_, replies, key, expected) => {
    const { llm } = await sdk(replies, key)
    const error: unknown = await llm.ask({ prompt: 'x' }, never()).catch((reason: unknown) => reason)
    expect(EngineError.is(error) && { code: error.code }).toEqual(expected)
  })

  test('refuses an object of a specification that it does not know', () => {
    const old = { specificationVersion: 'v1', modelId: 'm', doGenerate: () => Promise.resolve() }
    expect(() => aiSdkLLM(old)).toThrow('AI SDK 5 or newer')
  })
})
