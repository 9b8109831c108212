import { expect, test } from 'vitest'

import type { Transport } from '../answer/answer.ts'
import { serve } from './serve.ts'

/** A server whose work goes on until its signal is aborted; `/quick` is answered at once. */
async function waiting(grace = 10_000) {
  const signals: AbortSignal[] = []
  const begun = Promise.withResolvers<void>()
  const handle = async ({ url }: Request, { signal, cut }: Transport = {}): Promise<Response> => {
    if (!signal) throw new Error('There is no signal.')
    signals.push(signal)
    if (url.endsWith('/quick')) return new Response('quick')
    begun.resolve()
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    return new Response(cut?.aborted ? 'cut' : 'gone', { status: 503 })
  }
  return { server: await serve(handle, { port: 0, isOpen: true, grace }), signals, begun: begun.promise }
}

test('work is told when its caller hangs up, and other work is not', async () => {
  const { server, signals, begun } = await waiting()
  const caller = new AbortController()
  const asked = fetch(`${server.url}/slow`, { signal: caller.signal })
  await begun
  expect(await (await fetch(`${server.url}/quick`)).text()).toBe('quick')
  caller.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false])
  await server.close()
})

test('work that outlasts the grace of its server is told, and its caller is answered', async () => {
  const { server, begun } = await waiting(1)
  const asked = fetch(`${server.url}/slow`)
  await begun
  await server.close()
  const answer = await asked
  expect([answer.status, await answer.text()]).toEqual([503, 'cut'])
})
