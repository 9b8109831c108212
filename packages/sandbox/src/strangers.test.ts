// Whatever code in a jail writes to this process, nothing breaks, and the next honest frame is answered.
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'

import type { Wire } from '@harvestman/ports'
import { hostileTexts, settle, spoiled, spoiledByChance } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeBrowserConnections } from './browser-connections.ts'
import { controlFrame, frame, frameKinds, readFrames } from './frames.ts'
import { makeJail } from './jail.ts'
import type { Launched } from './launch.ts'

const control = [{ tell: 'ready' }, { tell: 'done', run: 1, result: 'x', exitCode: 0, killed: false, error: 'No.' }]

function* words(): Generator<string> {
  yield* hostileTexts
  for (const message of control) yield* spoiled(message)
  yield* spoiledByChance(control, 2_000, 5)
}

const honestRun = { language: 'node', text: '1', timeout: 60_000 } as const

/** A jail whose first process says what a test has it say. */
async function jailed() {
  const stdout = new PassThrough()
  const stdin = new Writable({ write: (_chunk, _encoding, done) => done() })
  const child = Object.assign(new EventEmitter(), {
    ...{ stdout, stdin, stderr: new PassThrough() },
    kill: () => child.emit('close'),
  })
  const faults: unknown[] = []
  // Cast: of a process only its pipes and its end are used.
  const launched = { child, clear: async () => undefined, overruns: () => 0 } as unknown as Launched
  const connect = (): Promise<Wire> => Promise.reject(new Error('No browser.'))
  const making = makeJail(launched, { connect, onFault: (fault) => faults.push(fault) }, {
    memory: 1e9,
    output: 10_000,
  } as Parameters<typeof makeJail>[2])
  const say = (bytes: Buffer): boolean => stdout.write(bytes)
  say(controlFrame({ tell: 'ready' }))
  return { jail: await making, say, faults }
}

const signal = new AbortController().signal

test('of thousands of hostile frames none breaks anything, and the next run has its own outcome', async () => {
  const { jail, say, faults } = await jailed()
  let count = 0
  for (const word of words()) {
    const bytes = Buffer.from(word)
    for (const kind of [...Object.values(frameKinds), 6, 255]) {
      say(frame(kind, [0, 1, 2, 9, 4_294_967_295][count % 5] ?? 0, bytes))
      count += 1
    }
    if (count % 800 === 0) await settle(1)
  }
  await settle(20)
  expect(count).toBeGreaterThan(15_000)
  expect(faults).toEqual([])
  expect(jail.gone.aborted).toBe(false)
  const running = jail.run(honestRun, signal)
  await settle()
  say(frame(frameKinds.stdout, 1, Buffer.from('printed')))
  say(controlFrame({ tell: 'done', run: 1, result: '2', exitCode: 0 }))
  expect(await running).toMatchObject({ result: '2', stdout: 'printed', exitCode: 0, killed: false })
})

test('a frame that is too large ends the jail and nothing else, and what comes in pieces is the same', async () => {
  const { jail, say, faults } = await jailed()
  const head = Buffer.alloc(9)
  head.writeUInt32BE(4_294_967_295, 0)
  say(head)
  await settle()
  expect(jail.gone.aborted).toBe(true)
  expect(faults).toEqual([])
  const frames = [...words()].slice(0, 300).map((word) => frame(0, 3, Buffer.from(word)))
  const heard: string[] = []
  const take = readFrames(
    (_kind, _id, payload) => heard.push(payload.toString()),
    () => heard.push('refused'),
  )
  const all = Buffer.concat(frames)
  for (let from = 0; from < all.length; from += 777) take(all.subarray(from, from + 777))
  expect(heard).toEqual(frames.map((one) => one.subarray(9).toString()))
})

/** As a client of a WebSocket writes it. */
function masked(opcode: number, text: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | 126
  head.writeUInt16BE(text.length, 2)
  return Buffer.concat([head, text])
}

const handshake =
  'GET / HTTP/1.1\r\nHost: browser\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

test('of hostile bytes at the doors none breaks anything, and the next client reaches the browser', async () => {
  const faults: unknown[] = []
  const reached: string[] = []
  const connect = async (): Promise<Wire> => ({
    send: (message) => reached.push(message),
    ...{ onMessage: undefined, onClose: undefined, close: () => undefined },
  })
  const doors = makeBrowserConnections({
    connect,
    send: (_bytes, sent) => sent?.(),
    onFault: (fault) => faults.push(fault),
  })
  let id = 0
  const through = async (pieces: readonly Buffer[]): Promise<void> => {
    id += 1
    doors.open(id)
    for (const piece of pieces) {
      doors.data(id, piece)
      await settle(2)
    }
    doors.close(id)
  }
  const opening = Buffer.from(handshake)
  const some = [...words()].filter((word) => word.length < 60_000)
  const every = (step: number): readonly Buffer[] =>
    some.filter((_, at) => at % step === 0).map((word) => Buffer.from(word))
  for (const word of every(20)) await through([word])
  for (const [at, word] of every(20).entries()) await through([opening, masked(at % 16, word), word])
  for (let cut = 1; cut < handshake.length; cut += 7) await through([opening.subarray(0, cut), randomBytes(40)])
  expect(id).toBeGreaterThan(200)
  doors.data(id + 1, opening)
  doors.close(id + 1)
  expect(reached.length).toBeGreaterThan(10)
  reached.length = 0
  await through([opening, masked(1, Buffer.from('{"id":1}')), Buffer.alloc(0)])
  await settle(5)
  expect(reached).toEqual(['{"id":1}'])
  expect(faults).toEqual([])
  doors.end()
})
