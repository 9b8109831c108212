// Starts interpreters, tells them what to run, and hears how it ended.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'

import { readLines } from './lines.mjs'
import { speeches } from './speech.mjs'

const setpriv = '/usr/bin/setpriv'

/**
 * Each language has one right that is good for nothing, and that the others lack. The kernel lets no process look into one
 * that has a right which it lacks itself: not into this one, which has them all, and not into that of another language.
 */
export function withRight(rights, language) {
  if (rights === undefined) return (command) => command
  const only = `-all,+${rights[language]}`
  return (command) => [setpriv, `--inh-caps=${only}`, `--ambient-caps=${only}`, '--', ...command]
}

/**
 * A jail ends with this process. Outside of one each interpreter leads a group of its own, which can be ended as one, and a
 * second process of that group waits for the end of a pipe from here: it comes however this process ends, and is seen
 * however busy the interpreter is.
 */
const tether = '(read _ <&4; kill -9 -$$) >/dev/null 2>&1 3>&- & exec "$@" 4<&-'

/** Each leads a group of its own, so that a signal to the group of the code reaches no other. */
function spawnInterpreter(command, input, { home, isJailed, wrap }) {
  const [program, ...args] = isJailed ? wrap(command) : ['sh', '-c', tether, 'sh', ...command]
  return spawn(program, args, {
    cwd: home,
    detached: true,
    stdio: [input, 'pipe', 'pipe', 'pipe', ...(isJailed ? [] : ['pipe'])],
    env: { ...process.env },
  })
}

/** When memory is short, the kernel ends code before the process that keeps it. */
function endFirst(pid) {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // It has ended.
  }
}

/** `heard` has what is to be done with an answer, with output, and at the end. */
export function startInterpreter(language, command, options, heard) {
  const speech = speeches[language]
  const all = [...command, ...((options.hasOutputs && speech.outputs) || [])]
  const child = spawnInterpreter(all, speech.file === 0 ? 'pipe' : 'ignore', options)
  if (options.isJailed && child.pid) endFirst(child.pid)
  for (const stream of child.stdio) stream?.on('error', () => undefined)
  if (speech.begin) child.stdio[speech.file].write(speech.begin)
  child.stdout.on('data', (chunk) => heard.output('stdout', chunk))
  child.stderr.on('data', (chunk) => heard.output('stderr', chunk))
  const kill = () => child.kill('SIGKILL')
  let isOver = false
  const end = (exitCode, error) => {
    if (isOver) return
    isOver = true
    heard.end(exitCode, error)
  }
  child.on('error', (error) => end(127, `${language} could not be started (${error.code}).`))
  child.on('exit', (code, signal) => end(code ?? undefined, signal ? `The code was ended by ${signal}.` : undefined))
  return { child, kill, tell: teller(speech, child.stdio[speech.file]) }
}

/** Tells a run. Gives the line at which its code begins, where the interpreter counts the lines of all that it is told. */
function teller({ begin = '', tell, linesBefore }, stream) {
  let lines = begin.split('\n').length - 1
  return (run) => {
    const told = tell(run)
    stream.write(told)
    if (linesBefore === undefined) return undefined
    const first = lines + linesBefore(told) + 1
    lines += told.split('\n').length - 1
    return first
  }
}

const endsWithin = 500

/**
 * An interpreter says a line of JSON for each run that has begun, and for each that has ended, with the word of that run in
 * it. What code writes into the pipe by itself lacks it, and is not heard. Without the pipe nothing is heard any more.
 */
export function hearAnswers({ child, kill }, most, take) {
  const channel = child.stdio[3]
  readLines(
    channel,
    (line) => {
      try {
        take({ ...JSON.parse(line) })
      } catch {
        // Not an answer of ours.
      }
    },
    { most, refuse: kill },
  )
  // It may be ending just now, with a code of its own.
  channel.on('close', () => setTimeout(() => kill(), endsWithin).unref())
}
