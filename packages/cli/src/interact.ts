import { readFileSync, writeFileSync } from 'node:fs'

import { EngineError } from '@harvestman/ports'
import type { LiveSession, TaskRun, TaskScript } from '@harvestman/live'
import { openEngine, readConfig } from '@harvestman/node'

import { liveShell } from './live-shell.ts'
import { pageOptions, type PageFlags } from './page-options.ts'
import { sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'

export interface InteractFlags extends Pick<
  PageFlags,
  'wait' | 'mobile' | 'header' | 'country' | 'proxy' | 'insecure' | 'actions'
> {
  readonly prompt?: string
  readonly code?: string
  readonly language?: string
  readonly script?: string
  readonly save?: string
  readonly allow?: readonly string[]
  readonly secret?: readonly string[]
  readonly timeout?: string
  readonly json?: boolean
  readonly allowPrivate?: string
  readonly config?: string
}

// As long as a live browser may live at all: the shell waits for a person.
const life = { ttl: 3_600, activityTtl: 3_600 }
const killedCode = 137

/** Opens a page in a live browser, and does there what the flags say; without any, what is typed. */
export async function interact(url: string, flags: InteractFlags, shell: Shell): Promise<number> {
  const work = workOf(flags, shell)
  const { config } = readConfig(sources(flags.config, { allowPrivate: flags.allowPrivate }, shell))
  // Who calls the command has this machine anyway. The code runs in a jail all the same.
  const sandbox = config.sandbox === 'off' ? 'auto' : config.sandbox
  const { engine, close } = await openEngine({ ...config, sandbox, store: 'memory:', files: undefined, log: 'silent' })
  const open = async (signal: AbortSignal): Promise<number> => {
    const { prompt: _, timeout: __, ...page } = flags as PageFlags & InteractFlags
    const request = { ...pageOptions(page), formats: ['rawHtml'], url }
    const { metadata } = await engine.unchecked.scrape(request, { signal, keep: true })
    await using session = await engine.live.ofScrape(metadata.scrapeId, { ...life, signal })
    return await work(session, signal)
  }
  try {
    return await untilStopped(open, shell)
  } finally {
    await close()
  }
}

type Work = (session: LiveSession, signal: AbortSignal) => Promise<number>

/** What is to be done. All that was said is checked before a browser is opened. */
function workOf(flags: InteractFlags, shell: Shell): Work {
  const { prompt, code, script, allow, timeout } = flags
  if ([prompt, code, script].filter((one) => one !== undefined).length > 1)
    throw new EngineError('invalid_request', 'Give one of --prompt, --code and --script, or none for the shell.')
  const secrets = (flags.secret ?? []).map((text) => secretOf(text, shell))
  const time = timeout === undefined ? {} : { timeout: secondsOf(timeout) }
  if (prompt !== undefined)
    return async (session, signal) =>
      tellRun(await session.ask(prompt, { timeout: 300_000, ...time, allow, secrets, signal }), flags, shell)
  if (script !== undefined) {
    const saved = readScript(script)
    return async (session, signal) =>
      tellRun(await session.repeat(saved, { timeout: 300_000, ...time, secrets, signal }), flags, shell)
  }
  if (code !== undefined) {
    const text = code === '-' ? Buffer.from(shell.stdin()).toString() : read('--code', code)
    const language = languageOf(flags.language, code)
    return async (session, signal) => tellCode(await session.run(text, { language, ...time, signal }), flags, shell)
  }
  return (session, signal) => liveShell(session, shell, { secrets, allow, signal })
}

function tellRun(run: TaskRun, { json, save }: InteractFlags, shell: Shell): number {
  const { steps, success, answer, error, script } = run
  for (const { action, outcome, note } of steps) {
    const { type, ...rest } = action
    const said = Object.values(rest).map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
    shell.err(
      `${outcome === 'done' ? '✓' : '✗'} ${[type, ...said].join(' ')}${outcome === 'done' ? '' : `  ${note}`}\n`,
    )
  }
  if (save !== undefined) write(save, `${JSON.stringify(script, null, 2)}\n`)
  if (error !== undefined) shell.err(`${error}\n`)
  if (json) shell.out(`${JSON.stringify(run, null, 2)}\n`)
  else if (answer !== '') shell.out(`${answer}\n`)
  return success ? exitCodes.done : exitCodes.fault
}

type Ran = Awaited<ReturnType<LiveSession['run']>>

function tellCode(ran: Ran, { json }: InteractFlags, shell: Shell): number {
  const { stdout, stderr, result, exitCode, killed, error } = ran
  if (json) shell.out(`${JSON.stringify(ran, null, 2)}\n`)
  else {
    shell.out(stdout)
    if (result !== undefined) shell.out(`${result}\n`)
    shell.err(stderr)
    if (killed && error !== undefined) shell.err(`${error}\n`)
  }
  return exitCode ?? (killed ? killedCode : exitCodes.fault)
}

const languages = {
  node: 'node',
  js: 'node',
  mjs: 'node',
  python: 'python',
  py: 'python',
  bash: 'bash',
  sh: 'bash',
} as const

/** By its name, or by the ending of the file. */
function languageOf(named: string | undefined, file: string): 'node' | 'python' | 'bash' {
  const word = named ?? (file.includes('.') ? (file.split('.').at(-1) ?? '') : 'node')
  const found = Object.entries(languages).find(([name]) => name === word)?.[1]
  if (found) return found
  throw new EngineError(
    'invalid_request',
    `${word} is no language of a live browser. Say --language node, python or bash.`,
  )
}

function secretOf(text: string, { env }: Shell) {
  const [name = '', origin = ''] = text.split(/@(.*)/s)
  const value = env[name]
  if (!/^[\w-]{1,64}$/.test(name) || URL.parse(origin)?.origin !== origin)
    throw new EngineError('invalid_request', `--secret ${text} is not NAME@ORIGIN, as in PASSWORD@https://example.com.`)
  if (value === undefined)
    throw new EngineError('invalid_request', `--secret ${text}: the variable ${name} is not set.`)
  return { name, value, origin }
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (seconds >= 1 && seconds <= 3_600) return seconds * 1_000
  throw new EngineError('invalid_request', '--timeout must be 1 to 3600 seconds.')
}

/** The engine checks what is in it. */
function readScript(file: string): TaskScript {
  try {
    return JSON.parse(read('--script', file)) as TaskScript
  } catch (cause) {
    if (EngineError.is(cause)) throw cause
    throw new EngineError('invalid_request', `--script ${file} is not JSON. Give a file that --save has written.`, {
      cause,
    })
  }
}

function read(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `${flag} ${file} cannot be read. Check its path.`, { cause })
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new EngineError('invalid_request', `--save ${file} cannot be written. Check its folder and your rights.`, {
      cause,
    })
  }
}
