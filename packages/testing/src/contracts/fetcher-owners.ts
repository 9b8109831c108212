import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import type { MakeFetcher } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { fakeGuard } from '../fakes/fake-guard.ts'

interface Bench {
  /** All connections so far. */
  readonly sockets: readonly Socket[]
  /** Sends a request of this owner, and returns the body of its response. */
  ask(owner: string | undefined): Promise<string>
}

const answer = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`

/** Creates a case with a host that numbers its connections and responds with the number. */
function rule(name: string, check: (bench: Bench) => Promise<void>) {
  const run = async (make: MakeFetcher) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      const number = sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(answer(String(number))))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const fetcher = make(fakeGuard({}))
    const ask: Bench['ask'] = async (owner) => {
      const request = { url, method: 'GET', headers: {}, maxBytes: 1_000_000, owner } as const
      const { body } = await fetcher.exchange(request, new AbortController().signal)
      return new TextDecoder().decode(body)
    }
    try {
      await check({ sockets, ask })
    } finally {
      await fetcher.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  return { name, run }
}

export const ownerRules: Contract<MakeFetcher> = [
  rule('a connection is not used again for another owner', async ({ ask }) => {
    const [first, other] = [await ask('one'), await ask('other')]
    assert.notEqual(first, other)
    assert.ok([first, '3'].includes(await ask('one')))
  }),
  rule('a connection of no owner is used once', async ({ ask }) => {
    const answers = [await ask(undefined), await ask(undefined), await ask('one')]
    assert.equal(new Set(answers).size, 3)
  }),
  rule('what a host sends after its answer is no answer for another owner', async ({ ask, sockets }) => {
    await ask('one')
    const asking = ask('other')
    // Sent after the other owner's request, so only the connection tells which owner it is for.
    for (const socket of sockets) socket.write(answer('an unrequested answer'))
    assert.equal(await asking, '2')
  }),
]
