// Runs the JavaScript of a session, one run after the other, and holds its pages for the other languages.
import inspector from 'node:inspector'
import { createRequire } from 'node:module'
import net from 'node:net'
import { inspect } from 'node:util'
import { rmSync } from 'node:fs'

import { runCommand } from './commands.mjs'
import { callPage } from './remote.mjs'
import { toScript } from './script.mjs'

const mostResult = 1_048_576
const channel = new net.Socket({ fd: 3, readable: true, writable: true })
const evaluator = new inspector.Session()
evaluator.connect()
const post = (method, params) =>
  new Promise((resolve, reject) => {
    evaluator.post(method, params, (error, answer) => (error ? reject(error) : resolve(answer)))
  })

globalThis.require = createRequire(`${process.cwd()}/`)
const importFrom = globalThis.require
Object.defineProperty(globalThis, '__import', {
  value: (name) => import(name.startsWith('.') ? importFrom.resolve(name) : name),
})

/** Connects when it is needed, and again when the connection was lost. */
let connected
async function connectBrowser() {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${process.env.HARVESTMAN_CDP_PORT}/`, {
    timeout: 10_000,
  })
  const [context] = browser.contexts()
  // Tabs come in no certain order; one that shows something is meant before one that is empty.
  const open = context.pages()
  const page = open.find((one) => one.url() !== 'about:blank') ?? open[0]
  browser.once('disconnected', () => (connected = undefined))
  return { browser, context, page: page ?? (await context.newPage()) }
}
async function pages() {
  connected ??= connectBrowser()
  try {
    const all = await connected
    if (all.page.isClosed()) all.page = all.context.pages()[0] ?? (await all.context.newPage())
    return all
  } catch (error) {
    connected = undefined
    throw new Error('The browser of this session cannot be reached.', { cause: error })
  }
}

async function evaluate(text) {
  const first = await post('Runtime.evaluate', scriptOf(toScript(text)))
  if (!first.exceptionDetails?.exception?.description?.startsWith('SyntaxError: Illegal return')) return first
  return post('Runtime.evaluate', scriptOf(`await (async () => {${toScript(text)}\n})()`))
}

const scriptOf = (expression) => ({ expression, replMode: true, awaitPromise: true, generatePreview: false })

const asText = (value) => {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? inspect(value)
  } catch {
    return inspect(value)
  }
}

async function valueOf(result) {
  if (result.type === 'undefined') return undefined
  if (result.objectId === undefined) return result.unserializableValue ?? asText(result.value)
  let text
  globalThis.__take = (value) => (text = asText(value))
  await post('Runtime.callFunctionOn', {
    objectId: result.objectId,
    functionDeclaration: 'function () { globalThis.__take(this) }',
  })
  delete globalThis.__take
  return text
}

async function run(text) {
  try {
    Object.assign(globalThis, await pages())
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
  }
  try {
    const outcome = await evaluate(text)
    // A console gives a promise as it is; what is meant is what it comes to.
    if (outcome.exceptionDetails || outcome.result.subtype !== 'promise') return await answerOf(outcome)
    return await answerOf(await post('Runtime.awaitPromise', { promiseObjectId: outcome.result.objectId }))
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return { exitCode: 1, error: error.message }
  }
}

async function answerOf({ result, exceptionDetails }) {
  if (!exceptionDetails) return { exitCode: 0, result: (await valueOf(result))?.slice(0, mostResult) }
  const error = exceptionDetails.exception?.description ?? exceptionDetails.text
  process.stderr.write(`${error}\n`)
  return { exitCode: 1, error: error.split('\n')[0] }
}

// A promise that is rejected and not waited for must not end the session.
process.on('unhandledRejection', (reason) => process.stderr.write(`Unhandled rejection: ${reason?.stack ?? reason}\n`))
process.on('uncaughtException', (error) => process.stderr.write(`Uncaught: ${error?.stack ?? error}\n`))

function lines(socket, take) {
  let rest = ''
  socket.setEncoding('utf8').on('data', (text) => {
    rest += text
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      take(JSON.parse(line))
    }
  })
  socket.on('error', () => undefined)
}

const written = (stream) => new Promise((resolve) => stream.write('', resolve))

// Code may have written a part of a line here, so that an answer begins with a new one.
const print = JSON.stringify
lines(channel, async ({ text, word }) => {
  const answer = await run(text)
  await Promise.all([written(process.stdout), written(process.stderr)])
  channel.write(`\n${print({ ...answer, word })}\n`)
})

rmSync(process.env.HARVESTMAN_PAGES, { force: true })
net
  .createServer((socket) =>
    lines(socket, async (message) => {
      let answer
      try {
        const all = await pages()
        answer = message.argv ? await runCommand(all, message.argv) : await callPage(all, message)
      } catch (error) {
        answer = { error: error.message }
      }
      socket.write(`${JSON.stringify({ id: message.id, ...answer })}\n`)
    }),
  )
  .listen(process.env.HARVESTMAN_PAGES, () => channel.write('{"ready":true}\n'))
