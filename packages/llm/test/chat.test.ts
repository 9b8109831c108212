import type { LLM, Question } from '@harvestman/ports'
import {
  engineErrorOf,
  hostileReplies,
  hostileSchema,
  llmContract,
  startChatServer,
  type ChatKnowledge,
  type ChatReply,
  type ChatServer,
  type ChatServerOptions,
} from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { chatLLM, type ChatOptions } from '../src/index.ts'

const open: ChatServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function start(options: ChatServerOptions): Promise<ChatServer> {
  const server = await startChatServer(options)
  open.push(server)
  return server
}

async function bench(
  replies: readonly ChatReply[],
  knows: Partial<ChatKnowledge> = {},
  options: Partial<ChatOptions> = {},
) {
  const server = await start({ replies, knows })
  // An endpoint that answers may be as slow as the machine is.
  const silence = replies.some((reply) => reply === 'silence' || reply === 'stall') ? 300 : 60_000
  const llm = chatLLM({ url: server.url, model: 'm', firstWait: 1, retries: 2, silence, ...options })
  return { server, llm }
}

const never = () => new AbortController().signal
const question: Question = { system: 'Be exact.', prompt: 'What is sold?', schema: hostileSchema }

describe('chatLLM keeps the contract of the port', () => {
  for (const { name, run } of llmContract)
    test(name, () =>
      run(async ({ replies }) => {
        const script = replies.map((reply): ChatReply => {
          if (reply === 'silence' || 'calls' in reply) return reply
          return typeof reply.value === 'string' ? { text: reply.value } : { value: reply.value }
        })
        const { llm } = await bench(script, {}, { repairs: 0 })
        return llm
      }),
    )
})

describe('whatever the endpoint does, there is an answer that fits or a failure with its reason', () => {
  for (const { name, replies, most, becomes } of hostileReplies)
    test(name, async () => {
      const { server, llm } = await bench(replies)
      if ('value' in becomes) expect((await llm.ask(question, never())).value).toEqual(becomes.value)
      else {
        const { code, details } = await engineErrorOf(llm.ask(question, never()))
        expect({ code, reason: details['reason'] }).toEqual({ reason: undefined, ...becomes })
      }
      expect(server.requests.length).toBeLessThanOrEqual(most)
    })
})

describe('what the endpoint does not know is asked for in another way, once', () => {
  const cases: readonly [string, Partial<ChatKnowledge>, (seen: ChatServer['requests'][number]['body']) => void][] = [
    ['json_schema', {}, ({ response_format }) => expect(response_format?.type).toBe('json_schema')],
    [
      'json_object',
      { shapes: ['json_object'] },
      ({ response_format }) => expect(response_format?.type).toBe('json_object'),
    ],
    [
      'a tool',
      { shapes: [] },
      ({ tool_choice }) => expect(tool_choice).toMatchObject({ function: { name: 'answer' } }),
    ],
    [
      'words',
      { shapes: [], tools: false },
      ({ tools, messages }) => {
        expect(tools).toBeUndefined()
        expect(messages[0]?.content).toContain('"price":{"type":"number"}')
      },
    ],
    ['no stream', { stream: false }, ({ stream }) => expect(stream).toBeUndefined()],
    [
      'a stream without usage',
      { streamOptions: false },
      ({ stream, stream_options }) => expect([stream, stream_options]).toEqual([true, undefined]),
    ],
    ['no temperature', { temperature: false }, ({ temperature }) => expect(temperature).toBeUndefined()],
    [
      'another name for the limit',
      { limit: 'max_completion_tokens' },
      ({ max_completion_tokens }) => expect(max_completion_tokens).toBe(4096),
    ],
    [
      'no limit',
      { limit: 'none' },
      (body) => expect([body.max_tokens, body.max_completion_tokens]).toEqual([undefined, undefined]),
    ],
    [
      'nothing of all that',
      { shapes: [], tools: false, stream: false, streamOptions: false, temperature: false, limit: 'none' },
      ({ messages }) => expect(messages).toHaveLength(2),
    ],
  ]
  for (const [name, knows, check] of cases)
    test(name, async () => {
      const value = { title: 'Lamp', price: 12.5 }
      const reply: ChatReply = ({ body }) =>
        body.tool_choice ? { calls: [{ name: 'answer', input: value }] } : { value }
      const { server, llm } = await bench([reply], knows)
      expect((await llm.ask(question, never())).value).toEqual(value)
      const found = server.requests.length
      expect((await llm.ask(question, never())).value).toEqual(value)
      // The second question is asked in the right way at once.
      expect(server.requests.length).toBe(found + 1)
      check(server.requests.at(-1)!.body)
    })

  test('an endpoint that takes a shape and heeds it not is asked in the next way', async () => {
    const { server, llm } = await bench([
      ({ body }) =>
        body.response_format
          ? { text: 'Lamps, mostly.' }
          : { calls: [{ name: 'answer', input: { title: 'Lamp', price: 1 } }] },
    ])
    expect((await llm.ask(question, never())).value).toEqual({ title: 'Lamp', price: 1 })
    expect(server.requests.map(({ body }) => body.response_format?.type ?? 'tools')).toEqual([
      'json_schema',
      'json_object',
      'tools',
    ])
  })
})

describe('shapes', () => {
  test('a list is asked for inside an object, with its references, and comes out as a list', async () => {
    const schema = { type: 'array', items: { $ref: '#/$defs/one' }, $defs: { one: { type: 'string' } } }
    const { server, llm } = await bench([{ value: { value: ['a', 'b'] } }])
    expect((await llm.ask({ prompt: 'Which?', schema }, never())).value).toEqual(['a', 'b'])
    expect(server.requests[0]?.body.response_format?.json_schema?.schema).toMatchObject({
      type: 'object',
      properties: { value: { items: { $ref: '#/properties/value/$defs/one' } } },
    })
  })

  test('a schema is strict only when every object says all it has', async () => {
    const { server, llm } = await bench([{ value: { title: 'Lamp', price: 1 } }])
    await llm.ask(question, never())
    await llm
      .ask({ ...question, schema: { ...hostileSchema, required: ['title', 'price', 'note'] } }, never())
      .catch(() => undefined)
    expect(server.requests.slice(0, 2).map(({ body }) => body.response_format?.json_schema?.strict)).toEqual([
      false,
      true,
    ])
  })

  test('a schema that cannot be checked is refused before anything is sent', async () => {
    const { server, llm } = await bench([{ value: {} }])
    const { code, message } = await engineErrorOf(llm.ask({ prompt: 'x', schema: { type: 'text' } }, never()))
    expect([code, message]).toEqual(['model_failed', expect.stringContaining('has the type "text"')])
    expect(server.requests).toEqual([])
  })

  test('what was wrong with an answer is told to the model', async () => {
    const { server, llm } = await bench([{ value: { title: 'Lamp' } }, { value: { title: 'Lamp', price: 2 } }])
    await llm.ask(question, never())
    expect(server.requests[1]?.body.messages.at(-1)?.content).toContain('price is missing.')
    expect(server.requests[1]?.body.messages.at(-2)).toEqual({ role: 'assistant', content: '{"title":"Lamp"}' })
  })
})

describe('tools', () => {
  const tools = [
    {
      name: 'open',
      description: 'Opens a page.',
      input: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
    },
  ]

  test('a call whose input does not fit is asked for again', async () => {
    const { server, llm } = await bench([
      { calls: [{ name: 'open', input: { url: 7 } }] },
      { calls: [{ name: 'open', input: { url: '/a' } }] },
    ])
    const { calls, usage } = await llm.ask({ prompt: 'Go', tools }, never())
    expect(calls).toEqual([{ id: 'call_0', name: 'open', input: { url: '/a' } }])
    expect(usage).toEqual({ inputTokens: 20, outputTokens: 10 })
    expect(server.requests[1]?.prompt).toContain('url must be a string, and is 7.')
  })

  test('a model without tools is told of them in words, and writes its calls as JSON', async () => {
    const { server, llm } = await bench(
      [{ text: 'Sure:\n{"tool": "open", "input": {"url": "/a"}}' }, { text: 'It is a lamp.' }],
      { tools: false },
    )
    const first = await llm.ask({ prompt: 'Go', tools }, never())
    expect(first.calls).toEqual([{ id: 'call-0', name: 'open', input: { url: '/a' } }])
    const turns = [
      { role: 'assistant' as const, text: '', calls: first.calls },
      { role: 'tool' as const, call: first.calls[0]!, result: 'A lamp.' },
    ]
    expect((await llm.ask({ prompt: 'Go', tools, turns }, never())).value).toBe('It is a lamp.')
    expect(server.requests.at(-1)?.prompt).toContain('What open brought:\nA lamp.')
  })

  test('with a schema, the answer that ends the calls fits it', async () => {
    const { llm } = await bench([{ text: 'Done: {"title": "Lamp"}' }, { value: { title: 'Lamp', price: 3 } }])
    expect((await llm.ask({ ...question, tools }, never())).value).toEqual({ title: 'Lamp', price: 3 })
  })
})

describe('bounds', () => {
  test('a question that is longer than the model has room for is not sent', async () => {
    const { server, llm } = await bench([{ text: 'x' }])
    const { code, details } = await engineErrorOf(llm.ask({ prompt: 'word '.repeat(20_000) }, never()))
    expect([code, details['reason']]).toEqual(['model_failed', 'too_long'])
    expect(server.requests).toEqual([])
  })

  test('repairs end when the budget is used up', async () => {
    const usage = { inputTokens: 40_000, outputTokens: 9_000 }
    const { server, llm } = await bench([{ text: 'no', usage }], {}, { repairs: 2 })
    expect((await engineErrorOf(llm.ask(question, never()))).details['reason']).toBe('budget')
    expect(server.requests).toHaveLength(1)
  })

  test('what was used is told of all attempts, and guessed when the endpoint does not tell', async () => {
    const { llm } = await bench([{ text: 'no' }, { value: { title: 'Lamp', price: 1 } }])
    expect((await llm.ask(question, never())).usage).toEqual({ inputTokens: 20, outputTokens: 10 })
    const silent = await bench([{ text: 'word '.repeat(70), usage: null }])
    expect((await silent.llm.ask({ prompt: 'x'.repeat(350) }, never())).usage.outputTokens).toBeGreaterThan(50)
  })

  test('the whole question has a deadline', async () => {
    const { server, llm } = await bench(['silence'], {}, { timeout: 100, silence: 60_000 })
    const { code, details } = await engineErrorOf(llm.ask(question, never()))
    expect([code, details['reason']]).toEqual(['model_unavailable', 'timeout'])
    await expect.poll(() => server.open).toBe(0)
  })

  test('a cancelled question closes its connection', async () => {
    const { server, llm } = await bench(['stall'], {}, { silence: 60_000 })
    const controller = new AbortController()
    const asked = llm.ask(question, controller.signal)
    await expect.poll(() => server.open).toBe(1)
    controller.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect.poll(() => server.open).toBe(0)
  })

  test('a broken endpoint is not stormed: a hundred questions are a hundred messages and a few', async () => {
    const { server, llm } = await bench([{ status: 500 }])
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => engineErrorOf(llm.ask(question, never()))))
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['model_unavailable']))
    expect(server.requests.length).toBeLessThanOrEqual(110)
  })

  test('no more messages are under way at once than is allowed', async () => {
    let most = 0
    const { server, llm } = await bench(
      [
        async () => {
          most = Math.max(most, server.open)
          await new Promise((resolve) => setTimeout(resolve, 5))
          return { text: 'x' }
        },
      ],
      {},
      { concurrency: 3 },
    )
    await Promise.all(Array.from({ length: 12 }, () => llm.ask({ prompt: 'x' }, never())))
    expect(most).toBe(3)
  })
})

describe('the endpoint', () => {
  const ask = (llm: LLM) => llm.ask({ prompt: 'Hello?' }, never())

  test.each([[''], ['/'], ['/v1'], ['/v1/'], ['/api'], ['/v1/chat/completions']])(
    'is found by the base URL with the path "%s"',
    async (path) => {
      const server = await start({ replies: [{ text: 'x' }] })
      await ask(chatLLM({ url: new URL(server.url).origin + path, model: 'm' }))
      expect(server.requests.map((request) => request.path)).toEqual(['/v1/chat/completions'])
    },
  )

  test('keeps a path of its own, and its query', async () => {
    const server = await start({ replies: [{ text: 'x' }] })
    await ask(chatLLM({ url: `${new URL(server.url).origin}/openai/deployments/a?api-version=1`, model: 'm' }))
    expect(server.requests[0]?.path).toBe('/openai/deployments/a/chat/completions?api-version=1')
  })

  test('is given the key, and nothing that is thrown shows it', async () => {
    const server = await start({ replies: [{ text: 'x' }], key: 'sk-right' })
    await ask(chatLLM({ url: server.url, model: 'm', key: 'sk-right' }))
    const error = await engineErrorOf(ask(chatLLM({ url: server.url, model: 'm', key: 'sk-wrong' })))
    expect(error.code).toBe('not_configured')
    expect(`${error.message} ${String(error.cause)}`).not.toContain('sk-wrong')
    expect(String(error.cause)).toContain('***')
  })

  test('is asked for its only model when none is named', async () => {
    const server = await start({ replies: [{ text: 'x' }], models: ['qwen'] })
    const llm = chatLLM({ url: server.url })
    await ask(llm)
    await ask(llm)
    expect(server.requests.map(({ body }) => body.model)).toEqual(['qwen', 'qwen'])
    const many = await start({ replies: [{ text: 'x' }], models: ['a', 'b'] })
    expect((await engineErrorOf(ask(chatLLM({ url: many.url })))).message).toContain('It has a, b.')
  })

  test('is not followed elsewhere', async () => {
    const elsewhere = await start({ replies: [{ text: 'x' }] })
    const { llm } = await bench([{ status: 308, headers: { location: `${elsewhere.url}/chat/completions` } }])
    expect((await engineErrorOf(ask(llm))).message).toContain('redirects elsewhere')
    expect(elsewhere.requests).toEqual([])
  })

  test.each([['localhost:1234'], ['ftp://a'], ['http://user:secret@127.0.0.1/'], ['sk-a-key-by-mistake']])(
    'has a base URL that can be one: %s cannot, and is not shown',
    (url) => {
      expect(() => chatLLM({ url, model: 'm' })).toThrow(expect.objectContaining({ code: 'not_configured' }) as Error)
      expect(() => chatLLM({ url, model: 'm' })).not.toThrow(url)
    },
  )
})
