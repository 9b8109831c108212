// Whatever a client says, it is answered once, nothing breaks, and what the browser hears fits the protocol.
import { hostileTexts, hostileValues, settle, spoiled, spoiledByChance } from '@harvestman/testing'
import { describe, expect, test, vi } from 'vitest'

import type { Contexts, Downloads } from './shared.ts'
import { makeRest } from './rest.ts'
import { rootRules, sessionRules } from './commands.ts'
import { openFence } from './fence.ts'
import { defaultFenceLimits } from './limits.ts'
import { hear, type Message } from './heard.ts'
import { makePageSettings } from './page-settings.ts'
import { makePictures } from './pictures.ts'
import { rootShapes, sessionShapes } from './protocol.ts'
import { sessionHandlers } from './session.ts'
import type { Shape } from './shapes.ts'
import type { Line } from './switch.ts'

interface Asked {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const contextId = 'CONTEXT'
const page = 'PAGE'

const answers: Readonly<Record<string, object>> = {
  'Page.getLayoutMetrics': { cssContentSize: { width: 800, height: 600 } },
  'Target.createTarget': { targetId: 'NEW' },
  'Target.attachToTarget': { sessionId: 'MORE' },
}

const fakeContexts: Contexts = {
  main: contextId,
  more: [],
  has: (id): id is string => id === contextId,
  open: async () => 'There are too many contexts.',
  close: async () => undefined,
}

const fakeDownloads: Downloads = {
  allow: async () => 'Downloads stay there.',
  listen: () => () => undefined,
  cancel: async () => undefined,
  read: async () => 'There is no such download.',
  remove: async () => undefined,
  has: () => false,
}

/** As the answer to a command that is not answered. */
const never = {}

/** The browser's end: it answers everything, and has one tab. */
function fakeLine(ask = (method: string): object => answers[method] ?? {}) {
  const asked: Asked[] = []
  const line: Line = {
    owns: (sessionId) => sessionId === page,
    ask: async (method, params = {}): Promise<Message> => {
      asked.push({ method, params: { ...params } })
      const answer = ask(method)
      if (answer === never) return new Promise<Message>(() => undefined)
      return 'written' in answer ? (answer as Message) : { result: { ...answer } }
    },
    onEvent: undefined,
    onClosed: undefined,
    close: () => undefined,
  }
  const targetInfo = { targetId: 'TAB', type: 'page', url: 'about:blank', browserContextId: contextId }
  const begin = (): unknown => line.onEvent?.({ method: 'Target.targetCreated', params: { targetInfo } })
  return { line, asked, begin }
}

async function open(ask?: (method: string) => object) {
  const { line, asked, begin } = fakeLine(ask)
  const faults: unknown[] = []
  const heard: string[] = []
  const rest = makeRest(1_000_000)
  const fenced = {
    contexts: fakeContexts,
    downloads: fakeDownloads,
    credentials: { username: 'name', password: 'key' },
    rest,
    pictures: makePictures(1),
    settings: makePageSettings(),
    secrets: [],
    isReviving: () => false,
    show: async () => undefined,
    onFault: (fault: unknown) => faults.push(fault),
  }
  const limits = { ...defaultFenceLimits, rate: Infinity, tabs: Infinity, waiting: Infinity, waitingSize: Infinity }
  const wire = await openFence(line, fenced, undefined, limits)
  wire.onMessage = (text) => heard.push(text)
  begin()
  return { wire, line, asked, faults, heard }
}

const samples: Readonly<Record<Exclude<keyof Shape, 'parts'>, unknown>> = {
  text: 'http://site.test/',
  texts: ['a', 'b'],
  integer: 3,
  integers: [1, 2],
  number: 1.5,
  flag: true,
  any: { a: [1] },
  record: { a: 'b' },
}

/** A record with a value for each name of a shape. */
function sampleOf({ parts = {}, ...shape }: Shape): Record<string, unknown> {
  const plain = Object.entries(shape).flatMap(([kind, names]: [string, string]) =>
    names.split(' ').map((name) => [name, samples[kind as keyof typeof samples]]),
  )
  const inner = Object.entries(parts).map(([name, part]) => [
    name,
    Array.isArray(part) ? [sampleOf(part[0] as Shape)] : sampleOf(part as Shape),
  ])
  return Object.fromEntries([...plain, ...inner])
}

const commandsOf = (shapes: Readonly<Record<string, Shape>>, more: object): readonly object[] =>
  Object.entries(shapes).map(([method, shape]) => ({ id: 7, method, params: sampleOf(shape), ...more }))
const commands = [...commandsOf(rootShapes, {}), ...commandsOf(sessionShapes, { sessionId: page })]

function* flood(): Generator<string> {
  yield* hostileTexts
  for (const command of commands) yield* spoiled(command)
  yield* spoiledByChance(commands, 5_000, 1)
}

test(
  'of 20,000 hostile messages and more, each is answered once and none breaks anything',
  { timeout: 600_000 },
  async () => {
    const { wire, asked, faults, heard } = await open()
    let count = 0
    for (const text of flood()) {
      wire.send(text)
      count += 1
      if (count % 500 === 0) await settle(1)
    }
    await settle(20)
    const answered = heard.filter((text) => (JSON.parse(text) as Message).id !== undefined)
    expect(faults).toEqual([])
    expect(count).toBeGreaterThanOrEqual(20_000)
    expect(answered).toHaveLength(count)
    const misfits = asked.filter(({ method, params }) => {
      const read = sessionRules.get(method) ?? rootRules.get(method)
      return read && typeof read(params) === 'string'
    })
    expect(misfits).toEqual([])
    expect(asked.length).toBeGreaterThan(1_000)
  },
)

describe('each command is passed on with what the protocol has for it, and with nothing else:', () => {
  const method = 'Runtime.callFunctionOn'
  const ask = async (params: object, of = method) => {
    const { wire, asked, heard } = await open()
    const before = asked.length
    wire.send(JSON.stringify({ id: 1, method: of, params, sessionId: page }))
    await settle()
    return { passed: asked[before]?.params, answer: JSON.parse(heard[0] ?? '{}') as Message }
  }

  test('values of scripts stay as they are, whatever they are', async () => {
    for (const value of hostileValues.slice(0, 24)) {
      const given = { functionDeclaration: '() => 1', arguments: [{ value: JSON.parse(value) as unknown }] }
      expect(JSON.stringify((await ask(given)).passed)).toBe(JSON.stringify(given))
    }
  })

  test('a name that the protocol does not have is left out', async () => {
    const { passed } = await ask({ functionDeclaration: '() => 1', unheardOf: 1 })
    expect(passed).toEqual({ functionDeclaration: '() => 1' })
  })

  test.each<[string, object, string]>([
    ['Target.setAutoAttach', { autoAttach: true, filter: [null] }, "'filter.0' must be a record."],
    ['Page.captureScreenshot', { clip: { width: { toString: 1, valueOf: 1 } } }, "'clip.width' must be a number."],
    ['Page.navigate', { url: { toString: 1 } }, "'url' must be a string."],
    ['Network.setCookies', { cookies: [{ name: 1 }] }, "'cookies.0.name' must be a string."],
    ['DOM.getDocument', { depth: 1.5 }, "'depth' must be a whole number."],
  ])('%s with %j is refused with the name of the value', async (of, params, sentence) => {
    const { passed, answer } = await ask(params, of)
    expect({ passed, error: answer.error }).toEqual({ passed: undefined, error: { code: -32_602, message: sentence } })
  })
})

test('a command of the table reaches the browser, or has a handler of its own: none is answered without an effect', async () => {
  const { wire, asked } = await open()
  const passedOn = Object.keys(sessionShapes).filter((method) => !Object.hasOwn(sessionHandlers, method))
  for (const method of passedOn) wire.send(JSON.stringify({ id: 1, method, params: {}, sessionId: page }))
  await settle(20)
  const reached = new Set(asked.map(({ method }) => method))
  expect(passedOn.filter((method) => !reached.has(method))).toEqual([])
  expect(passedOn.length).toBeGreaterThan(100)
})

test('no command overtakes a large one before it', async () => {
  const { wire, asked } = await open()
  const before = asked.length
  const evaluate = (expression: string, id: number): string =>
    JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression }, sessionId: page })
  const said = ['x'.repeat(2_000_000), 'small', 'y'.repeat(1_000_000), 'last']
  said.forEach((expression, id) => wire.send(evaluate(expression, id)))
  await settle(30)
  expect(asked.slice(before).map(({ params }) => params['expression'])).toEqual(said)
})

test('no command waits for a page that has ended; it is heard again when it was loaded anew', async () => {
  const { wire, line, heard, asked } = await open((method) => (method === 'Runtime.evaluate' ? never : {}))
  const send = async (id: number, method: string) => {
    const before = heard.length
    wire.send(JSON.stringify({ id, method, params: {}, sessionId: page }))
    await settle()
    return heard.slice(before).map((text) => JSON.parse(text) as Message)
  }
  const ended = { message: expect.stringMatching(/was ended/) as string }
  expect(await send(1, 'Runtime.evaluate')).toEqual([])
  await line.onEvent?.({ method: 'Inspector.targetCrashed', params: {}, sessionId: page })
  await settle()
  expect(JSON.parse(heard.at(-1) ?? '{}')).toMatchObject({ id: 1, error: ended })
  const before = asked.length
  expect(await send(2, 'DOM.enable')).toMatchObject([{ id: 2, error: ended }])
  expect(asked).toHaveLength(before)
  expect(await send(3, 'Page.reload')).toMatchObject([{ id: 3, result: {} }])
  await line.onEvent?.({ method: 'Inspector.targetReloadedAfterCrash', params: {}, sessionId: page })
  expect((await send(4, 'DOM.enable')).at(-1)).toMatchObject({ id: 4, result: {} })
})

describe('a large answer of the browser', () => {
  const ask = async (size: number) => {
    const message = { id: 1, result: { result: { value: 'x'.repeat(size) } }, sessionId: page }
    const { wire, heard } = await open((method) => (method === 'Runtime.evaluate' ? hear(JSON.stringify(message)) : {}))
    const parse = vi.spyOn(JSON, 'parse')
    wire.send(JSON.stringify({ id: 9, method: 'Runtime.evaluate', params: { expression: '1' }, sessionId: page }))
    await settle()
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length))
    parse.mockRestore()
    return { answer: JSON.parse(heard.at(-1) ?? '{}') as Message, longest, message }
  }

  test('is passed on as it was written: no values are made of it', async () => {
    const { answer, longest, message } = await ask(3_000_000)
    expect(answer).toEqual({ ...message, id: 9 })
    expect(longest).toBeLessThan(1_000)
  })

  test('is refused when it is more than a client is given, with what to do', async () => {
    const { answer } = await ask(defaultFenceLimits.answer + 1)
    expect(answer).toMatchObject({
      id: 9,
      sessionId: page,
      error: { message: expect.stringMatching(/Request less/) as string },
    })
  })
})

test('what breaks in a connection ends it, is told, and leaves the others alone', async () => {
  const one = await open(() => {
    throw new Error('broken')
  }).catch((error: unknown) => error)
  expect(String(one)).toContain('broken')
  let isBroken = false
  const two = await open(() => {
    if (isBroken) throw new Error('broken')
    return {}
  })
  const closed: unknown[] = []
  two.wire.onClose = (fault) => closed.push(fault)
  isBroken = true
  two.wire.send(JSON.stringify({ id: 1, method: 'Browser.getVersion' }))
  two.wire.send(JSON.stringify({ id: 2, method: 'Browser.getVersion' }))
  await settle()
  expect(two.faults.map(String)).toEqual(['Error: broken'])
  expect(closed).toHaveLength(1)
  expect(two.heard.filter((text) => text.includes('"id"'))).toEqual([])
})

describe('a message that is too much is refused by its text alone:', () => {
  const big = (method: string, size: number): string =>
    JSON.stringify({ id: 5, method, params: { expression: 'x'.repeat(size) }, sessionId: page })
  test.each<[string, string, RegExp]>([
    ['a small command with a large value', big('DOM.getDocument', 70_000), /DOM.getDocument has at most 65536/],
    ['an unknown command', big('Nonsense.method', 70_000), /Nonsense.method has at most 65536/],
    ['a script that is larger than any', big('Runtime.evaluate', 9_000_000), /at most 8388608/],
    [
      'a name that is hidden',
      big('Runtime.evaluate', 70_000).replace('"method"', String.raw`"meth\u006fd"`),
      /any other command has at most/,
    ],
    [
      'a script with too many values',
      JSON.stringify({
        id: 5,
        method: 'Runtime.callFunctionOn',
        params: { arguments: Array(100_001).fill(1) },
        sessionId: page,
      }),
      /at most 100000 values/,
    ],
    [
      'what is too deep',
      `{"id":5,"method":"Runtime.evaluate","params":${'['.repeat(101)}${']'.repeat(101)}}`,
      /100 deep/,
    ],
  ])('%s', async (_name, text, sentence) => {
    const { wire, heard, asked } = await open()
    const before = asked.length
    wire.send(text)
    await settle()
    const { id, error } = JSON.parse(heard[0] ?? '{}') as Message
    expect(error?.message).toMatch(sentence)
    expect(id).toBe(text.length > 8_388_608 ? 0 : 5)
    expect(asked).toHaveLength(before)
  })

  test('a script of 8 million letters is passed on', async () => {
    const { wire, asked } = await open()
    wire.send(big('Runtime.evaluate', 8_000_000))
    await settle()
    expect(asked.at(-1)?.method).toBe('Runtime.evaluate')
  })
})
