// Runs the JavaScript of a session, one run after the other. The code has the main thread, with the objects it is to find
// there; how a run ended is told by another thread, whose objects the code cannot change: evaluator.mjs.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import util from 'node:util'
import { Worker } from 'node:worker_threads'

import { openPages } from './browser.mjs'
import { shownJson } from './shown.mjs'

const mostResult = 1_048_576

globalThis.require = createRequire(`${process.cwd()}/`)
const importFrom = globalThis.require
Object.defineProperty(globalThis, '__import', {
  value: (name) => import(name.startsWith('.') ? importFrom.resolve(name) : name),
})

// Taken before any code runs, which may put others in their place.
const { inspect } = util
const { closeSync, openSync } = fs
const { assign } = Object
const { call } = Function.prototype
const slice = call.bind(String.prototype.slice)
const end = process.kill.bind(process, process.pid, 'SIGKILL')

const shorten = (text) => (typeof text === 'string' ? slice(text, 0, mostResult) : undefined)

function asText(value) {
  if (value === undefined) return undefined
  if (typeof value === 'string') return shorten(value)
  try {
    return shownJson(value, mostResult) ?? shorten(inspect(value))
  } catch {
    return described(value)
  }
}

function described(value) {
  try {
    return shorten(inspect(value))
  } catch {
    return `[${typeof value}]`
  }
}

/** A number that was closed is the next that is given out. Another thread may have been faster: then nothing is right. */
function reopen(number, path) {
  try {
    closeSync(number)
  } catch {
    // The code has closed it.
  }
  if (openSync(path, 'w') !== number) end()
}

function write(paths) {
  reopen(1, paths[0])
  reopen(2, paths[1])
}

/** Gives what stands in the way, if there is anything. */
async function show() {
  try {
    assign(globalThis, await openPages())
    return ''
  } catch (error) {
    return error.message
  }
}

// What is written into a file is written at once, wherever its number leads by then.
if (process.argv[2] === 'outputs') {
  write(['/dev/null', '/dev/null'])
  void process.stdout
  void process.stderr
}

// A promise that is rejected and not waited for must not end the session.
process.on('unhandledRejection', (reason) => process.stderr.write(`Unhandled rejection: ${reason?.stack ?? reason}\n`))
process.on('uncaughtException', (error) => process.stderr.write(`Uncaught: ${error?.stack ?? error}\n`))

globalThis.__kernel = Object.freeze({ __proto__: null, asText, write, show })
// Without a bound of its own, the code of a thread takes half of the memory that a process may reserve.
const resourceLimits = { maxOldGenerationSizeMb: 512, codeRangeSizeMb: 16 }
new Worker(new URL('./evaluator.mjs', import.meta.url), { resourceLimits }).on('exit', end).on('error', end)
