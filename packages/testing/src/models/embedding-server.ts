import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { hashedVector } from './hashed-vector.ts'

/** A reply other than the requested vectors. */
export type EmbeddingReply =
  | 'silence'
  | 'hang up'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly raw: string }

/** Options of the embeddings server. */
export interface EmbeddingServerOptions {
  /** Replies to the first requests. Later ones get vectors. */
  readonly replies?: readonly EmbeddingReply[]
  /** API key. Requests without it get status 401. */
  readonly key?: string
}

/** An embeddings endpoint on localhost. */
export interface EmbeddingServer {
  /** The base URL. */
  readonly url: string
  /** The strings of each request. */
  readonly requests: readonly (readonly string[])[]
  close(): Promise<void>
}

/** Starts an endpoint with the embeddings API of OpenAI on a free port of localhost. Its vectors are `hashedVector`. */
export async function startEmbeddingServer(options: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
  const requests: (readonly string[])[] = []
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key}`)
      return send(response, 401, { error: { message: `Incorrect API key: ${incoming.headers.authorization}` } })
    if (incoming.url !== '/v1/embeddings') return send(response, 404, { error: { message: 'Not found' } })
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const { input } = JSON.parse(Buffer.concat(pieces).toString()) as { readonly input: readonly string[] }
    const reply = options.replies?.[requests.length]
    requests.push(input)
    if (reply === 'silence') return
    if (reply === 'hang up') return void response.destroy()
    if (reply && 'raw' in reply) return void response.end(reply.raw)
    if (reply) return void response.writeHead(reply.status, reply.headers).end(reply.body ?? '{}')
    const data = input.map((text, index) => ({ index, embedding: hashedVector(text) }))
    send(response, 200, { data, usage: { prompt_tokens: input.length * 3 } })
  }
  const server = createServer((incoming, response) => {
    response.on('error', () => undefined)
    answer(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
