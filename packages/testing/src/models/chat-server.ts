import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Usage } from '@harvestman/ports'

import {
  knowsAll,
  refusalOf,
  type ChatKnowledge,
  type ChatReply,
  type ChatRequest,
  type ChatRequestBody,
} from './reply.ts'

/** Options of the chat completions server. */
export interface ChatServerOptions {
  /** Replies, one per request; the last one is repeated. Requests rejected for unsupported parameters use up none. */
  readonly replies: readonly ChatReply[]
  readonly knows?: Partial<ChatKnowledge>
  /** API key. Requests without it get status 401. */
  readonly key?: string
  /** The models that the endpoint lists. */
  readonly models?: readonly string[]
}

/** A chat completions server on localhost with scripted replies. */
export interface ChatServer {
  /** The base URL. */
  readonly url: string
  /** All completion requests, including rejected ones. */
  readonly requests: readonly ChatRequest[]
  /** Number of requests whose connection is still open. */
  readonly open: number
  /** Replaces the replies. */
  script(replies: readonly ChatReply[]): void
  close(): Promise<void>
}

type Data = Exclude<ChatReply, (request: ChatRequest) => unknown>

/**
 * Starts a chat completions endpoint with scripted replies on a free port of localhost, over real HTTP. The last reply is
 * repeated; without replies it responds with 500.
 */
export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const requests: ChatRequest[] = []
  const knows = { ...knowsAll, ...options.knows }
  let replies = options.replies
  let taken = 0
  let open = 0

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key}`)
      return sendJson(response, 401, { error: { message: `Incorrect API key: ${incoming.headers.authorization}` } })
    const { pathname } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
    if (pathname.endsWith('/models'))
      return sendJson(response, 200, { object: 'list', data: (options.models ?? ['scripted']).map((id) => ({ id })) })
    if (!pathname.endsWith('/chat/completions')) return sendJson(response, 404, { error: { message: 'Not found' } })
    const request = await readRequest(incoming)
    requests.push(request)
    const refusal = refusalOf(request.body, knows)
    if (refusal !== undefined) return sendJson(response, 400, { error: { message: refusal } })
    const reply = replies[Math.min(taken, replies.length - 1)]
    taken += 1
    if (reply === undefined) return sendJson(response, 500, { error: { message: 'No reply was written down.' } })
    await send(await settled(reply, request), request, response)
  }

  const server = createServer((incoming, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    response.on('error', () => undefined)
    answer(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get open() {
      return open
    },
    script: (next) => {
      replies = next
      taken = 0
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ChatRequest> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const body = JSON.parse(Buffer.concat(pieces).toString()) as ChatRequestBody
  return {
    path: incoming.url ?? '',
    headers: incoming.headers as Readonly<Record<string, string | undefined>>,
    body,
    prompt: body.messages.map(({ content }) => content ?? '').join('\n\n'),
  }
}

async function settled(reply: ChatReply, request: ChatRequest): Promise<Data> {
  return typeof reply === 'function' ? settled(await reply(request), request) : reply
}

async function send(reply: Data, request: ChatRequest, response: ServerResponse): Promise<void> {
  if (reply === 'silence') return
  if (reply === 'hang up') return void response.destroy()
  if (reply === 'stall' || 'brokenOff' in reply || 'flood' in reply) return sendBrokenStream(reply, response)
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    return void response.end(reply.body ?? JSON.stringify({ error: { message: `Status ${reply.status}` } }))
  }
  if ('raw' in reply) {
    response.writeHead(200, { 'content-type': reply.type ?? 'application/json' })
    return void response.end(reply.raw)
  }
  const completion = completionOf(reply)
  if (request.body.stream === true) sendStream(completion, request, response)
  else sendWhole(completion, response)
}

interface Completion {
  readonly text: string
  readonly refusal?: string
  readonly calls: readonly object[]
  readonly finish: string
  readonly usage: Usage | null
}

function completionOf(
  reply: Exclude<Data, string | { status: number } | { raw: string } | { brokenOff: string } | { flood: number }>,
): Completion {
  if ('refusal' in reply) return { text: '', refusal: reply.refusal, calls: [], finish: 'stop', usage: null }
  const { usage = { inputTokens: 10, outputTokens: 5 } } = reply
  if ('calls' in reply) {
    const calls = reply.calls.map(({ name, input }, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }))
    return { text: reply.text ?? '', calls, finish: reply.finish ?? 'tool_calls', usage }
  }
  const text = 'text' in reply ? reply.text : JSON.stringify(reply.value)
  return { text, calls: [], finish: reply.finish ?? 'stop', usage }
}

function usageOf(usage: Usage | null): object {
  return usage === null
    ? {}
    : { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens, total_tokens: 0 } }
}

function sendWhole({ text, refusal, calls, finish, usage }: Completion, response: ServerResponse): void {
  const message = {
    role: 'assistant',
    content: text,
    ...(refusal && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  sendJson(response, 200, {
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish }],
    ...usageOf(usage),
  })
}

function sendStream(said: Completion, { body }: ChatRequest, response: ServerResponse): void {
  const { text, refusal, calls, finish, usage } = said
  const pieces = text.match(/[\s\S]{1,7}/g) ?? []
  const deltas = [
    { role: 'assistant', content: '' },
    ...pieces.map((content) => ({ content })),
    ...(refusal ? [{ refusal }] : []),
    ...calls.map((call) => ({ tool_calls: [call] })),
  ]
  openStream(response)
  response.write(': a comment, as gateways send to keep the line open\n\n')
  for (const delta of deltas) response.write(event({ choices: [{ index: 0, delta, finish_reason: null }] }))
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }))
  if (body.stream_options?.include_usage) response.write(event({ choices: [], ...usageOf(usage) }))
  response.end('data: [DONE]\n\n')
}

async function sendBrokenStream(
  reply: 'stall' | { readonly brokenOff: string } | { readonly flood: number },
  response: ServerResponse,
): Promise<void> {
  openStream(response)
  const write = (content: string): boolean => response.write(event({ choices: [{ index: 0, delta: { content } }] }))
  if (reply === 'stall') return void write('I think')
  if ('brokenOff' in reply) {
    write(reply.brokenOff)
    return void response.end()
  }
  const piece = 'x'.repeat(8_000)
  for (let sent = 0; sent < reply.flood && !response.destroyed; sent += piece.length) {
    if (!write(piece)) await room(response)
  }
  response.end('data: [DONE]\n\n')
}

function room(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
