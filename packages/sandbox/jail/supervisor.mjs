// The first process of a jail. It starts one interpreter for each language, hands runs to them, and ends all of them when
// a run takes too long or too much. It speaks to the engine over its standard input and output, which no code of callers
// is given.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import { join } from 'node:path'

import { brokerPages } from './broker.mjs'
import { control, frame, kinds, readFrames } from './frames.mjs'
import { hearAnswers, startInterpreter, withRight } from './interpreters.mjs'
import { ownMemory, sharedMemory } from './memory.mjs'
import { canMakeOutputs, makeOutputs } from './outputs.mjs'

const config = JSON.parse(process.argv[2] ?? '{}')
const { isJailed, nice, home, port, interpreters, rights, limits } = config

// What is started from here has the priority of this process.
if (nice > 0) os.setPriority(nice)

const send = (kind, id, payload) => process.stdout.write(frame(kind, id, payload))
const tell = (message) => process.stdout.write(control(message))

/** Connections to the browser leave the jail as frames: there is no network and no socket of the host in it. */
const connections = new Map()
let lastConnection = 0
const relay = net.createServer({ noDelay: true }, (socket) => {
  const id = ++lastConnection
  connections.set(id, socket)
  send(kinds.open, id)
  socket.on('data', (chunk) => send(kinds.data, id, chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => connections.delete(id) && send(kinds.close, id))
})

const running = new Map()
let current

function start(language) {
  const wrap = withRight(rights, language)
  const interpreter = { turn: undefined, hasRun: false, wrap }
  const end = (exitCode, error) => {
    if (running.get(language) === interpreter) running.delete(language)
    if (!isJailed && interpreter.child.pid) signal(-interpreter.child.pid)
    interpreter.turn?.lost({ exitCode, error })
  }
  // What an interpreter says before its first run is of use there: that it could not be started, and why.
  const output = (name, chunk) => {
    if (!canMakeOutputs || !interpreter.hasRun) interpreter.turn?.output(name, chunk)
  }
  const options = { home, isJailed, wrap, hasOutputs: canMakeOutputs }
  Object.assign(interpreter, startInterpreter(language, interpreters[language], options, { output, end }))
  running.set(language, interpreter)
  return interpreter
}

function startToRun(language) {
  const interpreter = start(language)
  hearAnswers(interpreter, limits.message, ({ began, word, ...answer }) => {
    const { turn } = interpreter
    if (turn === undefined) return
    if (began === turn.mark) turn.began()
    else if (word === turn.word) turn.settle(answer)
  })
  return interpreter
}

const startPages = () => (running.get('pages') ?? start('pages')).child.stdio[3]

/** What was ended holds its memory for a while, which must not be counted for the next run. */
let ended = new Set()

function endAll() {
  // Every process of this name space but the first and this one: nothing can fork its way out of it.
  if (isJailed) signal(-1)
  if (isJailed) ended = new Set(processes())
  else for (const { child } of running.values()) signal(-child.pid)
  running.clear()
}

async function areGone() {
  if (!isJailed) return
  const isLeft = () => processes().some((name) => name !== '1')
  for (let tries = 0; tries < 40 && isLeft(); tries++) await new Promise((resolve) => setTimeout(resolve, 10))
}

function signal(target) {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // There was none.
  }
}

/** What an interpreter that ran before has to begin the next run. Code may have left it busy, stopped, or without its ears. */
const beginsWithin = 5_000

/** Hands a run to an interpreter. One that ends before it has begun was broken before, and a new one takes the run. */
async function hand({ language, text }, state) {
  const isFresh = !running.has(language)
  const interpreter = running.get(language) ?? startToRun(language)
  const turn = {
    mark: randomBytes(16).toString('hex'),
    word: randomUUID(),
    output: state.output,
    began: () => undefined,
    settle: state.settle,
  }
  let hasBegun = false
  turn.lost = (answer) => {
    if (state.isOver) return
    if (hasBegun) state.settle(answer)
    // Why it could not be started comes beside that it ended.
    else if (isFresh) setTimeout(() => state.settle(answer), 50)
    else void hand({ language, text }, state)
  }
  interpreter.turn = turn
  state.interpreter = interpreter
  const outputs = canMakeOutputs ? await makeOutputs(interpreter.wrap, state.output) : undefined
  if (state.isOver || interpreter.turn !== turn || running.get(language) !== interpreter) return outputs?.end()
  if (canMakeOutputs && !outputs) return interpreter.kill()
  state.outputs.push(outputs)
  const late = isFresh ? undefined : setTimeout(() => interpreter.kill(), beginsWithin)
  interpreter.child.once('exit', () => clearTimeout(late))
  turn.began = () => {
    hasBegun = interpreter.hasRun = true
    clearTimeout(late)
    outputs?.release()
  }
  interpreter.child.kill('SIGCONT')
  state.line = interpreter.tell({ text, mark: turn.mark, word: turn.word, paths: outputs?.paths })
}

async function run({ run, language, text, timeout }) {
  const state = { run, outputs: [], isOver: false }
  current = state
  state.output = outputOf(run)
  const outcome = await new Promise((resolve) => {
    const timer = setTimeout(
      () => state.end('killed', `The code ran longer than ${timeout / 1000} s and was ended.`),
      timeout,
    )
    const stop = () => {
      clearTimeout(timer)
      state.isOver = true
      if (state.interpreter) state.interpreter.turn = undefined
    }
    state.settle = (answer) => {
      if (state.isOver) return
      stop()
      resolve(answer)
    }
    state.end = (kind, error) => {
      if (state.isOver) return
      stop()
      endAll()
      shared = 0
      void areGone().then(() => resolve({ killed: kind === 'killed', error }))
    }
    void hand({ language, text }, state)
  })
  if (!canMakeOutputs) await new Promise((resolve) => setTimeout(resolve, 30))
  for (const outputs of state.outputs) outputs?.end()
  current = undefined
  // What a run leaves behind may stay, but must leave room for the next one.
  if (isJailed && processes().length > limits.processes / 4) endAll()
  tell({ tell: 'done', run, ...outcome, line: state.line })
}

function outputOf(run) {
  const sizes = { stdout: 0, stderr: 0 }
  return (name, chunk) => {
    // A byte more than is kept tells the engine that there was more.
    const room = limits.output + 1 - sizes[name]
    sizes[name] += chunk.length
    if (room > 0) send(kinds[name], run, chunk.subarray(0, room))
  }
}

// Looking for shared memory takes longer, and is done less often while no code runs.
const restedLooks = 25
let looks = 0
let shared = 0

function memoryOfAll() {
  const there = processes()
  ended = new Set(there.filter((name) => ended.has(name)))
  const all = there.filter((name) => !ended.has(name))
  if (current || looks++ % restedLooks === 0) shared = sharedMemory(all)
  return ownMemory(all) + shared
}

/** Memory is counted here where the kernel bounds none. Files are counted here, for all processes together. */
function look() {
  if (isJailed && limits.memory !== undefined && memoryOfAll() > limits.memory)
    return exceed(`more than ${Math.round(limits.memory / 1e6)} MB of memory`)
  const { files, ffree } = statfsSync(home)
  if (isJailed && files - ffree > limits.files) exceed(`more than ${limits.files} files`, true)
}

function exceed(what, isFull = false) {
  if (current) current.end('limit', `The code used ${what} and was ended.`)
  else endAll()
  if (!isFull) return
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true })
}

function processes() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
}

let turn = Promise.resolve()
const commands = {
  run: (message) => void (turn = turn.then(() => run(message))),
  // The engine says it, which sees what the kernel counts.
  exceed: (message) => current?.run === message.run && exceed('more memory than it may'),
  end: () => {
    endAll()
    process.exit(0)
  },
}

process.stdin.on(
  'data',
  readFrames((kind, id, payload) => {
    if (kind === kinds.control) {
      const message = JSON.parse(payload.toString('utf8'))
      commands[message.do]?.(message)
    } else if (kind === kinds.data) connections.get(id)?.write(payload)
    else if (kind === kinds.close) connections.get(id)?.destroy()
  }),
)
process.stdin.on('end', () => commands.end())
process.stdout.on('error', () => commands.end())
// A filter keeps code from SIGSTOP; these stop a process as well, unless it hears them.
if (isJailed) for (const name of ['SIGTSTP', 'SIGTTIN', 'SIGTTOU']) process.on(name, () => undefined)
mkdirSync(home, { recursive: true })
setInterval(look, 200)
const listens = (server, ...where) => new Promise((resolve) => server.listen(...where, resolve))
const pages = process.env.HARVESTMAN_PAGES
await listens(brokerPages(startPages), ...(/^\d+$/.test(pages) ? [Number(pages), '127.0.0.1'] : [pages]))
await listens(relay, port, '127.0.0.1')
process.env.HARVESTMAN_CDP_PORT = String(relay.address().port)
tell({ tell: 'ready' })
