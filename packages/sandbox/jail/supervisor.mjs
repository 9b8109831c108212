// The first process of a jail. It starts one interpreter for each language, hands runs to them, and ends all of them when
// a run takes too long or too much. It speaks to the engine over its standard input and output, which no code of callers
// is given.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import { join } from 'node:path'

import { control, frame, kinds, readFrames } from './frames.mjs'

const config = JSON.parse(process.argv[2] ?? '{}')
const { isJailed, nice, home, port, interpreters, limits } = config

// What is started from here has the priority of this process.
if (nice > 0) os.setPriority(nice)

const send = (kind, id, payload) => process.stdout.write(frame(kind, id, payload))
const tell = (message) => process.stdout.write(control(message))

/** Connections to the browser leave the jail as frames: there is no network and no socket of the host in it. */
const connections = new Map()
let lastConnection = 0
const relay = net.createServer((socket) => {
  const id = ++lastConnection
  connections.set(id, socket)
  send(kinds.open, id)
  socket.on('data', (chunk) => send(kinds.data, id, chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => connections.delete(id) && send(kinds.close, id))
})

const running = new Map()
let current

/**
 * A jail ends with this process. Outside of one each interpreter leads a group of its own, which can be ended as one, and a
 * second process of that group waits for the end of a pipe from here: it comes however this process ends, and is seen
 * however busy the interpreter is.
 */
const tether = '(read _ <&4; kill -9 -$$) >/dev/null 2>&1 3>&- & exec "$@" 4<&-'

/** The right that keeps code out of the memory of this process is not handed on. */
const setpriv = '/usr/bin/setpriv'
const withoutShield = existsSync(setpriv) ? [setpriv, '--ambient-caps=-all', '--inh-caps=-all', '--'] : []

function spawnInterpreter(command) {
  const [program, ...args] = isJailed ? [...withoutShield, ...command] : ['sh', '-c', tether, 'sh', ...command]
  return spawn(program, args, {
    cwd: home,
    detached: !isJailed,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(isJailed ? [] : ['pipe'])],
    env: { ...process.env },
  })
}

function startInterpreter(language) {
  const child = spawnInterpreter(interpreters[language])
  const interpreter = { child, answer: undefined, word: undefined, text: '', ready: undefined, isReady: undefined }
  interpreter.isReady = new Promise((resolve) => (interpreter.ready = resolve))
  running.set(language, interpreter)
  child.stdout.on('data', (chunk) => output(kinds.stdout, chunk))
  child.stderr.on('data', (chunk) => output(kinds.stderr, chunk))
  child.stdio[3].setEncoding('utf8').on('data', (text) => hear(interpreter, text))
  child.stdio[3].on('error', () => undefined)
  child.stdio[4]?.on('error', () => undefined)
  const end = (exitCode, error) => {
    if (running.get(language) === interpreter) running.delete(language)
    if (!isJailed && child.pid) signal(-child.pid)
    interpreter.ready()
    interpreter.answer?.({ exitCode, error })
  }
  child.on('error', (error) => end(127, `${language} could not be started (${error.code}).`))
  child.on('exit', (code, signal) => end(code ?? undefined, signal ? `The code was ended by ${signal}.` : undefined))
  return interpreter
}

/**
 * An interpreter says a line of JSON for each run that has ended, with the word of that run in it. What code writes into
 * the pipe by itself lacks it, and is not heard.
 */
function hear(interpreter, text) {
  interpreter.text += text
  if (interpreter.text.length > limits.message) return interpreter.child.kill('SIGKILL')
  for (let end = interpreter.text.indexOf('\n'); end >= 0; end = interpreter.text.indexOf('\n')) {
    const line = interpreter.text.slice(0, end)
    interpreter.text = interpreter.text.slice(end + 1)
    try {
      const { ready, word, ...answer } = JSON.parse(line)
      if (ready) interpreter.ready()
      else if (interpreter.word !== undefined && word === interpreter.word) interpreter.answer?.(answer)
    } catch {
      // Not an answer of ours.
    }
  }
}

function output(kind, chunk) {
  if (!current) return
  const name = kind === kinds.stdout ? 'stdout' : 'stderr'
  // A byte more than is kept tells the engine that there was more.
  const room = limits.output + 1 - current[name]
  current[name] += chunk.length
  if (room <= 0) return
  send(kind, current.run, chunk.subarray(0, room))
}

function endAll() {
  // Every process of this name space but the first and this one: nothing can fork its way out of it.
  if (isJailed) signal(-1)
  else for (const { child } of running.values()) signal(-child.pid)
  running.clear()
}

/** What was ended holds its memory for a moment, which must not be counted for the next run. */
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

async function run({ run, language, text, timeout }) {
  const state = { run, stdout: 0, stderr: 0, why: undefined, settle: undefined }
  current = state
  const outcome = await new Promise((resolve) => {
    state.settle = resolve
    const timer = setTimeout(
      () => state.end('killed', `The code ran longer than ${timeout / 1000} s and was ended.`),
      timeout,
    )
    state.end = (kind, error) => {
      state.stop()
      endAll()
      void areGone().then(() => resolve({ killed: kind === 'killed', error }))
    }
    const finish = (answer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    // The pages are held by the interpreter of node for all languages.
    if (!running.has('node')) startInterpreter('node')
    const interpreter = running.get(language) ?? startInterpreter(language)
    interpreter.answer = finish
    state.stop = () => {
      clearTimeout(timer)
      interpreter.answer = undefined
      interpreter.word = undefined
    }
    const begin = () => {
      const word = randomUUID()
      interpreter.word = word
      // A shell reads the word when the code has ended.
      interpreter.child.stdio[3].write(
        language === 'bash' ? `${text.replaceAll('\0', '')}\0${word}\0` : `${JSON.stringify({ text, word })}\n`,
      )
    }
    // Other languages reach the pages by way of that interpreter, once it listens.
    if (language === 'node') begin()
    else void running.get('node').isReady.then(begin)
  })
  state.stop()
  // What was written before the answer may still be in the pipes.
  let seen = -1
  while (seen !== state.stdout + state.stderr) {
    seen = state.stdout + state.stderr
    await new Promise((resolve) => setTimeout(resolve, 15))
    await new Promise((resolve) => setImmediate(resolve))
  }
  current = undefined
  // What a run leaves behind may stay, but must leave room for the next one.
  if (isJailed && processes().length > limits.processes / 4) endAll()
  tell({ tell: 'done', run, ...outcome })
}

/** Memory and files are counted for all processes together; limits of the system count each by itself. */
function look() {
  const memory = isJailed ? memoryOfAll() : 0
  if (memory > limits.memory) return exceed(`more than ${Math.round(limits.memory / 1e6)} MB of memory`)
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

function memoryOfAll() {
  let pages = 0
  for (const name of processes()) {
    try {
      const [, resident, shared] = readFileSync(`/proc/${name}/statm`, 'utf8').split(' ')
      pages += resident - shared
    } catch {
      // It has ended.
    }
  }
  return pages * 4096
}

let turn = Promise.resolve()
const commands = {
  run: (message) => void (turn = turn.then(() => run(message))),
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
mkdirSync(home, { recursive: true })
setInterval(look, 200)
relay.listen(port, '127.0.0.1', () => tell({ tell: 'ready', port: relay.address().port }))
process.env.HARVESTMAN_CDP_PORT = String(port)
relay.on('listening', () => (process.env.HARVESTMAN_CDP_PORT = String(relay.address().port)))
