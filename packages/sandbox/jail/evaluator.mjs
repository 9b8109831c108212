// A thread of the interpreter of JavaScript: it hears of runs, has them carried out in the main thread, and says how they ended.
import { writeSync } from 'node:fs'
import inspector from 'node:inspector'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { readLines } from './lines.mjs'
import { toScript } from './script.mjs'

const mostResult = 1_048_576
const mostError = 65_536
// More than what a connection may take: this ends it where code has broken what it stands on.
const showsWithin = 11_000
const channel = new net.Socket({ fd: 3, readable: true, writable: true })
const session = new inspector.Session()
session.connectToMainThread()
const post = (method, params) =>
  new Promise((resolve, reject) => {
    session.post(method, params, (error, answer) => (error ? reject(error) : resolve(answer)))
  })

const { result: kernel } = await post('Runtime.evaluate', {
  expression: '(() => { const kernel = globalThis.__kernel; delete globalThis.__kernel; return kernel })()',
})

/** Calls one of the functions that the main thread has made ready before any code ran. */
async function call(name, argument = {}) {
  const { result, exceptionDetails } = await post('Runtime.callFunctionOn', {
    objectId: kernel.objectId,
    functionDeclaration: `function (argument) { return this.${name}(argument) }`,
    arguments: [argument],
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails) throw new Error(messageOf(exceptionDetails).split('\n')[0])
  return result.value
}

const scriptOf = (expression) => ({ expression, replMode: true, awaitPromise: true, objectGroup: 'run' })

async function evaluate(text) {
  const first = await post('Runtime.evaluate', scriptOf(toScript(text)))
  if (!first.exceptionDetails?.exception?.description?.startsWith('SyntaxError: Illegal return')) return first
  return post('Runtime.evaluate', scriptOf(`await (async () => {${toScript(text)}\n})()`))
}

function messageOf({ exception, text, lineNumber, columnNumber }) {
  const message = String(exception?.description ?? exception?.value ?? text).slice(0, mostError)
  // Below the frames of the code is what the main thread did when it was asked to run it.
  const last = message.lastIndexOf('<anonymous>:')
  // Code that cannot be read has no frames: the first are of what the main thread did then.
  if (last < 0 && exception?.className === 'SyntaxError')
    return `${message.split('\n    at ', 1)[0]}\n    at <anonymous>:${lineNumber + 1}:${columnNumber + 1}`
  return last < 0 ? message : message.slice(0, last) + message.slice(last).split('\n', 1)
}

function complain(text) {
  try {
    writeSync(2, `${text}\n`)
  } catch {
    // The code has closed it.
  }
}

async function answerOf({ result, exceptionDetails }) {
  if (exceptionDetails) {
    const error = messageOf(exceptionDetails)
    complain(error)
    return { exitCode: 1, error: error.split('\n')[0] }
  }
  if (result.type === 'undefined') return { exitCode: 0 }
  const { objectId, unserializableValue, value } = result
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  const text = objectId ? await call('asText', { objectId }) : (unserializableValue ?? shown)
  return { exitCode: 0, result: text?.slice(0, mostResult) }
}

async function carryOut(text) {
  const obstacle = await Promise.race([
    call('show'),
    sleep(showsWithin, 'The browser was not reached in time.', { ref: false }),
  ])
  if (obstacle) complain(obstacle)
  const outcome = await evaluate(text)
  // A console gives a promise as it is; what is meant is what it comes to.
  if (outcome.exceptionDetails || outcome.result.subtype !== 'promise') return answerOf(outcome)
  return answerOf(await post('Runtime.awaitPromise', { promiseObjectId: outcome.result.objectId }))
}

const end = () => process.kill(process.pid, 'SIGKILL')

// Code may have written a part of a line here, so that each of ours begins with a new one.
const say = (message, then) => channel.write(`\n${JSON.stringify(message)}\n`, then)

readLines(channel, async (line) => {
  const { text, mark, word, paths } = JSON.parse(line)
  try {
    if (paths) await call('write', { value: paths })
    say({ began: mark })
    const answer = await carryOut(text)
    await post('Runtime.releaseObjectGroup', { objectGroup: 'run' })
    say({ ...answer, word })
  } catch (error) {
    // Code has broken what all code stands on; the next run gets a new interpreter.
    complain(error.message)
    say({ exitCode: 1, error: error.message, word }, end)
  }
})
channel.on('close', end)
