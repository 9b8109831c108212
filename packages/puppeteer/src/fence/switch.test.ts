import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import type { Transport } from '../lib/cdp.ts'
import { makeSwitch } from './switch.ts'

/** A browser that answers what is sent to it when the test says so, all in one turn. */
function fakeBrowser(): { readonly transport: Transport; readonly sent: { readonly id: number }[] } {
  const sent: { readonly id: number }[] = []
  const transport: Transport = {
    send: (text) => void sent.push(JSON.parse(text) as { readonly id: number }),
    close: () => undefined,
  }
  return { transport, sent }
}

async function later(): Promise<void> {
  for (let hop = 0; hop < 50; hop += 1) await Promise.resolve()
}

test('an event that the browser wrote behind an answer is delivered behind it, however many promises the answer passes', async () => {
  const { transport, sent } = fakeBrowser()
  const hear = (message: object): void => transport.onmessage?.(JSON.stringify(message))
  const lines = makeSwitch(transport)
  const opening = lines.open()
  hear({ id: sent[0]?.id, result: { sessionId: 'root' } })
  const line = await opening
  await nextTurn()

  const order: string[] = []
  line.onEvent = ({ method }) => order.push(String(method))
  const ask = async (method: string): Promise<void> => {
    await line.ask(method)
    await later()
    order.push(`answer to ${method}`)
  }
  const asked = Promise.all([ask('Page.enable'), ask('Page.getFrameTree')])
  await later()
  const [, enable, tree] = sent
  hear({ method: 'Page.frameAttached', params: {}, sessionId: 'root' })
  hear({ id: enable?.id, result: {}, sessionId: 'root' })
  hear({ method: 'Page.frameNavigated', params: {}, sessionId: 'root' })
  hear({ id: tree?.id, result: {}, sessionId: 'root' })
  hear({ method: 'Runtime.executionContextCreated', params: {}, sessionId: 'root' })
  await asked
  await nextTurn()
  expect(order).toEqual([
    'Page.frameAttached',
    'answer to Page.enable',
    'Page.frameNavigated',
    'answer to Page.getFrameTree',
    'Runtime.executionContextCreated',
  ])
})

test('a command is answered with an error when the browser is gone, also one sent later', async () => {
  const { transport } = fakeBrowser()
  const lines = makeSwitch(transport)
  const opening = lines.open()
  transport.onclose?.()
  await expect(opening).rejects.toThrow('The browser is gone.')
  await expect(lines.open()).rejects.toThrow('The browser is gone.')
})
