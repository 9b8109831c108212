import { EngineError } from '@harvestman/core'
import { maxMessageBytes } from '@harvestman/toolbox/inbox'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { publicMessage, type Frame, type ScreenInput } from '@harvestman/ports'
import { z } from 'zod'

import type { RouteCall } from '../route/route.ts'
import { liveOf } from './live-of.ts'
import { talkCodes, type Channel, type Talk } from '../answer/talk.ts'

const maxInput = 65_536
// Maximum number of queued inputs. Input beyond it is dropped.
const maxQueued = 200

/**
 * Returns the live browser of a URL and the rights of its token. Rejects with `not_configured` if there are no live browsers,
 * or with `forbidden` if the id or token is wrong.
 */
export async function openLiveBrowser({ engine, params, query }: Pick<RouteCall, 'engine' | 'params' | 'query'>) {
  const { token } = query as { readonly token: string }
  return liveOf(engine).enter(params['id'] ?? '', token)
}

/** Closes the channel when the session or the link ends, with the reason. */
function hangUpAtEnd(channel: Channel, ends: AbortSignal): void {
  const end = (): void => channel.close(talkCodes.done, sentenceOf(ends.reason))
  if (ends.aborted) end()
  else ends.addEventListener('abort', end, { once: true })
}

/**
 * Relays DevTools protocol messages. The browser session decides which commands are allowed, not this function. Rejects as
 * `openLiveBrowser` does, and with `forbidden` if the token is for the live view only.
 */
export async function talkCdp(call: RouteCall): Promise<Talk> {
  const { session, right } = await openLiveBrowser(call)
  if (right !== 'cdp') throw new EngineError('forbidden', 'This token is for the live view.')
  return {
    maxIncoming: maxMessageBytes,
    begin: async (channel) => {
      const wire = await session.connect()
      channel.onClose = () => wire.close()
      wire.onMessage = channel.send
      wire.onClose = (fault) => {
        if (fault === undefined) channel.close(talkCodes.done, 'The live browser has ended.')
        else channel.close(talkCodes.fault, 'An internal error occurred. Connect again.')
      }
      return (text) => wire.send(text)
    },
  }
}

const point = { x: z.number().min(0).max(20_000), y: z.number().min(0).max(20_000) }
const delta = z.number().min(-10_000).max(10_000)

const time = z.object({ type: z.literal('time'), at: z.number() })

const messageSchema: z.ZodType<ScreenInput | z.output<typeof time>> = z.discriminatedUnion('type', [
  time,
  z.object({ type: z.literal('mouse'), kind: z.enum(['down', 'up', 'move']), ...point }),
  z.object({ type: z.literal('wheel'), ...point, dx: delta, dy: delta }),
  z.object({ type: z.literal('key'), key: z.string().min(1).max(50) }),
  z.object({ type: z.literal('paste'), text: z.string().max(50_000) }),
  z.object({ type: z.literal('goto'), url: z.string().min(1).max(2_000) }),
  z.object({ type: z.literal('go'), to: z.enum(['back', 'forward', 'reload']) }),
  z.object({ type: z.literal('tab'), id: z.string().max(100) }),
])

/**
 * Streams the screen, and accepts input if the token allows it. Rejects as `openLiveBrowser` does, and with `forbidden` if the
 * token is not for the live view or the browser has none. Malformed messages are ignored, and input while 200 inputs are
 * queued.
 */
export async function talkScreen(call: RouteCall): Promise<Talk> {
  const { session, right, ends } = await openLiveBrowser(call)
  if (right === 'cdp' || !session.streamWebView)
    throw new EngineError('forbidden', 'This token is not for the live view.')
  return {
    maxIncoming: maxInput,
    begin: async (channel) => {
      hangUpAtEnd(channel, ends)
      await channel.send(JSON.stringify({ type: 'hello', mayAct: right === 'control' }))
      const pace = makePace()
      const screen = await session.watch({
        frame: async (frame) => {
          if (!(await channel.send(bytesOf(frame)))) throw new EngineError('aborted', 'The viewer has disconnected.')
          await pace.sent()
        },
        tabs: (tabs) => {
          channel.send(JSON.stringify({ type: 'tabs', tabs })).catch(() => undefined)
        },
      })
      const tellTime = makeTimes(channel)
      let waiting = 0
      const inputs = makeSequence()
      channel.onClose = () => {
        screen.close()
        pace.seen(maxUnseen)
      }
      return (text) => {
        if (text === seenWord) return pace.seen()
        const message = readMessage(text)
        if (message?.type === 'time') return tellTime(message.at)
        const input = right === 'control' ? message : undefined
        if (!input || waiting >= maxQueued) return undefined
        waiting += 1
        return inputs
          .run(() => screen.input(input))
          .catch((error: unknown) => channel.send(JSON.stringify({ type: 'failed', error: sentenceOf(error) })))
          .finally(() => (waiting -= 1))
      }
    },
  }
}

const seenWord = 'seen'
const maxUnseen = 2

/**
 * Limits the number of unacknowledged frames. Otherwise a slow viewer would see old frames, since network buffers hold
 * megabytes.
 */
function makePace(): { sent(): Promise<void>; seen(frames?: number): void } {
  let unseen = 0
  let goOn: (() => void) | undefined
  return {
    sent: async () => {
      unseen += 1
      if (unseen >= maxUnseen) await new Promise<void>((resolve) => (goOn = resolve))
    },
    seen: (frames = 1) => {
      unseen = Math.max(0, unseen - frames)
      if (unseen >= maxUnseen) return
      goOn?.()
      goOn = undefined
    },
  }
}

function readMessage(text: string): z.output<typeof messageSchema> | undefined {
  return messageSchema.safeParse(parseJson(text)).data
}

function sentenceOf(error: unknown): string {
  return publicMessage(error, 'The browser rejected this input.')
}

const headBytes = 16

/** Encodes a frame: page size and capture time, then the JPEG. */
function bytesOf({ jpeg, width, height, at }: Frame): Uint8Array {
  const bytes = Buffer.allocUnsafe(headBytes + jpeg.length)
  bytes.writeUInt32BE(width, 0)
  bytes.writeUInt32BE(height, 4)
  bytes.writeDoubleBE(at, 8)
  bytes.set(jpeg, headBytes)
  return bytes
}

/**
 * Returns a function that sends the server time next to the viewer's time, from which the viewer computes the age of a frame.
 * One reply at a time; further requests are dropped.
 */
function makeTimes(channel: Channel): (at: number) => Promise<void> {
  let isTelling = false
  return async (at) => {
    if (isTelling) return
    isTelling = true
    try {
      await channel.send(JSON.stringify({ type: 'time', at, now: Date.now() }))
    } finally {
      isTelling = false
    }
  }
}
